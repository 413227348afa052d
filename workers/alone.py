"""A worker process for one match under suspicion: `python -m workers.alone`, told on stdin what to play."""

import json
import os
import signal
import sys

import structlog

from arena.config.logs import set_up_logs
from arena.config.settings import settings
from arena.desk import work
from arena.errors import ArenaError
from arena.leash import leash
from arena.store.ids import BotId, WorkerId
from workers.__main__ import equipped
from workers.floor import Floor
from workers.starting import Batch

log: structlog.stdlib.BoundLogger = structlog.get_logger()


def main() -> int:
    """Play one match, then end; SIGTERM hands it over."""
    leash(os.getppid())
    set_up_logs(f"worker {os.getpid()}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    job = json.load(sys.stdin)
    try:
        with equipped(settings()) as (tools, _), Floor(tools, WorkerId(job["worker"])) as floor:
            waiting = work.bots_of(tools.store, [job["match"]])
            floor.take(Batch(job["batch"], waiting, frozenset(map(BotId, job["absent"])), alone=True))
            floor.await_end()
    except ArenaError as error:
        log.error("worker cannot run", reason=str(error))
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
