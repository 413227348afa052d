"""The schema: migrated once whatever happens, and refused when it is not ours."""

import multiprocessing
import os
import signal

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text
from sqlalchemy.schema import SchemaItem

from arena.errors import Conflict, Unavailable
from arena.store import schema
from arena.store.engine import Store
from arena.store.migration import check, migrate

SPAWN = multiprocessing.get_context("spawn")


def test_migrations_build_exactly_the_tables_we_query(store: Store) -> None:
    with store.reading() as tx:
        context = MigrationContext.configure(tx, opts={"compare_server_default": True})
        assert compare_metadata(context, schema.metadata) == []


def test_migrations_hold_every_check_of_the_schema(own_store: Store) -> None:
    with own_store.writing() as tx:
        migrated = _checks(tx)
        for table in reversed(schema.metadata.sorted_tables):
            table.drop(tx)
        schema.metadata.create_all(tx)
        assert migrated == _checks(tx)


def test_migrating_twice_changes_nothing(store: Store) -> None:
    migrate(store)
    migrate(store)
    check(store)


def test_processes_that_migrate_at_once_all_succeed(blank_url: str) -> None:
    rivals = [SPAWN.Process(target=_open_and_migrate, args=(blank_url,)) for _ in range(3)]
    for rival in rivals:
        rival.start()
    for rival in rivals:
        rival.join()
    assert [rival.exitcode for rival in rivals] == [0, 0, 0]


def test_a_migration_killed_in_the_middle_leaves_nothing_and_runs_again(blank_url: str) -> None:
    victim = SPAWN.Process(target=_migrate_and_die, args=(blank_url,))
    victim.start()
    victim.join()
    assert victim.exitcode == -signal.SIGKILL
    store = Store.open(blank_url)
    with store.reading() as tx:
        assert inspect(tx).get_table_names() == []
    migrate(store)
    check(store)
    store.close()


def test_a_newer_database_is_refused_with_both_revisions(own_store: Store) -> None:
    with own_store.writing() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Conflict, match=r"9999.*newer than 0002.*pip install --upgrade"):
        check(own_store)
    with pytest.raises(Conflict, match="9999"):
        migrate(own_store)


def test_a_blank_database_says_which_command_to_type(blank_url: str) -> None:
    store = Store.open(blank_url)
    with pytest.raises(Unavailable, match="arena gateway"):
        check(store)
    store.close()


def _open_and_migrate(url: str) -> None:
    store = Store.open(url)
    migrate(store)
    check(store)


def _migrate_and_die(url: str) -> None:
    create = op.create_table

    def create_or_die(name: str, *parts: SchemaItem) -> None:
        if name == "game":
            os.kill(os.getpid(), signal.SIGKILL)
        create(name, *parts)

    op.create_table = create_or_die  # type: ignore[assignment]
    migrate(Store.open(url))


def _checks(tx: Connection) -> dict[tuple[str | None, str], list[tuple[str, str]]]:
    found = inspect(tx).get_multi_check_constraints()
    return {
        table: sorted((str(check["name"]), str(check["sqltext"])) for check in checks)
        for table, checks in found.items()
    }
