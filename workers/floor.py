"""The matches that one worker process plays: one loop in a thread of its own, fed batch by batch."""

import asyncio
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import structlog
import uvloop

from arena.desk import work
from arena.errors import ArenaError
from arena.lobby.presence import Present, Roll
from arena.remote.switchboard import Switchboard
from arena.store.attempts import Attempt
from arena.store.ids import BotId, MatchId, WorkerId
from workers.journal import Journal
from workers.match import Hands, Seating, play_match
from workers.tools import Tools

AT_ONCE = 200  # matches in play
STARTING = (
    15.0  # seconds without a start after which the matches of a batch that wait go back, to be handed out again
)
AT_A_TIME = 20  # interrupted matches taken over in one round, so that the other workers get some
LOOK = 0.5  # seconds between two looks into the lobby, and for interrupted matches
POLL = 0.1  # seconds between two looks at who is free
BEAT = 2.0  # seconds between two beats of the worker's counter
DRAIN = 30.0  # seconds that open matches get to end before they are handed over

log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Batch:
    """The matches of a job with their bots, and who is missed for longer than the event waits; `alone` marks a match
    under suspicion in a process of its own."""

    id: str
    matches: Mapping[MatchId, tuple[BotId, ...]]
    absent: frozenset[BotId]
    alone: bool = False


class Floor:
    """Plays while the block runs; at its end open matches are played out or handed over.

    `worker` is its row by whose counter others see that this loop turns; a worker that was declared dead starts
    another life, with a new row and no match.
    """

    def __init__(self, tools: Tools, worker: WorkerId | None = None) -> None:
        self._tools = tools
        self._given = worker
        self._is_guest = worker is not None  # with a row of its own for one match
        self._loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="floor")
        self._playing: dict[asyncio.Task[None], tuple[BotId, ...]] = {}
        self._roll = Roll()
        self.worker = WorkerId("")
        self.closing = False

    def __enter__(self) -> Self:
        self._thread.start()
        self._call(self._open())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing = True
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def take(self, batch: Batch) -> None:
        """Start what can be started of a batch and hand the rest back; call it from outside the loop."""
        self._call(self._start_all(batch))

    def await_end(self) -> None:
        """Wait until nothing is in play; call it from outside the loop."""
        self._call(self._quiet())

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def _call(self, what: Coroutine[None, None, None]) -> None:
        future: Future[None] = asyncio.run_coroutine_threadsafe(what, self._loop)
        future.result()

    # In the loop

    async def _open(self) -> None:
        self._hands = Hands(Switchboard(self._tools.shown), Journal(self._tools.store))
        await self._sign_on()
        await self._look()
        rounds = (self._looking(), self._beating(), self._taking_over())
        self._rounds = tuple(asyncio.create_task(one) for one in rounds)

    async def _close(self) -> None:
        """Let matches end for a while, hand over the rest, and sign off."""
        await self._end(DRAIN)
        for task in self._rounds:
            task.cancel()
        await asyncio.gather(*self._rounds, return_exceptions=True)
        await self._hands.board.close()
        await self._hands.journal.close()
        try:
            await asyncio.to_thread(work.sign_off, self._tools.store, self.worker, at=time.time())
        except ArenaError as error:  # the sweeper sees that the counter stands still
            log.warning("not signed off", worker=self.worker, reason=str(error))

    async def _quiet(self) -> None:
        while self._playing:
            await asyncio.wait(self._playing)

    async def _end(self, patience: float) -> None:
        if self._playing:
            await asyncio.wait(self._playing, timeout=patience)
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def _start_all(self, batch: Batch) -> None:
        """Start what can be started, and hand the rest back."""
        waiting, last = dict(batch.matches), time.monotonic()
        while waiting and not self.closing and time.monotonic() - last < STARTING:
            try:
                if await self._start_some(batch, waiting):
                    last = time.monotonic()
            except ArenaError as error:  # matches in play go on; new ones wait
                log.warning("no match started", batch=batch.id, reason=str(error))
            if waiting:
                await asyncio.sleep(POLL)
        try:
            await self._put_back(batch, waiting, tuple(waiting))
        except ArenaError as error:  # they will be found as lost
            log.warning("matches not handed back", batch=batch.id, reason=str(error))

    async def _start_some(self, batch: Batch, waiting: dict[MatchId, tuple[BotId, ...]]) -> int:
        """How many waiting matches could be claimed, whose bots have a free seat as far as this worker can tell."""
        if not self._roll.doors:
            return 0  # nobody can be seen, so nobody is absent
        started, unready = 0, []
        for match, bots in tuple(waiting.items()):
            here = self._here(bots)
            if not here.keys() | (batch.absent - here.keys()) >= set(bots):
                unready.append(match)  # the dispatcher knows how long to wait for whom
            elif len(self._playing) < AT_ONCE and self._all_free(here):
                started += await self._start(batch, waiting, match, here)
        await self._put_back(batch, waiting, unready)
        return started

    def _here(self, bots: tuple[BotId, ...]) -> Mapping[BotId, Present]:
        """Those of the bots that are connected, where we can reach them, and play at tables of this size."""
        board = self._hands.board
        return {
            BotId(one.bot): one
            for one in self._roll.presents
            if one.bot in bots and len(bots) in one.sizes and board.reaches(one.gateway)
        }

    def _all_free(self, here: Mapping[BotId, Present]) -> bool:
        """Whether no bot is at its limit by our own games alone; the claim counts everybody's."""
        busy = [bot for seated in self._playing.values() for bot in seated]
        return all(busy.count(bot) < one.games for bot, one in here.items())

    async def _start(
        self,
        batch: Batch,
        waiting: dict[MatchId, tuple[BotId, ...]],
        match: MatchId,
        here: Mapping[BotId, Present],
    ) -> bool:
        """Whether the match was claimed, with the seats of all its bots that are here."""
        capacities = {bot: one.games for bot, one in here.items()}
        store, worker = self._tools.store, self.worker
        attempt = await asyncio.to_thread(
            work.claim, store, match, worker, capacities=capacities, at=time.time(), alone=batch.alone
        )
        if attempt is None:
            if not await asyncio.to_thread(work.is_waiting, store, match, batch.id):
                del waiting[match]
            return False
        self._play(attempt, waiting.pop(match), here)
        return True

    def _play(self, attempt: Attempt, bots: tuple[BotId, ...], here: Mapping[BotId, Present]) -> None:
        task = asyncio.create_task(play_match(self._tools, self._hands, Seating(attempt, here)))
        self._playing[task] = bots
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        del self._playing[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("match task failed", error=repr(error))

    async def _put_back(
        self, batch: Batch, waiting: dict[MatchId, tuple[BotId, ...]], unready: Sequence[MatchId]
    ) -> None:
        for match in unready:
            del waiting[match]
        if unready:
            await asyncio.to_thread(work.put_back, self._tools.store, batch.id, unready, at=time.time())

    async def _taking_over(self) -> None:
        """Go on with games that others left; Redis has no part in it."""
        while True:
            await asyncio.sleep(LOOK)
            room = min(AT_A_TIME, AT_ONCE - len(self._playing))
            if self._is_guest or self.closing or not self._roll.doors or room <= 0:
                continue
            try:
                taken = await asyncio.to_thread(work.take_over, self._tools.store, self.worker, room, at=time.time())
            except ArenaError as error:
                log.warning("no game taken over", reason=str(error))
                continue
            for attempt, bots in taken.items():
                log.info("game taken over", match=attempt.match_id, attempt=attempt.number)
                self._play(attempt, bots, self._here(bots))

    async def _looking(self) -> None:
        """Follow the lobby while Redis answers; without it, what was seen last holds."""
        while True:
            await asyncio.sleep(LOOK)
            await self._look()

    async def _look(self) -> None:
        try:
            self._roll = await asyncio.to_thread(self._tools.lobby.roll)
        except ArenaError as error:
            log.warning("lobby not seen", reason=str(error))
        await self._hands.board.attend(self._roll)

    async def _beating(self) -> None:
        """Raise the worker's counter while this loop turns; one declared dead starts anew."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                if not await asyncio.to_thread(work.beat, self._tools.store, self.worker):
                    log.error("worker was declared dead", worker=self.worker, matches=len(self._playing))
                    await self._end(0.0)
                    await self._sign_on()
            except ArenaError as error:
                log.warning("worker could not beat", worker=self.worker, reason=str(error))

    async def _sign_on(self) -> None:
        if self._given is not None:
            self.worker, self._given = self._given, None
        else:
            self.worker = await asyncio.to_thread(work.sign_on, self._tools.store, self._tools.name, at=time.time())


FLOOR: ContextVar[Floor] = ContextVar("floor")
