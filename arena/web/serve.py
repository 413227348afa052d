"""The web process: a server for the pages that leaves signals to us."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis
import structlog
import uvicorn
from redis.backoff import NoBackoff
from redis.retry import Retry
from starlette.types import ASGIApp

from arena.config.settings import Settings
from arena.errors import BadInput, Unavailable
from arena.lobby.presence import Lobby
from arena.store.engine import Store
from arena.store.migration import check
from arena.web.app import app
from arena.web.sources import Sources

PATIENCE = 1.0  # seconds for an answer of Redis, so that a scrape does not wait for one that is gone
DRAIN = 3  # seconds for open answers at the end

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Server(uvicorn.Server):
    """uvicorn, which would otherwise take the signals and end the process by them once it has stopped."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Takes none."""
        yield


async def serve(chosen: Settings, stop: asyncio.Event) -> None:
    """Show pages until `stop` is set; raises a named error when it cannot start."""
    with (
        listening(chosen.web_host, chosen.web_port) as door,
        _store(chosen) as store,
        _lobby(chosen) as lobby,
    ):
        log.info("web page is up", address=_address(door))
        await _served(app(Sources.of(store, lobby, time.time)), door, stop)
        log.info("web page stopped")


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that accepts connections; raises Unavailable when there can be none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        door = socket.create_server((host, port), family=family)
    except OSError as error:
        raise Unavailable(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another with --web-host and --web-port"
        ) from None
    with door:
        yield door


async def _served(pages: ASGIApp, door: socket.socket, stop: asyncio.Event) -> None:
    server = Server(
        uvicorn.Config(
            pages,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=DRAIN,
        )
    )
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[door]))
        await stop.wait()
        server.should_exit = True


def _address(door: socket.socket) -> str:
    host, port = door.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@contextmanager
def _store(chosen: Settings) -> Iterator[Store]:
    """The database, at our schema."""
    with Store.open(chosen.database) as store:
        check(store)
        yield store


@contextmanager
def _lobby(chosen: Settings) -> Iterator[Lobby | None]:
    """The lobby, whether or not its Redis answers by now."""
    if chosen.redis_url is None:
        yield None
        return
    try:
        client = redis.Redis.from_url(
            chosen.redis_url.get_secret_value(),
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 1),
        )
    except ValueError:  # its text may quote a piece of the password
        raise BadInput("redis_url is no Redis address; write it as redis://:PASSWORD@HOST:PORT/0") from None
    with client:
        yield Lobby(client)
