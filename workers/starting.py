"""The matches of a batch: claimed as their bots get free, or handed back."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from arena.desk import work
from arena.errors import ArenaError
from arena.lobby.presence import Present
from arena.store.ids import BotId, MatchId
from workers.inplay import InPlay

PATIENCE = 15.0  # seconds without a start after which what waits goes back, to be handed out again
POLL = 0.1  # seconds between two looks at who is free

log: structlog.stdlib.BoundLogger = structlog.get_logger()
Waiting = dict[MatchId, tuple[BotId, ...]]


@dataclass(frozen=True, slots=True)
class Batch:
    """The matches of a job with their bots, and who is missed for longer than the event waits; `alone` marks a match
    under suspicion in a process of its own."""

    id: str
    matches: Mapping[MatchId, tuple[BotId, ...]]
    absent: frozenset[BotId]
    alone: bool = False


async def start_all(play: InPlay, batch: Batch) -> None:
    """Start what can be started, and hand the rest back."""
    waiting, last = dict(batch.matches), time.monotonic()
    while waiting and not play.closing and time.monotonic() - last < PATIENCE:
        try:
            if await _start_some(play, batch, waiting):
                last = time.monotonic()
        except ArenaError as error:  # matches in play go on; new ones wait
            log.warning("no match started", batch=batch.id, reason=str(error))
        if waiting:
            await asyncio.sleep(POLL)
    try:
        await _put_back(play, batch, waiting, tuple(waiting))
    except ArenaError as error:  # they will be found as lost
        log.warning("matches not handed back", batch=batch.id, reason=str(error))


async def _start_some(play: InPlay, batch: Batch, waiting: Waiting) -> int:
    """How many waiting matches could be claimed, whose bots have a free seat as far as this worker can tell."""
    if not play.roll.doors:
        return 0  # nobody can be seen, so nobody is absent
    started, unready = 0, []
    for match, bots in tuple(waiting.items()):
        here = play.here(bots)
        if not here.keys() | (batch.absent - here.keys()) >= set(bots):
            unready.append(match)  # the dispatcher knows how long to wait for whom
        elif play.room > 0 and play.all_free(here):
            started += await _start(play, batch, waiting, match, here)
    await _put_back(play, batch, waiting, unready)
    return started


async def _start(play: InPlay, batch: Batch, waiting: Waiting, match: MatchId, here: Mapping[BotId, Present]) -> bool:
    """Whether the match was claimed, with the seats of all its bots that are here."""
    capacities = {bot: one.games for bot, one in here.items()}
    store = play.tools.store
    attempt = await asyncio.to_thread(
        work.claim, store, match, play.worker, capacities=capacities, at=time.time(), alone=batch.alone
    )
    if attempt is None:
        if not await asyncio.to_thread(work.is_waiting, store, match, batch.id):
            del waiting[match]
        return False
    play.play(attempt, waiting.pop(match), here)
    return True


async def _put_back(play: InPlay, batch: Batch, waiting: Waiting, unready: Sequence[MatchId]) -> None:
    for match in unready:
        del waiting[match]
    if unready:
        await asyncio.to_thread(work.put_back, play.tools.store, batch.id, unready, at=time.time())
