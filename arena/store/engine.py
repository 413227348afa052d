"""The database as a resource of one process, used in transactions that one can see."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Self

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from arena.errors import Unavailable
from arena.store.address import Address, address

PATIENCE = 30
"""Seconds to wait for somebody else's lock."""
LOOK = 0.001  # seconds between two looks whether another process still writes
WRITE = "BEGIN IMMEDIATE"
_SQLITE_SETTINGS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
_POSTGRES_SETTINGS = (
    f"lock_timeout = '{PATIENCE}s'",
    "idle_in_transaction_session_timeout = '120s'",  # a worker that stands still must not hold others up
    "cursor_tuple_fraction = 1",  # we read results to the end; plans for a quick first row took minutes
    "jit = off",
)


class Store:
    """An open database; many processes may have one on the same database, each its own, opened after a fork."""

    __slots__ = ("_closed", "_reader", "_turn", "_writer", "name")

    def __init__(self, where: Address) -> None:
        self.name = where.shown
        self._turn: Lock | None = None
        if where.url.get_backend_name() == "sqlite":
            self._turn = Lock()
            self._writer = _sqlite(where)
            self._reader = self._writer.execution_options(arena_begin="BEGIN")
        else:
            self._writer = _postgresql(where)
            self._reader = self._writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._closed = False
        event.listen(self._writer, "checkin", self._back)

    @classmethod
    def open(cls, url: str) -> Self:
        """The database at `url`, reached once; raises BadInput or Unavailable."""
        store = cls(address(url))
        try:
            with store._reader.connect():
                return store
        except DBAPIError as error:
            store.close()
            raise Unavailable(
                f"cannot open database {store.name}: {_cause(error)}; "
                "point --database (ARENA_DATABASE_URL) at a running server or at a file in a folder you can write"
            ) from None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database and cannot write."""
        with self._transaction(self._reader) as tx:
            yield tx

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that commits at its end, durably, or leaves no trace."""
        with self._in_turn(), self._transaction(self._writer) as tx:
            yield tx

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """SQLite has one writer at a time, and who waits for it in there sleeps in steps of up to 100 ms; the threads
        of one process wait here, where the next one is woken at once."""
        if self._turn is None:
            yield
            return
        if not self._turn.acquire(timeout=PATIENCE):
            raise Unavailable(f"database {self.name}: another write took longer than {PATIENCE} s; try again")
        try:
            yield
        finally:
            self._turn.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections: idle ones now, those of transactions under way when they end."""
        self._closed = True
        self._writer.dispose()

    def _back(self, _connection: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
        if self._closed:
            entry.close()

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Connection]:
        try:
            with engine.begin() as tx:
                yield tx
        except (OperationalError, InternalError, InterfaceError, PoolTimeout) as error:
            raise Unavailable(
                f"database {self.name} did not answer as it should: {_cause(error)}; "
                "nothing of this transaction was kept; see that the server runs and the disk has room, then try again"
            ) from error


def _sqlite(where: Address) -> Engine:
    engine = create_engine(where.url, connect_args={"timeout": PATIENCE}, hide_parameters=True)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _postgresql(where: Address) -> Engine:
    engine = create_engine(
        where.url,
        isolation_level="READ COMMITTED",
        connect_args={"connect_timeout": PATIENCE},
        pool_pre_ping=True,
        hide_parameters=True,
    )
    event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _set_up_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for setting in _SQLITE_SETTINGS:
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin_sqlite(tx: Connection) -> None:
    begin = tx.get_execution_options().get("arena_begin", WRITE)
    tx.exec_driver_sql(f"PRAGMA query_only = {int(begin != WRITE)}")
    if begin == WRITE:
        _begin_to_write(tx)
    else:
        tx.exec_driver_sql(begin)


def _begin_to_write(tx: Connection) -> None:
    """Begin as soon as no other process writes; raises what SQLite says if that takes too long.

    SQLite itself would look again after ever longer pauses of up to 100 ms, while a write takes one or two.
    """
    driver = tx.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    deadline = time.monotonic() + PATIENCE
    driver.execute("PRAGMA busy_timeout = 0")
    try:
        while _is_busy(driver) and time.monotonic() < deadline:
            time.sleep(LOOK)
        if not driver.in_transaction:
            tx.exec_driver_sql(WRITE)
    finally:
        driver.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")


def _is_busy(driver: sqlite3.Connection) -> bool:
    """Whether another process writes; else a transaction has begun, or cannot."""
    try:
        driver.execute(WRITE)
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return False


def _set_up_postgresql(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for setting in _POSTGRES_SETTINGS:
        cursor.execute(f"SET {setting}")
    cursor.close()
    connection.commit()  # a SET is undone by the rollback of its transaction


def _cause(error: Exception) -> str:
    origin = error.orig if isinstance(error, DBAPIError) else error
    return str(origin).strip().partition("\n")[0]
