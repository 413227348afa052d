"""The gateway process: `python -m arena.gateway`, settings from ARENA_* variables."""

import asyncio
import resource
import signal
import sys

import structlog
import uvloop

from arena.config.logs import set_up_logs
from arena.config.settings import Settings, settings
from arena.errors import ArenaError, BadInput
from arena.gateway.serve import Means, serve
from arena.jobs.connection import aof_advice, connect
from arena.store.engine import Store
from arena.store.migration import migrate

log: structlog.stdlib.BoundLogger = structlog.get_logger()


def main() -> int:
    """Serve until told to stop; returns the exit code."""
    set_up_logs("gateway")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each connection is a file
    try:
        run(settings())
    except ArenaError as error:
        log.error("gateway cannot run", reason=str(error))
        return 3
    return 0


def run(chosen: Settings) -> None:
    """One gateway, its database brought up to date first; raises a named error when it cannot start."""
    if chosen.redis_url is None:
        raise BadInput("a gateway needs a Redis: set ARENA_REDIS_URL or --redis; `arena up` starts one for you")
    with Store.open(chosen.database) as store:
        migrate(store)
        connection = connect(chosen.redis_url.get_secret_value())
        if advice := aof_advice(connection):
            log.warning(advice)
        uvloop.run(_serve(chosen, Means(store, connection)))


async def _serve(chosen: Settings, means: Means) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await serve(chosen, means, stop)


if __name__ == "__main__":
    sys.exit(main())
