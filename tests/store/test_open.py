"""A store is opened by a URL, used in transactions, and says what to do when it cannot be."""

import sqlite3
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from arena.errors import BadInput, Conflict, Unavailable
from arena.store import engine, owners, schema
from arena.store.address import address
from arena.store.engine import Store
from arena.store.ids import OwnerId
from arena.store.owners import Owner

ANN = Owner(OwnerId("o1"), "ann", 1.0)
BEN = Owner(OwnerId("o2"), "ben", 1.0)


@pytest.mark.parametrize(
    "url",
    ["", "arena.db", "sqlite://", "sqlite:///:memory:", "mysql://u:secret@h/d", "postgresql://u:secret@h:port/d"],
    ids=["empty", "path", "memory", "memory by name", "other server", "bad port"],
)
def test_a_bad_url_is_refused_with_the_forms_that_work(url: str) -> None:
    with pytest.raises(BadInput, match=r"sqlite:///arena\.db") as refusal:
        Store.open(url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:secret@127.0.0.1:1/arena",
        "postgresql://ann:secret@/arena?host=/nowhere&password=secret",
        "sqlite:////no/such/directory/arena.db",
    ],
    ids=["port", "socket", "directory"],
)
def test_an_unreachable_database_says_what_to_set_and_no_password(url: str) -> None:
    with pytest.raises(Unavailable, match="ARENA_DATABASE_URL") as refusal:
        Store.open(url)
    assert "secret" not in f"{refusal.value!r} {refusal.value.__cause__!r}"


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_text("dear diary, " * 1000)
    with pytest.raises(Unavailable, match="file is not a database"):
        Store.open(f"sqlite:///{tmp_path / 'arena.db'}")


def test_the_name_of_a_store_hides_the_password() -> None:
    assert address("postgresql://ann:secret@db/arena?password=secret").shown == "postgresql://ann:***@db/arena"


def test_sqlite_survives_power_loss_and_keeps_its_references(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'arena.db'}")
    names = ("journal_mode", "synchronous", "foreign_keys")
    with store.writing() as tx:
        assert [tx.scalar(text(f"PRAGMA {name}")) for name in names] == ["wal", 2, 1]
    store.close()


def test_a_written_row_is_there_for_the_next_reader(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
    with store.reading() as tx:
        assert owners.owner(tx, ANN.id) == ANN


def test_closing_a_store_ends_nothing_that_is_under_way_and_leaves_no_connection(store: Store) -> None:
    with store.writing() as tx:
        connection = tx.connection.dbapi_connection
        store.close()
        owners.add_owner(tx, ANN)
    assert connection is not None
    with pytest.raises(Exception, match="closed"):
        connection.cursor()
    with store.reading() as tx:
        assert owners.owner(tx, ANN.id) == ANN


def test_an_error_inside_a_transaction_leaves_no_trace(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
    with pytest.raises(Conflict), store.writing() as tx:
        _add(tx, BEN, ANN)
    with store.reading() as tx:
        assert owners.owners(tx) == (ANN,)


def test_a_reading_transaction_cannot_write(store: Store) -> None:
    with pytest.raises(Unavailable, match=r"read-?only"), store.reading() as tx:
        owners.add_owner(tx, ANN)
    with store.writing() as tx:
        assert owners.owners(tx) == ()


def test_a_reader_sees_one_state_while_others_write(store: Store) -> None:
    with store.reading() as reader:
        before = owners.owners(reader)
        with store.writing() as writer:
            owners.add_owner(writer, ANN)
        assert owners.owners(reader) == before == ()


def test_a_lock_that_is_held_too_long_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PATIENCE", 0.01)
    path = tmp_path / "arena.db"
    store = Store.open(f"sqlite:///{path}")
    holder = sqlite3.connect(path)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match=r"database is locked.*try again"), store.writing():
        pass
    holder.close()
    store.close()


def test_a_process_that_stands_still_in_a_transaction_loses_it(postgres_store: Store) -> None:
    with pytest.raises(Unavailable, match="idle-in-transaction"), postgres_store.writing() as tx:
        _stand_still(tx)


def test_a_secret_is_in_no_error(store: Store) -> None:
    row = {"id": "t", "owner_id": "nobody", "role": "owner", "digest": b"secret", "created_at": 1.0}
    with pytest.raises(IntegrityError) as bug, store.writing() as tx:
        tx.execute(schema.token.insert().values(row))
    assert "secret" not in str(bug.value)


def _add(tx: Connection, *people: Owner) -> None:
    for person in people:
        owners.add_owner(tx, person)


def _stand_still(tx: Connection) -> None:
    tx.execute(text("SET LOCAL idle_in_transaction_session_timeout = '10ms'"))
    time.sleep(1)
    tx.execute(text("SELECT 1"))
