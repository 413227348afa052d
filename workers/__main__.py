"""A referee worker process: `python -m workers`, settings from ARENA_* variables."""

import os
import socket
import sys

import structlog

from arena.config.logs import set_up_logs
from arena.config.settings import settings
from arena.errors import ArenaError, BadInput
from arena.jobs.connection import connect
from arena.jobs.queue import QueueName
from arena.jobs.worker import run_worker
from arena.lobby.presence import Lobby
from arena.store.engine import Store
from arena.store.migration import check
from workers.tools import TOOLS, Tools

log: structlog.stdlib.BoundLogger = structlog.get_logger()


def main() -> int:
    """Play batches until told to stop; returns the exit code."""
    set_up_logs(f"worker {os.getpid()}")
    try:
        _run()
    except ArenaError as error:
        log.error("worker cannot run", reason=str(error))
        return 3
    return 0


def _run() -> None:
    chosen = settings()
    if chosen.redis_url is None:
        raise BadInput("a worker needs the Redis of its arena: set ARENA_REDIS_URL (`arena up` does it for you)")
    name = f"{socket.gethostname()}-{os.getpid()}"
    with Store.open(chosen.database) as store:
        check(store)
        connection = connect(chosen.redis_url.get_secret_value())
        TOOLS.set(Tools(name, store, Lobby(connection), chosen.token.get_secret_value(), chosen.ca))
        log.info("worker ready", worker=name)
        try:
            run_worker(connection, [QueueName.TOURNAMENT], name=name)
        finally:
            log.info("worker stopped", worker=name)


if __name__ == "__main__":
    sys.exit(main())
