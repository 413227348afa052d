"""The database as a resource of one process, used in transactions that one can see."""

from collections.abc import Iterator
from contextlib import contextmanager
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
_SQLITE_SETTINGS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
_POSTGRES_SETTINGS = (
    f"lock_timeout = '{PATIENCE}s'",
    "idle_in_transaction_session_timeout = '120s'",  # a worker that stands still must not hold others up
    "cursor_tuple_fraction = 1",  # we read results to the end; plans for a quick first row took minutes
    "jit = off",
)


class Store:
    """An open database; many processes may have one on the same database, each its own, opened after a fork."""

    __slots__ = ("_closed", "_reader", "_writer", "name")

    def __init__(self, where: Address) -> None:
        self.name = where.shown
        if where.url.get_backend_name() == "sqlite":
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
        with self._transaction(self._writer) as tx:
            yield tx

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
    begin = tx.get_execution_options().get("arena_begin", "BEGIN IMMEDIATE")
    tx.exec_driver_sql(f"PRAGMA query_only = {int(begin == 'BEGIN')}")
    tx.exec_driver_sql(begin)


def _set_up_postgresql(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for setting in _POSTGRES_SETTINGS:
        cursor.execute(f"SET {setting}")
    cursor.close()
    connection.commit()  # a SET is undone by the rollback of its transaction


def _cause(error: Exception) -> str:
    origin = error.orig if isinstance(error, DBAPIError) else error
    return str(origin).strip().partition("\n")[0]
