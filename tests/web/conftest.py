"""The app over a real database and a real Redis, in the test's process and as a process of its own."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from arena.lobby.presence import Lobby
from arena.store.engine import Store
from arena.web.app import app
from arena.web.sources import Sources


@dataclass(frozen=True, slots=True)
class Web:
    """A running web process and the address of its pages."""

    process: subprocess.Popen[str]
    address: str


@pytest.fixture
def lobby(redis_client: redis.Redis) -> Lobby:
    """An empty lobby."""
    return Lobby(redis_client)


@pytest.fixture
async def client(store: Store, lobby: Lobby) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app; what a test puts on record before its first request is what it sees."""
    async with asking(Sources.of(store, lobby, time.time)) as client:
        yield client


@pytest.fixture
def web(store_url: str, redis_url: str) -> Iterator[Web]:
    """The web process over the test's database and Redis."""
    with started(ARENA_DATABASE_URL=store_url, ARENA_REDIS_URL=redis_url) as web:
        yield web


@pytest.fixture
def nowhere() -> Iterator[Lobby]:
    """A lobby whose Redis is not there."""
    with redis.Redis(port=1, retry=Retry(NoBackoff(), 0)) as client:
        yield Lobby(client)


@pytest.fixture
def gone(tmp_path: Path) -> Iterator[Store]:
    """A database whose disk has gone."""
    home = tmp_path / "disk"
    home.mkdir()
    store = Store.open(f"sqlite:///{home / 'arena.db'}")
    store.close()
    shutil.rmtree(home)
    yield store
    store.close()


def asking(sources: Sources) -> httpx.AsyncClient:
    """A client of the pages over these sources."""
    transport = httpx.ASGITransport(app(sources), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://arena.test")


@contextmanager
def started(*command: str, **environment: str) -> Iterator[Web]:
    """A web process, up until the block ends."""
    arguments = command or ("-m", "arena.web")
    settings = {**os.environ, "ARENA_WEB_PORT": "0", **environment}
    with subprocess.Popen([sys.executable, *arguments], env=settings, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield Web(process, _address(process))
        finally:
            process.kill()


def _address(process: subprocess.Popen[str]) -> str:
    said = []
    for line in process.stderr or ():
        said.append(line)
        if found := re.search(r"http://\S+/", line):
            return found.group()
    return pytest.fail("".join(said) or "the web process said nothing")
