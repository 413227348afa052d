"""A real Redis for tests: our embedded server, one per session, emptied for every test."""

import time
from collections.abc import Callable, Iterator

import pytest
import redis

from arena.jobs.server import Server, start_server


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The session's server; a test that stops or reconfigures one starts its own."""
    with start_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: Server) -> str:
    """Address of an empty Redis."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    return redis_server.url


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """A plain client of the empty Redis, for looking behind our own code."""
    with redis.Redis.from_url(redis_url) as client:
        yield client


def until(claim: Callable[[], bool], *, patience: float = 30.0) -> bool:
    """Whether the claim comes true before patience ends."""
    deadline = time.monotonic() + patience
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
