"""The web process: `python -m arena.web`, settings from ARENA_* variables."""

import asyncio
import signal
import sys

import structlog
import uvloop

from arena.config.logs import set_up_logs
from arena.config.settings import Settings, settings
from arena.errors import ArenaError
from arena.web.serve import serve

log: structlog.stdlib.BoundLogger = structlog.get_logger()


def main() -> int:
    """Show pages until told to stop; returns the exit code."""
    set_up_logs("web")
    try:
        run(settings())
    except ArenaError as error:
        log.error("web page cannot run", reason=str(error))
        return 3
    return 0


def run(chosen: Settings) -> None:
    """The pages until SIGTERM or SIGINT; raises a named error when they cannot start."""
    uvloop.run(_until_told(chosen))


async def _until_told(chosen: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await serve(chosen, stop)


if __name__ == "__main__":
    sys.exit(main())
