"""A referee worker process: `python -m workers`, settings from ARENA_* variables."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import redis
import structlog

from arena.config.logs import set_up_logs
from arena.config.settings import Settings, settings
from arena.desk import staff
from arena.errors import ArenaError, BadInput
from arena.jobs.connection import connect
from arena.jobs.queue import QueueName
from arena.jobs.worker import run_worker
from arena.lobby.presence import Lobby
from arena.remote.relay import Pass
from arena.store.engine import Store
from arena.store.migration import check
from workers.floor import FLOOR, Floor
from workers.suspects import SUSPECTS, Suspects
from workers.tools import TOOLS, Tools

SWITCH = 0.0005  # seconds that a thread at the database may keep the loop of the games waiting

log: structlog.stdlib.BoundLogger = structlog.get_logger()


def main() -> int:
    """Play batches until told to stop; returns the exit code."""
    set_up_logs(f"worker {os.getpid()}")
    sys.setswitchinterval(SWITCH)
    try:
        with equipped(settings()) as (tools, connection):
            _serve(tools, connection)
    except ArenaError as error:
        log.error("worker cannot run", reason=str(error))
        return 3
    return 0


@contextmanager
def equipped(chosen: Settings) -> Iterator[tuple[Tools, redis.Redis]]:
    """What a worker works with, and its Redis; raises a named error when one of them is missing."""
    if chosen.redis_url is None:
        raise BadInput("a worker needs the Redis of its arena: set ARENA_REDIS_URL (`arena up` does it for you)")
    name = staff.process_name(os.getpid())
    with Store.open(chosen.database) as store:
        check(store)
        connection = connect(chosen.redis_url.get_secret_value())
        shown = Pass(chosen.token.get_secret_value(), chosen.ca)
        yield Tools(name, store, Lobby(connection), shown, chosen.verify), connection


def _serve(tools: Tools, connection: redis.Redis) -> None:
    """Take batch after batch while the floor plays; at the end matches in play end too, or are handed over."""
    TOOLS.set(tools)
    with Floor(tools) as floor, Suspects(tools) as suspects:
        FLOOR.set(floor)
        SUSPECTS.set(suspects)
        log.info("worker ready", worker=tools.name)
        try:
            run_worker(connection, [QueueName.TOURNAMENT], name=tools.name)
        finally:
            log.info("worker stopped", worker=tools.name)


if __name__ == "__main__":
    sys.exit(main())
