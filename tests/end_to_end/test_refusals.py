"""What keeps an arena from starting: one line, and the code that says whose move it is."""

from pathlib import Path

import pytest
import redis

from arena.jobs.server import Server, start_server
from arena.store.engine import Store
from arena.store.migration import migrate
from tests.end_to_end.houses import House
from tests.gateway.hosts import free_port


def refused(folder: Path, *options: str) -> tuple[int, str]:
    """Exit code and last line of an `arena up` that does not start."""
    found = House(folder)
    ports = ("--port", str(found.port), "--web-port", str(found.web_port))
    done = found.cli("up", "--data", str(folder / "data"), *ports, *options)
    assert "Traceback" not in done.stderr
    assert found.left() == ()
    return done.returncode, done.stderr.strip().splitlines()[-1]


@pytest.fixture
def evicting(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A Redis that would drop what it was given."""
    server = start_server(tmp_path_factory.mktemp("evicting"))
    with redis.Redis.from_url(server.url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
    return server


def test_an_evicting_redis_is_refused_with_the_setting(tmp_path: Path, evicting: Server) -> None:
    with evicting:
        code, said = refused(tmp_path, "--redis", evicting.url)
    assert code == 3
    assert "maxmemory-policy allkeys-lru" in said
    assert "CONFIG SET maxmemory-policy noeviction" in said


def test_a_redis_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    port = free_port()
    code, said = refused(tmp_path, "--redis", f"redis://:hunter2@127.0.0.1:{port}/0")
    assert code == 3
    assert f"127.0.0.1:{port} does not answer" in said
    assert "hunter2" not in said


def test_a_database_from_a_newer_version_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.db'}"
    store = Store.open(url)
    migrate(store)
    with store.writing() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    code, said = refused(tmp_path, "--database", url)
    assert code == 2
    assert "newer than" in said
    assert "pip install --upgrade" in said


def test_an_open_arena_does_not_listen_to_other_machines(tmp_path: Path) -> None:
    code, said = refused(tmp_path, "--host", "0.0.0.0")
    assert code == 4
    assert "--tokens" in said
