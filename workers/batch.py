"""A job: many matches played at once in one loop, each claimed whole, reported game by game, or handed back."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import structlog

from arena.desk import work
from arena.errors import ArenaError
from arena.lobby.presence import Present, Roll
from arena.remote.relay import Relay
from arena.store.ids import BotId, MatchId, WorkerId
from workers.match import Seating, play_match
from workers.tools import TOOLS, Tools

STARTING = 15.0  # seconds without a start after which the matches that wait go back, to be handed out again
AT_ONCE = 200  # matches of one batch in play
POLL = 0.1  # seconds between two looks at who is free
PAUSE = 1.0  # seconds before a worker that could not reach a gateway takes the next batch
BEAT = 2.0  # seconds between two beats of the worker's counter

log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(slots=True)
class Batch:
    """The matches of a job: which wait for their bots, which are in play; `worker` is who plays them."""

    id: str
    worker: WorkerId
    absent: frozenset[BotId]
    waiting: dict[MatchId, tuple[BotId, ...]]
    playing: dict[asyncio.Task[None], tuple[BotId, ...]] = field(default_factory=dict)
    closing: bool = False


def play(v: int, batch: str, matches: Sequence[str], absent: Sequence[str]) -> None:  # noqa: ARG001 - checked before
    """RQ's entry: the arguments are those of `arena.jobs.queue.payload`.

    A worker is on record only while it plays: an idle one has nothing that could be taken back from it.
    """
    tools = TOOLS.get()
    waiting = dict(work.bots_of(tools.store, matches))
    worker = work.sign_on(tools.store, tools.name, at=time.time())
    try:
        asyncio.run(_play(tools, Batch(batch, worker, frozenset(map(BotId, absent)), waiting)))
    finally:
        work.sign_off(tools.store, worker, at=time.time())


async def _play(tools: Tools, job: Batch) -> None:
    with _draining(job):
        async with _relays(tools) as relays:
            heart = asyncio.create_task(_beat(tools, job))
            try:
                await _start_all(tools, job, relays)
                while job.playing:
                    await _pass_time(job)
            finally:
                heart.cancel()


async def _start_all(tools: Tools, job: Batch, relays: Mapping[str, Relay]) -> None:
    """Start what can be started, and hand the rest back."""
    last = time.monotonic()
    while job.waiting and not job.closing and time.monotonic() - last < STARTING:
        try:
            if await _start_some(tools, job, relays):
                last = time.monotonic()
        except ArenaError as error:  # matches in play go on; new ones wait
            log.warning("no match started", batch=job.id, reason=str(error))
        await _pass_time(job)
    for relay in relays.values():
        if relay.broken:
            log.error("gateway not reached", batch=job.id, reason=relay.broken)
            await asyncio.sleep(PAUSE)
    try:
        await _put_back(tools, job, list(job.waiting))
    except ArenaError as error:  # they will be found as lost
        log.warning("matches not handed back", batch=job.id, reason=str(error))


async def _pass_time(job: Batch) -> None:
    """Let a moment go by, or less if a match ends."""
    if not job.playing:
        return await asyncio.sleep(POLL)
    done, _ = await asyncio.wait(job.playing, timeout=POLL, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        del job.playing[task]
        task.result()
    return None


async def _start_some(tools: Tools, job: Batch, relays: Mapping[str, Relay]) -> int:
    """How many waiting matches could be claimed, whose bots have a free seat as far as this worker can tell."""
    roll = await asyncio.to_thread(tools.lobby.roll)
    if not roll.doors:
        return 0  # nobody can be seen, so nobody is absent
    if any(door.gateway not in relays for door in roll.doors):
        job.closing = True  # the next batch attaches to the gateways that are open then
        return 0
    started, unready = 0, []
    for match, bots in list(job.waiting.items()):
        willing = {BotId(one.bot): one for one in roll.presents if len(bots) in one.sizes}
        here = {bot: willing[bot] for bot in bots if bot in willing and not relays[willing[bot].gateway].broken}
        if not here.keys() | (job.absent - willing.keys()) >= set(bots):
            unready.append(match)  # the dispatcher knows how long to wait for whom
        elif len(job.playing) < AT_ONCE and _all_free(job, here):
            started += await _start(tools, job, match, here, relays)
    await _put_back(tools, job, unready)
    return started


async def _put_back(tools: Tools, job: Batch, unready: Sequence[MatchId]) -> None:
    for match in unready:
        del job.waiting[match]
    if unready:
        await asyncio.to_thread(work.put_back, tools.store, job.id, unready, at=time.time())


async def _start(
    tools: Tools, job: Batch, match: MatchId, here: Mapping[BotId, Present], relays: Mapping[str, Relay]
) -> bool:
    """Whether the match was claimed, with the seats of all its bots that are here."""
    capacities = {bot: one.games for bot, one in here.items()}
    attempt = await asyncio.to_thread(
        work.claim, tools.store, match, job.worker, capacities=capacities, at=time.time()
    )
    if attempt is None:
        if not await asyncio.to_thread(work.is_waiting, tools.store, match, job.id):
            del job.waiting[match]
        return False
    bots = job.waiting.pop(match)
    job.playing[asyncio.create_task(play_match(tools, Seating(attempt, here, relays)))] = bots
    return True


def _all_free(job: Batch, here: Mapping[BotId, Present]) -> bool:
    """Whether no bot is at its limit by our own games alone; the claim counts everybody's."""
    busy = [bot for seated in job.playing.values() for bot in seated]
    return all(busy.count(bot) < one.games for bot, one in here.items())


@asynccontextmanager
async def _relays(tools: Tools) -> AsyncIterator[Mapping[str, Relay]]:
    """A stream to every gateway that is open now."""
    roll: Roll = await asyncio.to_thread(tools.lobby.roll)
    async with AsyncExitStack() as stack:
        relays = {door.gateway: Relay(door.address, tools.token, tools.ca) for door in roll.doors}
        for relay in relays.values():
            await stack.enter_async_context(relay)
        yield relays


async def _beat(tools: Tools, job: Batch) -> None:
    """Raise the worker's counter while this loop runs; one declared dead starts nothing more."""
    while True:
        try:
            alive = await asyncio.to_thread(work.beat, tools.store, job.worker)
        except ArenaError as error:
            log.warning("worker could not beat", worker=job.worker, reason=str(error))
        else:
            if not alive:
                log.error("worker was declared dead", worker=job.worker)
                job.closing = True
                return
        await asyncio.sleep(BEAT)


@contextmanager
def _draining(job: Batch) -> Iterator[None]:
    """On a signal start nothing more and let RQ's own handler know; its handlers are back afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def close(number: int, _frame: object) -> None:
        job.closing = True
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, None)

    for number in before:
        signal.signal(number, close)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
