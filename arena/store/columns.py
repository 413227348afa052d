"""What the tables are made of: how their parts are named, and the kinds of their columns."""

from enum import StrEnum

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    Enum,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    TextClause,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def closed(kinds: type[StrEnum], name: str) -> Enum:
    """The type of a column that holds one of the members' values."""
    return Enum(
        kinds,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=16,
        values_callable=lambda members: [member.value for member in members],
    )


def words(name: str, refers_to: str = "") -> Column[str]:
    """A text."""
    return Column(name, Text, *([ForeignKey(refers_to)] if refers_to else []), nullable=False)


def key(name: str, refers_to: str = "") -> Column[str]:
    """A text in the key."""
    return Column(name, Text, *([ForeignKey(refers_to)] if refers_to else []), primary_key=True)


def flag(name: str) -> Column[bool]:
    """Whether it is so; it is not, unless said."""
    return Column(name, Boolean, nullable=False, server_default=text("false"))


def blob(name: str) -> Column[bytes]:
    """Some bytes."""
    return Column(name, LargeBinary, nullable=False)


def number(name: str) -> Column[int]:
    """A whole number."""
    return Column(name, Integer, nullable=False)


def key_number(name: str) -> Column[int]:
    """A whole number in the key, given by us."""
    return Column(name, Integer, primary_key=True, autoincrement=False)


def counter(name: str) -> Column[int]:
    """A whole number that starts at 0."""
    return Column(name, Integer, nullable=False, server_default=text("0"))


def moment(name: str) -> Column[float]:
    """A time in unix seconds."""
    return Column(name, Double, nullable=False)


def moment_or_none(name: str) -> Column[float | None]:
    """A time in unix seconds, if it came."""
    return Column(name, Double)


def partial_index(name: str, *columns: str, where: TextClause, unique: bool = False) -> Index:
    """An index over some rows."""
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)
