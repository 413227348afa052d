"""The time of one question, from the wire: what it took, what of that is ours, and when silence is final."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from arena.contest.timing import Timing

SLACK = 0.02  # seconds after the limit before silence is final


@dataclass(frozen=True, slots=True)
class Keeper:
    """How a gateway measures: its loop's monotonic clock, how late it runs in all, and the allowance for the way.

    Times in seconds; `allowance` is fixed for every question, whatever a client says.
    """

    loop: asyncio.AbstractEventLoop
    late: Callable[[], float]
    allowance: float = 0.0


class Stopwatch:
    """Runs from its making; calls `over` once when more than `limit` would be charged."""

    def __init__(self, keeper: Keeper, limit: float, over: Callable[[], None]) -> None:
        self._keeper = keeper
        self._limit = limit
        self._over = over
        self._began = keeper.loop.time()
        self._late = keeper.late()
        self._sent = time.time()
        self._timer = keeper.loop.call_later(limit + keeper.allowance + SLACK, self._look)

    def timing(self) -> Timing:
        """What would be charged if the answer came now, and why."""
        wire = max(0.0, self._keeper.loop.time() - self._began)
        platform = min(wire, max(0.0, self._keeper.late() - self._late))
        network = min(self._keeper.allowance, wire - platform)
        return Timing(self._sent, wire, platform, network, wire - platform - network)

    @property
    def left(self) -> float:
        """Seconds until the limit."""
        return max(0.0, self._limit - self.timing().charged)

    def stop(self) -> None:
        """Call nobody any more."""
        self._timer.cancel()

    def _look(self) -> None:
        """End it, unless our own delay has eaten a part of the time: then that part comes on top."""
        short = self._limit - self.timing().charged
        if short <= 0:
            self._over()
        else:
            self._timer = self._keeper.loop.call_later(short + SLACK, self._look)
