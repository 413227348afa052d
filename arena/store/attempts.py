"""A worker's try at a match: claimed whole, fenced by its number, ended once, followed from its log."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field

from sqlalchemy import ColumnElement, Connection, case, delete, exists, func, select, update

from arena.store import log, schema
from arena.store.ids import BotId, MatchId, WorkerId
from arena.store.kinds import AttemptEnd, MatchState, TournamentState
from arena.store.matches import is_interrupted
from arena.store.oversight import is_braked
from arena.store.results import missing
from arena.store.sql import insert_once

_MATCH = schema.match.c
_SEAT = schema.match_seat.c
_ATTEMPT = schema.attempt.c
_WORKER = schema.worker.c


@dataclass(frozen=True, slots=True)
class Offer:
    """What a worker brings to claim a match: itself, whether it plays nothing else, the secret behind the deals, and
    what it publishes of that."""

    worker_id: WorkerId
    secret: bytes = field(repr=False)
    commitment: str
    at: float
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """One worker's try at a match; `number` fences off those before it, `origin` is the attempt that drew the secret.

    An attempt whose predecessor was lost goes on where that one stopped: with its secret and from its log.
    """

    match_id: MatchId
    number: int
    worker_id: WorkerId
    secret: bytes = field(repr=False)
    commitment: str
    started_at: float
    ended_at: float | None = None
    outcome: AttemptEnd | None = None
    origin: int = 0
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Parked:
    """A match that is not handed out any more, and why."""

    match_id: MatchId
    cause: str
    at: float


NOBODYS = MatchId("")
KILLS = 3  # workers that a match may end while they play nothing else


def claim(tx: Connection, match_id: MatchId, *, offer: Offer, capacities: Mapping[BotId, int]) -> Attempt | None:
    """The next attempt at a queued match, if every bot has room for one more (a bot not named has), else None."""
    limited = _hold_bots(tx, match_id, capacities)
    playing = _playing(tx, limited, without=match_id)
    if any(playing.get(bot, 0) >= capacities[bot] for bot in limited):
        return None
    number = _start(tx, match_id, offer)
    if number is None:
        return None
    attempt = _following(tx, match_id, number, offer)
    _add(tx, attempt)
    return attempt


def give_back(
    tx: Connection, match_id: MatchId, *, attempt: int, at: float, outcome: AttemptEnd, cause: str = ""
) -> bool:
    """True if that attempt was still the current one and the match waits again (or is cancelled with its event).

    Lost and returned attempts are followed from their log; after a void one the match starts afresh. One that was
    seen to end, by a `cause`, `KILLS` workers which played nothing else, and got nowhere, is parked (DESIGN §5).
    """
    unused = 1 if outcome is AttemptEnd.RETURNED else 0  # a drain is not the match's fault
    starts = case((_MATCH.starts > unused, _MATCH.starts - unused), else_=0)
    after = case((_tournament_is(TournamentState.CANCELLED), MatchState.CANCELLED), else_=MatchState.PENDING)
    left = (
        update(schema.match)
        .where(_running(match_id, attempt))
        .values(state=after, batch=None, state_at=at, starts=starts)
    )
    if tx.execute(left).rowcount != 1 or not _end(tx, match_id, attempt, at=at, outcome=outcome):
        return False
    if outcome is AttemptEnd.VOID:
        log.forget(tx, match_id)
    if outcome is not AttemptEnd.RETURNED and cause:
        _suspect(tx, match_id, attempt, cause, at)
    return True


def finish(tx: Connection, match_id: MatchId, *, attempt: int, at: float) -> bool:
    """True if that attempt was still the current one and every game is settled, so that the match is finished."""
    if missing(tx, match_id):
        return False
    done = update(schema.match).where(_running(match_id, attempt)).values(state=MatchState.FINISHED, state_at=at)
    return tx.execute(done).rowcount == 1 and _end(tx, match_id, attempt, at=at, outcome=AttemptEnd.DONE)


def parked(tx: Connection) -> tuple[Parked, ...]:
    """The matches that are not handed out any more, oldest first."""
    rows = select(schema.parked).order_by(schema.parked.c.at, schema.parked.c.match_id)
    return tuple(Parked(*row) for row in tx.execute(rows))


def release(tx: Connection, match_id: MatchId) -> bool:
    """True if the match was parked until now; it is handed out again, its past forgotten."""
    tx.execute(update(schema.match).where(_MATCH.id == match_id).values(starts=0, kills=0))
    return tx.execute(delete(schema.parked).where(schema.parked.c.match_id == match_id)).rowcount == 1


def attempts(tx: Connection, match_id: MatchId) -> tuple[Attempt, ...]:
    """All attempts at the match, in order."""
    rows = select(schema.attempt).where(_ATTEMPT.match_id == match_id).order_by(_ATTEMPT.number)
    return tuple(Attempt(*row) for row in tx.execute(rows))


def orphaned(tx: Connection, worker_ids: Collection[WorkerId]) -> tuple[Attempt, ...]:
    """The open attempts of these workers, and of any worker that has stopped."""
    stopped = exists().where(_WORKER.id == _ATTEMPT.worker_id, _WORKER.stopped_at.is_not(None))
    rows = select(schema.attempt).where(_ATTEMPT.ended_at.is_(None), _ATTEMPT.worker_id.in_(worker_ids) | stopped)
    return tuple(Attempt(*row) for row in tx.execute(rows.order_by(_ATTEMPT.match_id)))


def busy(tx: Connection) -> Mapping[BotId, int]:
    """How many matches each bot is in, running or interrupted in a game; a bot that plays none is left out."""
    return _playing(tx, None)


def _hold_bots(tx: Connection, match_id: MatchId, capacities: Collection[BotId]) -> tuple[BotId, ...]:
    """The match's bots of limited capacity, held in id order until the end of the transaction."""
    bot = schema.bot.c.id
    seated = select(_SEAT.bot_id).where(_SEAT.match_id == match_id)
    rows = select(bot).where(bot.in_(seated), bot.in_(capacities)).order_by(bot)
    return tuple(tx.scalars(rows.with_for_update(key_share=True)))


def _playing(tx: Connection, bots: Collection[BotId] | None, without: MatchId = NOBODYS) -> Mapping[BotId, int]:
    """A game that was interrupted keeps its seats: its bots have it open, and it goes on before others begin."""
    matches = func.count(_SEAT.match_id.distinct())
    rows = select(_SEAT.bot_id, matches).join(schema.match, _MATCH.id == _SEAT.match_id)
    rows = rows.where((_MATCH.state == MatchState.RUNNING) | is_interrupted(), _MATCH.id != without)
    if bots is not None:
        rows = rows.where(_SEAT.bot_id.in_(bots))
    return {row[0]: row[1] for row in tx.execute(rows.group_by(_SEAT.bot_id))}


def _start(tx: Connection, match_id: MatchId, offer: Offer) -> int | None:
    queued = (_MATCH.id == match_id) & (_MATCH.state == MatchState.QUEUED)
    worker_runs = exists().where(_WORKER.id == offer.worker_id, _WORKER.stopped_at.is_(None))
    started = (
        update(schema.match)
        .where(queued, _tournament_is(TournamentState.RUNNING), worker_runs, _MATCH.begun | ~is_braked())
        .values(state=MatchState.RUNNING, attempt=_MATCH.attempt + 1, starts=_MATCH.starts + 1, state_at=offer.at)
    )
    number: int | None = tx.scalar(started.returning(_MATCH.attempt))
    return number


def _following(tx: Connection, match_id: MatchId, number: int, offer: Offer) -> Attempt:
    """The new attempt, with the secret of the one before it if that can be followed."""
    before = select(schema.attempt).where(_ATTEMPT.match_id == match_id, _ATTEMPT.number == number - 1)
    row = tx.execute(before).one_or_none()
    last = None if row is None else Attempt(*row)
    secret, commitment, origin = offer.secret, offer.commitment, number
    if last is not None and last.outcome in (AttemptEnd.LOST, AttemptEnd.RETURNED):
        secret, commitment, origin = last.secret, last.commitment, last.origin or last.number
    return Attempt(match_id, number, offer.worker_id, secret, commitment, offer.at, origin=origin, alone=offer.alone)


def _suspect(tx: Connection, match_id: MatchId, attempt: int, cause: str, at: float) -> None:
    """Count the end of a worker that played this match alone and got nowhere; park what ended too many."""
    alone = exists().where(_ATTEMPT.match_id == match_id, _ATTEMPT.number == attempt, _ATTEMPT.alone)
    counted = (_MATCH.id == match_id) & (_MATCH.starts > 0) & alone
    killed = update(schema.match).where(counted).values(kills=_MATCH.kills + 1).returning(_MATCH.kills)
    if (tx.scalar(killed) or 0) >= KILLS:
        insert_once(tx, schema.parked, [{"match_id": match_id, "cause": cause, "at": at}])


def _add(tx: Connection, attempt: Attempt) -> None:
    tx.execute(schema.attempt.insert().values(asdict(attempt)))


def _running(match_id: MatchId, attempt: int) -> ColumnElement[bool]:
    return (_MATCH.id == match_id) & (_MATCH.attempt == attempt) & (_MATCH.state == MatchState.RUNNING)


def _tournament_is(state: TournamentState) -> ColumnElement[bool]:
    return exists().where(schema.tournament.c.id == _MATCH.tournament_id, schema.tournament.c.state == state)


def _end(tx: Connection, match_id: MatchId, attempt: int, *, at: float, outcome: AttemptEnd) -> bool:
    opened = (_ATTEMPT.match_id == match_id) & (_ATTEMPT.number == attempt) & _ATTEMPT.ended_at.is_(None)
    return tx.execute(update(schema.attempt).where(opened).values(ended_at=at, outcome=outcome)).rowcount == 1
