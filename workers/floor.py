"""Where one worker process plays: one loop in a thread of its own, fed batch by batch, with its rounds."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextvars import ContextVar
from types import TracebackType
from typing import Self

import structlog
import uvloop

from arena.desk import staff, work
from arena.desk.checking import check_some
from arena.errors import ArenaError
from arena.remote.switchboard import Switchboard
from arena.store.ids import WorkerId
from workers.inplay import InPlay
from workers.journal import Journal
from workers.match import Hands
from workers.starting import Batch, start_all
from workers.tools import Tools

AT_A_TIME = 20  # interrupted matches taken over in one round, so that the other workers get some
CHECK = 1.0  # seconds between two looks for finished games that nobody has checked
LOOK = 0.5  # seconds between two looks into the lobby, and for interrupted matches
BEAT = 2.0  # seconds between two beats of the worker's counter
DRAIN = 30.0  # seconds that open matches get to end before they are handed over

log: structlog.stdlib.BoundLogger = structlog.get_logger()


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

    def __enter__(self) -> Self:
        self._thread.start()
        self._call(self._open())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def close(self) -> None:
        """Start no match from now on."""
        self._play.closing = True

    def take(self, batch: Batch) -> None:
        """Start what can be started of a batch and hand the rest back; call it from outside the loop."""
        self._call(start_all(self._play, batch))

    def await_end(self) -> None:
        """Wait until nothing is in play; call it from outside the loop."""
        self._call(self._play.quiet())

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def _call(self, what: Coroutine[None, None, None]) -> None:
        future: Future[None] = asyncio.run_coroutine_threadsafe(what, self._loop)
        future.result()

    # In the loop

    async def _open(self) -> None:
        self._play = InPlay(self._tools, Hands(Switchboard(self._tools.shown), Journal(self._tools.store)))
        await self._sign_on()
        await self._look()
        rounds = [self._looking(), self._beating()]
        if not self._is_guest:
            rounds += [self._taking_over(), self._checking()]
        self._rounds = tuple(asyncio.create_task(one) for one in rounds)

    async def _close(self) -> None:
        """Let matches end for a while, hand over the rest, and sign off."""
        await self._play.end(DRAIN)
        for task in self._rounds:
            task.cancel()
        await asyncio.gather(*self._rounds, return_exceptions=True)
        await self._play.hands.board.close()
        await self._play.hands.journal.close()
        try:
            await asyncio.to_thread(staff.sign_off, self._tools.store, self._play.worker, at=time.time())
        except ArenaError as error:  # the sweeper sees that the counter stands still
            log.warning("not signed off", worker=self._play.worker, reason=str(error))

    async def _sign_on(self) -> None:
        if self._given is not None:
            self._play.worker, self._given = self._given, None
        else:
            self._play.worker = await asyncio.to_thread(
                staff.sign_on, self._tools.store, self._tools.name, at=time.time()
            )

    # Its rounds

    async def _taking_over(self) -> None:
        """Go on with games that others left; Redis has no part in it."""
        while True:
            await asyncio.sleep(LOOK)
            if self._play.room <= 0:
                continue
            try:
                await self._take_over(min(AT_A_TIME, self._play.room))
            except ArenaError as error:
                log.warning("no game taken over", reason=str(error))

    async def _take_over(self, most: int) -> None:
        play = self._play
        taken = await asyncio.to_thread(work.take_over, self._tools.store, play.worker, most, at=time.time())
        for attempt, bots in taken.items():
            log.info("game taken over", match=attempt.match_id, attempt=attempt.number)
            play.play(attempt, bots, play.here(bots))

    async def _checking(self) -> None:
        """Play finished games of other workers again, and raise an alarm about what does not hold."""
        while True:
            await asyncio.sleep(CHECK)
            tools, worker = self._tools, self._play.worker
            try:
                untrue = await asyncio.to_thread(check_some, tools.store, worker, tools.verify, at=time.time())
            except ArenaError as error:
                log.warning("no game checked", reason=str(error))
                continue
            for one in untrue:
                log.error("game does not verify", match=one.match, game=one.game, reason=one.fault)

    async def _looking(self) -> None:
        """Follow the lobby while Redis answers; without it, what was seen last holds."""
        while True:
            await asyncio.sleep(LOOK)
            await self._look()

    async def _look(self) -> None:
        try:
            self._play.roll = await asyncio.to_thread(self._tools.lobby.roll)
        except ArenaError as error:
            log.warning("lobby not seen", reason=str(error))
        await self._play.hands.board.attend(self._play.roll)

    async def _beating(self) -> None:
        """Raise the worker's counter while this loop turns; one declared dead starts anew."""
        while True:
            await asyncio.sleep(BEAT)
            play = self._play
            try:
                if not await asyncio.to_thread(staff.beat, self._tools.store, play.worker):
                    log.error("worker was declared dead", worker=play.worker, matches=len(play))
                    await play.end(0.0)
                    await self._sign_on()
            except ArenaError as error:
                log.warning("worker could not beat", worker=play.worker, reason=str(error))


FLOOR: ContextVar[Floor] = ContextVar("floor")
