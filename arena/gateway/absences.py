"""Bots that are away: whose own doing that is, and until when they may come back."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Absence:
    """One bot away: `own` if it left this gateway by itself, so that its clock runs on."""

    own: bool
    timer: asyncio.TimerHandle


class Absences:
    """Who is away; `expired` is called for a bot whose time to come back is over.

    Seconds: `grace` for a bot that lost its connection, `back` for one that has not come to this gateway since the
    gateway or its predecessor was lost, which is our fault: its clock stands still so long.
    """

    def __init__(self, grace: float, back: float, expired: Callable[[str], None]) -> None:
        self._grace, self._back = grace, back
        self._expired = expired
        self._loop = asyncio.get_running_loop()
        self._away: dict[str, Absence] = {}

    def lost(self, bot: str) -> None:
        """A bot's connection has ended."""
        self.returned(bot)
        self._begin(bot, self._grace, own=True)

    def returned(self, bot: str) -> None:
        """A bot is here again."""
        if absence := self._away.pop(bot, None):
            absence.timer.cancel()

    def wanted(self, bot: str, *, plays: bool) -> None:
        """Something is due from a bot that is away, `plays` if it had begun that game before."""
        absence = self._away.get(bot)
        if absence is None:
            self._begin(bot, max(self._back, self._grace) if plays else self._grace, own=False)
        elif absence.timer.when() <= self._loop.time():
            self._expired(bot)

    def is_own(self, bot: str) -> bool:
        """Whether a bot went by itself."""
        absence = self._away.get(bot)
        return absence is not None and absence.own

    def _begin(self, bot: str, wait: float, *, own: bool) -> None:
        self._away[bot] = Absence(own, self._loop.call_later(wait, self._expired, bot))
