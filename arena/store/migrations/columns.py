"""Columns, keys and checks as migrations write them, with the names that arena.store.schema gives them."""

import sqlalchemy as sa
from alembic import op


def words(name: str, *, nullable: bool = False) -> sa.Column[str]:
    """A text."""
    return sa.Column(name, sa.Text, nullable=nullable)


def octets(name: str) -> sa.Column[bytes]:
    """Some bytes."""
    return sa.Column(name, sa.LargeBinary, nullable=False)


def moment(name: str, *, nullable: bool = False) -> sa.Column[float]:
    """A time or a duration, in seconds."""
    return sa.Column(name, sa.Double, nullable=nullable)


def number(name: str, *, default: str | None = None) -> sa.Column[int]:
    """A whole number."""
    return sa.Column(name, sa.Integer, nullable=False, server_default=default and sa.text(default))


def key_number(name: str) -> sa.Column[int]:
    """A whole number in a key, given by us."""
    return sa.Column(name, sa.Integer, nullable=False, autoincrement=False)


def closed(name: str, table: str, *values: str, nullable: bool = False) -> sa.Column[str]:
    """One of the values, held by a check."""
    kinds = sa.Enum(*values, name=f"ck_{table}_{name}", native_enum=False, create_constraint=True, length=16)
    return sa.Column(name, kinds, nullable=nullable)


def primary(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    """The key of the rows."""
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def unique(table: str, *columns: str) -> sa.UniqueConstraint:
    """No two rows alike in these columns."""
    return sa.UniqueConstraint(*columns, name=f"uq_{table}_{'_'.join(columns)}")


def holds(table: str, name: str, rule: str) -> sa.CheckConstraint:
    """What must be true of every row."""
    return sa.CheckConstraint(rule, name=f"ck_{table}_{name}")


def refers(table: str, *columns: str, to: str) -> sa.ForeignKeyConstraint:
    """The columns name a row of another table."""
    name = f"fk_{table}_{'_'.join(columns)}_{to.partition('.')[0]}"
    return sa.ForeignKeyConstraint(columns, to.split(), name=name)


def index(table: str, *columns: str) -> None:
    """An index over all rows."""
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def partial_index(name: str, table: str, *columns: str, where: str, unique: bool = False) -> None:
    """An index over some rows."""
    rows = sa.text(where)
    op.create_index(name, table, list(columns), unique=unique, sqlite_where=rows, postgresql_where=rows)
