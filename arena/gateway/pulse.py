"""How late this process's event loop runs: delay of our own machine, which no bot is charged for."""

import asyncio

PERIOD = 0.02  # seconds between two beats
NOISE = 0.004  # seconds a beat is late on a machine that keeps up


class Pulse:
    """Beats while `beat` runs; `late` is the total lateness of all beats so far, in seconds.

    A process that was stopped, or had to wait for a processor, finds its beat late by just that time.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + PERIOD
        self._late = 0.0

    async def beat(self) -> None:
        """Keep the count, until cancelled."""
        while True:
            self._due = self._loop.time() + PERIOD
            await asyncio.sleep(PERIOD)
            self._late += self._overdue()

    def late(self) -> float:
        """All lateness up to now, that of the beat which is due included."""
        return self._late + self._overdue()

    def _overdue(self) -> float:
        overdue = self._loop.time() - self._due
        return overdue if overdue > NOISE else 0.0
