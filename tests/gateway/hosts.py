"""A real gateway in the test's own loop: real gRPC on loopback, real Redis, real database."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

from arena.config.settings import Settings, settings
from arena.gateway.serve import Means, serve
from arena.lobby.presence import Lobby
from arena.store import bots
from arena.store.engine import Store
from arena.store.migration import migrate


@dataclass(frozen=True, slots=True)
class Host:
    """A gateway that runs: where it listens, what it works with, and how to end it."""

    chosen: Settings
    store: Store
    redis: redis.Redis
    stop: asyncio.Event

    @property
    def address(self) -> str:
        return f"{self.chosen.host}:{self.chosen.port}"

    def shows(self, name: str) -> bool:
        """Whether the lobby has the bot among those present."""
        found = self._bot(name)
        return found is not None and found.id in {one.bot for one in Lobby(self.redis).roll().presents}

    def knows(self, name: str) -> bool:
        """Whether the bot is on record: it has come in, or is about to."""
        return self._bot(name) is not None

    def bot_id(self, name: str) -> str:
        found = self._bot(name)
        assert found is not None
        return found.id

    def _bot(self, name: str) -> bots.Bot | None:
        with self.store.reading() as tx:
            return bots.bot_named(tx, name)


@asynccontextmanager
async def hosting(folder: Path, redis_url: str, **chosen: object) -> AsyncIterator[Host]:
    """A gateway for the length of a block; it must end without an error."""
    found = settings(**{"data": folder, "redis_url": redis_url, "port": free_port(), "allowance": 0.0} | chosen)
    database = found.data / "arena.db"
    if not database.exists():
        database.write_bytes(_empty_database())
    store = Store.open(found.database)
    with redis.Redis.from_url(redis_url) as client:
        host = Host(found, store, client, asyncio.Event())
        task = asyncio.create_task(serve(found, Means(store, client), host.stop))
        try:
            yield host
        finally:
            host.stop.set()
            await task
            store.close()


@cache
def _empty_database() -> bytes:
    """A database with our tables and nothing in them, made once for all tests."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        store = Store.open(f"sqlite:///{file}")
        migrate(store)
        store.close()
        return file.read_bytes()


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
    return found


async def eventually(claim: Callable[[], bool], patience: float = 40.0, *, every: float = 0.01) -> None:
    """Wait until a claim is true; fails with TimeoutError."""
    async with asyncio.timeout(patience):
        while not claim():  # noqa: ASYNC110 - what is claimed has no event
            await asyncio.sleep(every)
