"""Work goes out: which pending matches can be played now, in which batch, and what is taken back from the dead."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from arena.desk.tournaments import spec_from_json
from arena.lobby.presence import Roll
from arena.store import attempts, matches, tournaments, workers
from arena.store.engine import Store
from arena.store.ids import BotId, MatchId, WorkerId
from arena.store.kinds import AttemptEnd, TournamentState
from arena.store.matches import Match

BATCH = 60  # matches in one job
LOOK = 2000  # pending matches looked at in one round
SILENCE = 10.0  # seconds a worker's counter may stand still
STALE = 25.0  # seconds a match may stay queued once no job is waiting

Ids = Sequence[str]
Enqueue = Callable[[str, Ids, Ids], bool]


@dataclass(frozen=True, slots=True)
class Watch:
    """What one dispatcher has seen on its own monotonic clock: since when a bot is missed at tables of
    a size, and since when a worker's counter stands still."""

    missed: Mapping[tuple[BotId, int], float] = field(default_factory=dict)
    counters: Mapping[WorkerId, tuple[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Round:
    """What a dispatching round did, and what it has seen by now."""

    watch: Watch
    issued: int
    gone: frozenset[BotId]


def issue(store: Store, roll: Roll, enqueue: Enqueue, *, watch: Watch, now: float, at: float) -> Round:
    """Put pending matches whose bots are all there, or are past their no-show limit, into batches.

    `now` is monotonic, `at` the wall clock; `enqueue` takes batch id, match ids and absent bots.
    """
    with store.reading() as tx:
        waiting = matches.waiting(tx, LOOK)
        running = tournaments.tournaments(tx, TournamentState.RUNNING)
    limits = {one.id: spec_from_json(one.spec).no_show for one in running}
    willing = {(BotId(one.bot), size) for one in roll.presents for size in one.sizes}
    wanted = {(bot, match.players) for match in waiting for bot in match.bots}
    missed = {entrant: watch.missed.get(entrant, now) for entrant in wanted - willing}
    ready = [match for match in waiting if _is_ready(match, missed, limits.get(match.tournament_id), now)]
    gone = frozenset(bot for match in ready for bot in match.bots if (bot, match.players) in missed)
    issued = sum(_batch(store, part, enqueue, gone, at) for part in _parts(ready))
    return Round(Watch(missed, watch.counters), issued, gone)


def _is_ready(match: Match, missed: Mapping[tuple[BotId, int], float], no_show: float | None, now: float) -> bool:
    """Whether every bot is there, or has been missed for longer than its event waits."""
    since = [missed[bot, match.players] for bot in match.bots if (bot, match.players) in missed]
    return no_show is not None and all(now - first >= no_show for first in since)


def _parts(ready: Sequence[Match]) -> list[Sequence[Match]]:
    return [ready[start : start + BATCH] for start in range(0, len(ready), BATCH)]


def _batch(store: Store, part: Sequence[Match], enqueue: Enqueue, gone: Collection[BotId], at: float) -> int:
    """Queue one batch; the matches are marked first, so that a lost job is only a late one."""
    batch = uuid4().hex
    with store.writing() as tx:
        queued = matches.queue(tx, [match.id for match in part], batch=batch, at=at)
    if queued:
        enqueue(batch, queued, sorted(gone))
    return len(queued)


def sweep(store: Store, *, watch: Watch, now: float, at: float) -> tuple[Watch, tuple[MatchId, ...]]:
    """Take matches back from workers whose counter stands still; the watch, and the matches taken back."""
    with store.reading() as tx:
        seen = workers.workers_seen(tx)
    counters = {worker.id: _since(watch, worker.id, worker.counter, now) for worker in seen}
    silent = [worker for worker, (_, since) in counters.items() if now - since >= SILENCE]
    with store.reading() as tx:
        lost = attempts.orphaned(tx, silent)
    taken = [attempt.match_id for attempt in lost if _take_back(store, attempt, at)]
    for worker in silent:
        with store.writing() as tx:
            workers.stop(tx, worker, at=at)
    return Watch(watch.missed, counters), tuple(taken)


def _since(watch: Watch, worker: WorkerId, counter: int, now: float) -> tuple[int, float]:
    known = watch.counters.get(worker)
    return known if known is not None and known[0] == counter else (counter, now)


def _take_back(store: Store, attempt: attempts.Attempt, at: float) -> bool:
    with store.writing() as tx:
        return attempts.give_back(tx, attempt.match_id, attempt=attempt.number, at=at, outcome=AttemptEnd.LOST)


def reissue_lost(store: Store, *, at: float) -> int:
    """How many matches are pending again because the job that carried them is gone; call it when no job waits."""
    with store.writing() as tx:
        return matches.requeue_stale(tx, at - STALE, at=at)
