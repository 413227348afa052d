"""Real databases for tests: a PostgreSQL of our own for the session, and a fresh database for each test."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

from arena.store import schema
from arena.store.engine import Store
from arena.store.migration import migrate

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "unix_socket_permissions": "0777",
}
INITDB = ("--username=arena", "--auth=trust", "--encoding=UTF8", "--no-sync")
_numbers = count()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server on a unix socket, gone without a trace after the session."""
    binaries = _postgres_binaries()
    if binaries is None:
        _missing("PostgreSQL not installed")
        return
    home = Path(tempfile.mkdtemp(prefix="arena-pg-"))
    try:
        with _cluster(binaries, home) as url:
            yield url
    finally:
        shutil.rmtree(home)


@pytest.fixture(scope="session")
def postgres_store_url(postgres_url: str) -> Iterator[str]:
    """A PostgreSQL database with our schema, for the tests to share one after the other."""
    with _database(postgres_url) as url:
        _migrated(url).close()
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database with our schema, on each kind of server."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'arena.db'}"
        _migrated(url).close()
        yield url
        return
    url = request.getfixturevalue("postgres_store_url")
    yield url
    _empty(url)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An open, empty database with our schema."""
    store = Store.open(store_url)
    yield store
    store.close()


@pytest.fixture
def postgres_store(postgres_store_url: str) -> Iterator[Store]:
    """An open, empty database on PostgreSQL, for what SQLite cannot do."""
    store = Store.open(postgres_store_url)
    yield store
    store.close()
    _empty(postgres_store_url)


@pytest.fixture(params=["sqlite", "postgresql"])
def blank_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of the test's own, without our schema."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'blank.db'}"
        return
    with _database(request.getfixturevalue("postgres_url")) as url:
        yield url


@pytest.fixture
def own_store(blank_url: str) -> Iterator[Store]:
    """An open, empty database whose schema the test may break."""
    store = _migrated(blank_url)
    yield store
    store.close()


def _migrated(url: str) -> Store:
    store = Store.open(url)
    migrate(store)
    return store


def _empty(url: str) -> None:
    store = Store.open(url)
    with store.writing() as tx:
        for table in reversed(schema.metadata.sorted_tables):
            tx.execute(table.delete())
    store.close()


def _missing(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def _postgres_binaries() -> Path | None:
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    debian = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((path.parent for path in debian), key=lambda path: int(path.parent.name), default=None)


@contextmanager
def _cluster(binaries: Path, home: Path) -> Iterator[str]:
    user = _unprivileged()
    if user is not None:
        os.chown(home, user, -1)
    initdb = [
        str(binaries / "initdb"),
        "-D",
        str(home / "data"),
        "-U",
        "arena",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--no-sync",
    ]
    subprocess.run(initdb, user=user, cwd=home, check=True, stdout=subprocess.DEVNULL)
    settings = [f"--{name}={value}" for name, value in SETTINGS.items()]
    command = [str(binaries / "postgres"), "-D", str(home / "data"), "-k", str(home), *settings]
    with (home / "log").open("wb") as log, subprocess.Popen(command, user=user, cwd=home, stderr=log) as server:
        try:
            yield _answering(f"postgresql://arena@/postgres?host={home}", server)
        finally:
            server.send_signal(signal.SIGQUIT)  # at once: nobody needs this data


def _unprivileged() -> int | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    users = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return users.get("postgres", users["nobody"])


def _answering(url: str, server: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return url
    return pytest.fail("PostgreSQL did not start")


@contextmanager
def _database(server: str) -> Iterator[str]:
    name = f"arena_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
    yield server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
