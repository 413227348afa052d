"""The faults that a storm is made of."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.chaos import faults, hostile
from tests.chaos.field import Field


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault: its row of the study, how often in a long and in a short run, and what does it."""

    name: str
    case: str
    times: int
    short: int
    hurt: Callable[[Field], float]
    """Seconds from the end of the injury until the games went on."""
    is_possible: Callable[[Field], bool] = lambda _: True


FAULTS = (
    Fault("worker killed", "A1", 200, 6, faults.kill_worker),
    Fault("worker frozen, then late", "B2", 10, 1, faults.freeze_worker),
    Fault("gateway killed", "A4", 20, 3, faults.kill_gateway),
    Fault("gateway frozen 20 s", "A5", 5, 1, faults.freeze_gateway),
    Fault("Redis killed", "A6", 20, 3, faults.kill_redis),
    Fault("Redis frozen 30 s", "A8", 3, 1, faults.freeze_redis),
    Fault("Redis emptied", "A7", 10, 2, faults.empty_redis),
    Fault("Redis full 10 s", "A9", 5, 1, faults.fill_redis),
    Fault("jobs delivered twice", "B1", 10, 2, faults.repeat_job),
    Fault("database locked 10 s", "A14", 5, 1, faults.lock_database),
    Fault("Redis evicting for 10 s", "A10", 5, 1, hostile.evict_redis),
    Fault("disk full 10 s", "A12", 3, 1, hostile.fill_disk, hostile.has_own_disk),
    Fault("gateway killed under 300 bots", "C4", 3, 1, hostile.storm),
    Fault("tokens guessed for 10 s", "D1", 3, 1, hostile.guess_tokens),
    Fault("malformed and oversize messages", "C9 C11", 3, 1, hostile.send_junk),
    Fault("30 clients that never read", "C15", 3, 1, hostile.never_read),
)
