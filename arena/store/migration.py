"""The schema's version: brought to ours by `migrate`, compared with ours by `check`."""

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from arena.errors import Conflict, Unavailable
from arena.store.engine import Store

_LOCK = 7305106
"""Any number, the same in every process: PostgreSQL's advisory lock for migrations."""


def migrate(store: Store) -> None:
    """Brings the database to our schema, all of it or nothing; a second call finds nothing to do."""
    with store.writing() as tx:
        _lock(tx)
        config = _config(tx)
        _refuse_newer(store, tx, config)
        command.upgrade(config, "head")


def check(store: Store) -> None:
    """Raises Conflict if the database is newer than this program, Unavailable if it is older."""
    with store.reading() as tx:
        config = _config(tx)
        _refuse_newer(store, tx, config)
        found, ours = _found(tx), _ours(config)
    if found != ours:
        state = f"is at schema {found}" if found else "has no schema yet"
        raise Unavailable(
            f"database {store.name} {state}, this program needs {ours}; let the gateway bring it up: arena gateway"
        )


def _refuse_newer(store: Store, tx: Connection, config: Config) -> None:
    found = _found(tx)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found and found not in known:
        raise Conflict(
            f"database {store.name} is at schema {found}, newer than {_ours(config)}, the last this program knows; "
            "upgrade with: pip install --upgrade 'glassworks-arena[server]', or restore an older backup"
        )


def _found(tx: Connection) -> str | None:
    return MigrationContext.configure(tx).get_current_revision()


def _ours(config: Config) -> str | None:
    return ScriptDirectory.from_config(config).get_current_head()


def _config(tx: Connection) -> Config:
    config = Config(attributes={"connection": tx})
    config.set_main_option("script_location", "arena.store:migrations")
    return config


def _lock(tx: Connection) -> None:
    # SQLite needs no more: the transaction began by locking the database
    if tx.dialect.name == "postgresql":
        tx.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
