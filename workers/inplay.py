"""What one worker has in play: its matches, and the bots it sees."""

import asyncio
from collections.abc import Mapping

import structlog

from arena.lobby.presence import Present, Roll
from arena.store.attempts import Attempt
from arena.store.ids import BotId, WorkerId
from workers.match import Hands, Seating, play_match
from workers.tools import Tools

AT_ONCE = 200  # matches

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class InPlay:
    """Matches in play under a worker's row; `roll` is who was seen last, `closing` says that none is to be added."""

    def __init__(self, tools: Tools, hands: Hands) -> None:
        self.tools = tools
        self.hands = hands
        self.worker = WorkerId("")
        self.roll = Roll()
        self.closing = False
        self._playing: dict[asyncio.Task[None], tuple[BotId, ...]] = {}

    def __len__(self) -> int:
        return len(self._playing)

    @property
    def room(self) -> int:
        """How many matches more may be played."""
        return 0 if self.closing or not self.roll.doors else AT_ONCE - len(self)

    def here(self, bots: tuple[BotId, ...]) -> Mapping[BotId, Present]:
        """Those of the bots that are connected, where we can reach them, and play at tables of this size."""
        board = self.hands.board
        return {
            BotId(one.bot): one
            for one in self.roll.presents
            if one.bot in bots and len(bots) in one.sizes and board.reaches(one.gateway)
        }

    def all_free(self, here: Mapping[BotId, Present]) -> bool:
        """Whether no bot is at its limit by our own games alone; the claim counts everybody's."""
        busy = [bot for seated in self._playing.values() for bot in seated]
        return all(busy.count(bot) < one.games for bot, one in here.items())

    def play(self, attempt: Attempt, bots: tuple[BotId, ...], here: Mapping[BotId, Present]) -> None:
        """Play a claimed match."""
        task = asyncio.create_task(play_match(self.tools, self.hands, Seating(attempt, here)))
        self._playing[task] = bots
        task.add_done_callback(self._done)

    async def quiet(self) -> None:
        """Wait until nothing is in play."""
        while self._playing:
            await asyncio.wait(self._playing)

    async def end(self, patience: float) -> None:
        """Let matches end for a while, in seconds, and hand over the rest."""
        if self._playing:
            await asyncio.wait(self._playing, timeout=patience)
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        del self._playing[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("match task failed", error=repr(error))
