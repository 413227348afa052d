"""Where a database is: its URL, read strictly and shown without the password."""

from dataclasses import dataclass

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from arena.errors import BadInput

FORMS = "sqlite:///arena.db or postgresql://user:password@host/database"
_DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "sqlite+pysqlite": "sqlite+pysqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


@dataclass(frozen=True, slots=True)
class Address:
    """A database that we can open; `shown` is its URL for people, without password and options."""

    url: URL
    shown: str


def address(text: str) -> Address:
    """The address that a database URL names; raises BadInput."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # the text stays out of the message: what cannot be parsed cannot be stripped of its password
        raise BadInput(f"the database URL cannot be read; write {FORMS}") from None
    if url.drivername not in _DRIVERS:
        raise BadInput(f"no database {url.drivername!r}; write {FORMS}")
    if url.drivername.startswith("sqlite") and url.database in (None, "", ":memory:"):
        raise BadInput("SQLite in memory cannot be shared by processes; name a file: sqlite:///arena.db")
    shown = url.set(query={}).render_as_string(hide_password=True)
    return Address(url.set(drivername=_DRIVERS[url.drivername]), shown)
