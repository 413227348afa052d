"""Only a Redis that answers, is new enough and drops nothing is accepted, and no message tells its password."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from arena.errors import ArenaError, BadInput, Unavailable
from arena.jobs.connection import answering, aof_advice, connect, refuse_unfit
from arena.jobs.server import Server, start_server

NOBODY = "redis://:a-secret@127.0.0.1:1/0"
FIT = {"redis_version": "7.2.4", "maxmemory_policy": "noeviction"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of its own for tests that change its configuration."""
    with start_server(tmp_path) as server:
        yield server


def configured(server: Server, name: str, value: str) -> str:
    """The server's address, once it has that setting."""
    with redis.Redis.from_url(server.url) as client:
        client.config_set(name, value)
    return server.url


def test_our_own_server_is_accepted(redis_url: str) -> None:
    with connect(redis_url) as connection:
        assert connection.ping()


def test_our_own_server_needs_no_advice(redis_url: str) -> None:
    with connect(redis_url) as connection:
        assert aof_advice(connection) is None


def test_an_evicting_server_is_refused_with_the_cure(server: Server) -> None:
    url = configured(server, "maxmemory-policy", "allkeys-lru")
    with pytest.raises(Unavailable, match=r"allkeys-lru.*CONFIG SET maxmemory-policy noeviction"):
        connect(url)


def test_a_server_without_aof_is_accepted_with_advice(server: Server) -> None:
    with connect(configured(server, "appendonly", "no")) as connection:
        assert "CONFIG SET appendonly yes" in (aof_advice(connection) or "")


def test_a_user_without_config_rights_can_still_be_checked(server: Server) -> None:
    with redis.Redis.from_url(server.url) as client:
        client.acl_setuser("guest", enabled=True, passwords=["+word"], keys=["*"], commands=["+@all", "-config"])
    with connect(f"redis://guest:word@127.0.0.1:{server.port}/0") as connection:
        assert connection.ping()


@pytest.mark.parametrize("version", ["6.0.16", "5.0", "unknown"])
def test_an_old_server_is_refused_by_its_version(version: str) -> None:
    with pytest.raises(Unavailable, match=rf"version {version}.*6\.2 or newer"):
        refuse_unfit(FIT | {"redis_version": version}, where="redis.example:6379")


@pytest.mark.parametrize("version", ["6.2.0", "7.0.15", "10.1"])
def test_a_new_server_is_fit(version: str) -> None:
    refuse_unfit(FIT | {"redis_version": version}, where="redis.example:6379")


def test_an_unreachable_server_is_named() -> None:
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:1 "):
        connect(NOBODY)


def test_a_wrong_password_is_named_as_the_reason(redis_server: Server) -> None:
    with pytest.raises(Unavailable, match="refuses our password"):
        connect(f"redis://:a-secret@127.0.0.1:{redis_server.port}/0")


@pytest.mark.parametrize("url", ["http://:a-secret@h/0", "redis://:a-secret#b@h:x/0", "a-secret"])
def test_an_address_that_is_none_is_bad_input(url: str) -> None:
    with pytest.raises(BadInput, match="redis://"):
        connect(url)


@pytest.mark.parametrize("url", [NOBODY, "redis://:a-secret@h:port/0", "ftp://:a-secret@h"])
def test_no_message_tells_the_password(url: str) -> None:
    with pytest.raises(ArenaError) as raised:
        connect(url)
    assert "a-secret" not in f"{raised.value!r}{raised.value.__cause__!r}"


def test_a_connection_does_not_show_the_password(redis_server: Server) -> None:
    with connect(redis_server.url) as connection:
        assert redis_server.password not in repr(connection)


def test_what_redis_refuses_is_passed_on_in_its_words(redis_client: redis.Redis) -> None:
    redis_client.set("text", "x")
    with pytest.raises(Unavailable, match="WRONGTYPE"), answering(redis_client):
        redis_client.llen("text")
