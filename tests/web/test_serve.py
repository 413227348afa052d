"""The web process starts, shows pages, ends when told to, and says why it cannot run."""

import os
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from arena.store.engine import Store
from tests.web import arena
from tests.web.conftest import Web, started

COMMAND = ("-m", "arena.cli", "web")


def refused(*options: str, **environment: str) -> tuple[int, str]:
    """Exit code and last words of a web process that cannot run."""
    command = [sys.executable, *COMMAND, *options]
    settings = {**os.environ, **environment}
    process = subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=60)
    return process.returncode, process.stderr


def test_a_real_server_shows_what_is_on_record(web: Web, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    assert httpx.get(f"{web.address}api/leaderboard").json()["boards"]["overall"][0]["games"] == 8
    assert httpx.get(f"{web.address}healthz").json()["redis"] == "up"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_told_to_stop_it_ends_in_good_order(web: Web, number: signal.Signals) -> None:
    httpx.get(web.address)
    web.process.send_signal(number)
    assert web.process.wait(60) == 0


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_viewer_who_stays_connected_does_not_hold_it_up(web: Web) -> None:
    with httpx.Client() as viewer:
        viewer.get(web.address)
        web.process.terminate()
        assert web.process.wait(60) == 0


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_the_command_runs_the_same_pages_by_its_options(store_url: str, redis_url: str) -> None:
    with started(*COMMAND, "--database", store_url, "--redis", redis_url, "--web-port", "0") as web:
        assert "Leaderboard" in httpx.get(web.address).text
        web.process.terminate()
        assert web.process.wait(60) == 0


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_without_any_redis_it_runs(store_url: str) -> None:
    with started(ARENA_DATABASE_URL=store_url, ARENA_REDIS_URL="redis://127.0.0.1:1") as web:
        assert httpx.get(f"{web.address}healthz").json()["redis"] == "down"


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_port_in_use_is_named(store_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, said = refused("--database", store_url, "--web-port", port)
    assert (code, f"127.0.0.1:{port}" in said, "--web-port" in said) == (3, True, True)


@pytest.mark.parametrize("blank_url", ["sqlite"], indirect=True)
def test_a_database_without_schema_is_named(blank_url: str) -> None:
    code, said = refused(ARENA_DATABASE_URL=blank_url, ARENA_WEB_PORT="0")
    assert (code, "has no schema yet" in said) == (3, True)


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_wrong_redis_address_is_named_without_its_password(store_url: str) -> None:
    code, said = refused(ARENA_DATABASE_URL=store_url, ARENA_WEB_PORT="0", ARENA_REDIS_URL="http://:hush@x")
    assert (code, "redis_url" in said, "hush" in said) == (3, True, False)
