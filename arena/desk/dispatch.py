"""Work goes out: which pending matches can be played now, in which batch, and what is taken back from the dead."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from arena.desk.staff import parent_name
from arena.desk.tournaments import spec_from_json
from arena.lobby.presence import Roll
from arena.store import attempts, matches, oversight, tournaments, workers
from arena.store.engine import Store
from arena.store.ids import BotId, MatchId, WorkerId
from arena.store.kinds import AttemptEnd, TournamentState
from arena.store.matches import Match
from arena.store.workers import Worker

BATCH = 60  # matches in one job
LOOK = 2000  # pending matches looked at in one round
SILENCE = 10.0  # seconds a worker's counter may stand still
HUNG = "its worker stood still for 10 s"
STALE = 25.0  # seconds a match may stay queued once no job is waiting
REST = 20.0  # seconds at most before a match that was handed back is tried again

Ids = Sequence[str]
Entrant = tuple[BotId, int]  # a bot at tables of a size
Enqueue = Callable[["Job"], bool]


@dataclass(frozen=True, slots=True)
class Job:
    """A batch as it is queued: bots in `absent` are past their no-show limit; `alone` if it is under suspicion."""

    batch: str
    matches: Ids
    absent: Ids
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """What one dispatcher has seen on its own monotonic clock: since when a bot is missed at tables of
    a size, and since when a worker's counter stands still."""

    missed: Mapping[Entrant, float] = field(default_factory=dict)
    counters: Mapping[WorkerId, tuple[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Round:
    """What a dispatching round did, and what it has seen by now."""

    watch: Watch
    issued: int
    gone: frozenset[BotId]


def issue(store: Store, roll: Roll, enqueue: Enqueue, *, watch: Watch, now: float, at: float) -> Round:
    """Put pending matches whose bots are all there, or are past their no-show limit, into batches.

    `now` is monotonic, `at` the wall clock.
    """
    if not roll.doors:
        return Round(Watch({}, watch.counters), 0, frozenset())  # nobody can be seen, so nobody is missed
    with store.reading() as tx:
        if oversight.brake(tx) is not None:
            return Round(Watch({}, watch.counters), 0, frozenset())  # nobody need be there
        waiting = matches.waiting(tx, LOOK)
        running = tournaments.tournaments(tx, TournamentState.RUNNING)
    limits = {one.id: spec_from_json(one.spec).no_show for one in running}
    willing = {(BotId(one.bot), size) for one in roll.presents for size in one.sizes}
    wanted = {(bot, match.players) for match in waiting for bot in match.bots}
    missed = {entrant: watch.missed.get(entrant, now) for entrant in wanted - willing}

    def may_start(match: Match) -> bool:
        return _has_rested(match, at) and _is_ready(match, missed, limits.get(match.tournament_id), now)

    ready = [*filter(may_start, waiting)]
    if not ready and len(waiting) == LOOK:  # all these wait for somebody: perhaps those behind them do not
        with store.reading() as tx:
            waiting = matches.waiting(tx, LOOK, without={bot for bot, _ in missed})
        ready = [match for match in waiting if all((bot, match.players) in willing for bot in match.bots)]
    done = [(_gone(part, missed), part) for part in _parts(ready)]
    issued = sum(_batch(store, part, enqueue, gone, at) for gone, part in done)
    return Round(Watch(missed, watch.counters), issued, frozenset().union(*(gone for gone, _ in done)))


def _has_rested(match: Match, at: float) -> bool:
    """Whether a match that was handed back has waited a while, longer each time, so that none keeps us busy."""
    return match.starts == 0 or not 0 <= at - match.state_at < min(REST, 0.5 * 2 ** min(match.starts, 8))


def _is_ready(match: Match, missed: Mapping[Entrant, float], no_show: float | None, now: float) -> bool:
    """Whether every bot is there, or has been missed for longer than its event waits."""
    since = [missed[bot, match.players] for bot in match.bots if (bot, match.players) in missed]
    return no_show is not None and all(now - first >= no_show for first in since)


def _parts(ready: Sequence[Match]) -> list[Sequence[Match]]:
    """Batches, each of one table size, as a bot that is missed at one may be there at another; a match that a worker
    did not survive, or that it did not get on with, is a batch by itself."""
    suspects: list[Sequence[Match]] = [[match] for match in ready if match.starts]
    clear = [match for match in ready if not match.starts]
    tables = [[match for match in clear if match.players == size] for size in sorted({one.players for one in clear})]
    return suspects + [same[start : start + BATCH] for same in tables for start in range(0, len(same), BATCH)]


def _gone(part: Sequence[Match], missed: Mapping[Entrant, float]) -> frozenset[BotId]:
    return frozenset(bot for match in part for bot in match.bots if (bot, match.players) in missed)


def _batch(store: Store, part: Sequence[Match], enqueue: Enqueue, gone: Collection[BotId], at: float) -> int:
    """Queue one batch; the matches are marked first, so that a lost job is only a late one."""
    batch = uuid4().hex
    with store.writing() as tx:
        queued = matches.queue(tx, [match.id for match in part], batch=batch, at=at)
    if queued:
        enqueue(Job(batch, queued, sorted(gone), alone=part[0].starts > 0))
    return len(queued)


def sweep(store: Store, *, watch: Watch, now: float, at: float) -> tuple[Watch, tuple[MatchId, ...]]:
    """Take matches back from workers whose counter stands still; the watch, and the matches taken back."""
    with store.reading() as tx:
        seen = workers.workers_seen(tx)
    counters = {worker.id: _since(watch, worker.id, worker.counter, now) for worker in seen}
    silent = [worker for worker, (_, since) in counters.items() if now - since >= SILENCE]
    with store.reading() as tx:
        lost = attempts.orphaned(tx, silent)
    causes = _causes(seen, frozenset(silent))
    taken = [one.match_id for one in lost if _take_back(store, one, at, causes.get(one.worker_id, ""))]
    for worker in silent:
        with store.writing() as tx:
            workers.stop(tx, worker, at=at)
    return Watch(watch.missed, counters), tuple(taken)


def _since(watch: Watch, worker: WorkerId, counter: int, now: float) -> tuple[int, float]:
    known = watch.counters.get(worker)
    return known if known is not None and known[0] == counter else (counter, now)


def _causes(seen: Sequence[Worker], silent: Collection[WorkerId]) -> Mapping[WorkerId, str]:
    """Why a worker that played one match alone is silent, where its parent is well: that match holds it up."""
    well = {one.name for one in seen if one.id not in silent}
    return {one.id: HUNG for one in seen if one.id in silent and parent_name(one.name) in well}


def _take_back(store: Store, attempt: attempts.Attempt, at: float, cause: str) -> bool:
    with store.writing() as tx:
        return attempts.give_back(
            tx, attempt.match_id, attempt=attempt.number, at=at, outcome=AttemptEnd.LOST, cause=cause
        )


def reissue_lost(store: Store, *, at: float) -> int:
    """How many matches are pending again because the job that carried them is gone; call it when no job waits."""
    with store.writing() as tx:
        return matches.requeue_stale(tx, STALE, at=at)
