"""Actions a second and the time of one, through gateway and worker with bots that answer at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from statistics import median, quantiles

from arena.bench.instant import Seen, play

LEAST = 20  # answers before a measurement begins
SETTLE = 1.0  # seconds more until batches are in full swing
AT_ONCE = (1, 10, 100)

Start = Callable[[str, Sequence[str]], Awaitable[None]]  # starts a tournament of a name between bots
Stop = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Moves:
    """Through the arena with so many games at once: actions a second, percentiles of the milliseconds from an answer
    to the next question of its game, and what a raw relay does a second (0 where it was not measured)."""

    games: int
    rate: float
    p50: float
    p95: float
    p99: float
    raw: float = 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where an arena is, and how tournaments are started and stopped there."""

    server: str
    start: Start
    stop: Stop


async def through(place: Place, name: str, games: int, seconds: float) -> tuple[Moves, tuple[bytes, bytes]]:
    """One measurement, and a question and an answer as they were sent."""
    seen, bots = Seen(), {f"{name}-a": games, f"{name}-b": games}
    playing = asyncio.create_task(play(place.server, bots, seen))
    try:
        await place.start(name, tuple(bots))
        while seen.answers < LEAST and not playing.done():  # noqa: ASYNC110 - answers have no event
            await asyncio.sleep(0.05)
        await asyncio.sleep(SETTLE)
        seen.clear()
        began = time.perf_counter()
        await asyncio.sleep(seconds)
        rate = seen.answers / (time.perf_counter() - began)
        cuts = quantiles(seen.turnarounds, n=100)
        await place.stop(name)
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
    return Moves(games, rate, p50=cuts[49] * 1e3, p95=cuts[94] * 1e3, p99=cuts[98] * 1e3), seen.sample


def medians(rounds: Sequence[Moves]) -> Moves:
    """The medians of the rounds with the same number of games."""
    names = ("rate", "p50", "p95", "p99", "raw")
    return replace(rounds[0], **{name: median(getattr(one, name) for one in rounds) for name in names})
