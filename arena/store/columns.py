"""The kinds of columns that the tables are made of."""

from enum import StrEnum

from sqlalchemy import Column, Double, Enum, ForeignKey, Index, Integer, Text, TextClause, text


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
