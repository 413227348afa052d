"""What SQLite and PostgreSQL spell differently."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_once(
    tx: Connection, table: Table, rows: Sequence[Mapping[str, object]], *, key: Sequence[str] | None = None
) -> int:
    """How many of the rows went in; those whose key (any unique key by default) is taken stay out."""
    if not rows:
        return 0
    dialect = postgresql if tx.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).on_conflict_do_nothing(index_elements=key)
    inserted = statement.execution_options(preserve_rowcount=True)
    return tx.execute(inserted, [dict(row) for row in rows]).rowcount
