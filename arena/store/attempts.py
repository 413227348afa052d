"""A worker's try at a match: claimed whole, fenced by its number, ended once."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field

from sqlalchemy import ColumnElement, Connection, case, exists, func, select, update

from arena.store import schema
from arena.store.ids import BotId, MatchId, WorkerId
from arena.store.kinds import AttemptEnd, MatchState, TournamentState
from arena.store.results import missing

_MATCH = schema.match.c
_SEAT = schema.match_seat.c
_ATTEMPT = schema.attempt.c
_WORKER = schema.worker.c


@dataclass(frozen=True, slots=True)
class Offer:
    """What a worker brings to claim a match: itself, the secret behind the deals, and what it publishes of it."""

    worker_id: WorkerId
    secret: bytes = field(repr=False)
    commitment: str
    at: float


@dataclass(frozen=True, slots=True)
class Attempt:
    """One worker's try at a match; `number` fences off those before it."""

    match_id: MatchId
    number: int
    worker_id: WorkerId
    secret: bytes = field(repr=False)
    commitment: str
    started_at: float
    ended_at: float | None = None
    outcome: AttemptEnd | None = None


def claim(tx: Connection, match_id: MatchId, *, offer: Offer, capacities: Mapping[BotId, int]) -> Attempt | None:
    """The next attempt at a queued match, if every bot has room for one more (a bot not named has), else None."""
    limited = _hold_bots(tx, match_id, capacities)
    playing = _playing(tx, limited)
    if any(playing.get(bot, 0) >= capacities[bot] for bot in limited):
        return None
    number = _start(tx, match_id, offer)
    if number is None:
        return None
    attempt = Attempt(match_id, number, offer.worker_id, offer.secret, offer.commitment, offer.at)
    _add(tx, attempt)
    return attempt


def give_back(tx: Connection, match_id: MatchId, *, attempt: int, at: float, outcome: AttemptEnd) -> bool:
    """True if that attempt was still the current one and the match waits again (or is cancelled with its event)."""
    unused = 1 if outcome is AttemptEnd.RETURNED else 0  # a drain is not the match's fault
    starts = case((_MATCH.starts > unused, _MATCH.starts - unused), else_=0)
    after = case((_tournament_is(TournamentState.CANCELLED), MatchState.CANCELLED), else_=MatchState.PENDING)
    left = (
        update(schema.match)
        .where(_running(match_id, attempt))
        .values(state=after, batch=None, state_at=at, starts=starts)
    )
    return tx.execute(left).rowcount == 1 and _end(tx, match_id, attempt, at=at, outcome=outcome)


def finish(tx: Connection, match_id: MatchId, *, attempt: int, at: float) -> bool:
    """True if that attempt was still the current one and every game is settled, so that the match is finished."""
    if missing(tx, match_id):
        return False
    done = update(schema.match).where(_running(match_id, attempt)).values(state=MatchState.FINISHED, state_at=at)
    return tx.execute(done).rowcount == 1 and _end(tx, match_id, attempt, at=at, outcome=AttemptEnd.DONE)


def clear_starts(tx: Connection, match_id: MatchId, *, attempt: int) -> bool:
    """Forgets earlier starts, because that attempt got on with the match; False if it is not the current one."""
    return tx.execute(update(schema.match).where(_running(match_id, attempt)).values(starts=0)).rowcount == 1


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
    """How many running matches each bot is in; a bot that plays none is left out."""
    return _playing(tx, None)


def _hold_bots(tx: Connection, match_id: MatchId, capacities: Collection[BotId]) -> tuple[BotId, ...]:
    """The match's bots of limited capacity, held in id order until the end of the transaction."""
    bot = schema.bot.c.id
    seated = select(_SEAT.bot_id).where(_SEAT.match_id == match_id)
    rows = select(bot).where(bot.in_(seated), bot.in_(capacities)).order_by(bot)
    return tuple(tx.scalars(rows.with_for_update(key_share=True)))


def _playing(tx: Connection, bots: Collection[BotId] | None) -> Mapping[BotId, int]:
    matches = func.count(_SEAT.match_id.distinct())
    rows = select(_SEAT.bot_id, matches).join(schema.match, _MATCH.id == _SEAT.match_id)
    rows = rows.where(_MATCH.state == MatchState.RUNNING).group_by(_SEAT.bot_id)
    if bots is not None:
        rows = rows.where(_SEAT.bot_id.in_(bots))
    return {row[0]: row[1] for row in tx.execute(rows)}


def _start(tx: Connection, match_id: MatchId, offer: Offer) -> int | None:
    queued = (_MATCH.id == match_id) & (_MATCH.state == MatchState.QUEUED)
    worker_runs = exists().where(_WORKER.id == offer.worker_id, _WORKER.stopped_at.is_(None))
    started = (
        update(schema.match)
        .where(queued, _tournament_is(TournamentState.RUNNING), worker_runs)
        .values(state=MatchState.RUNNING, attempt=_MATCH.attempt + 1, starts=_MATCH.starts + 1, state_at=offer.at)
    )
    number: int | None = tx.scalar(started.returning(_MATCH.attempt))
    return number


def _add(tx: Connection, attempt: Attempt) -> None:
    tx.execute(schema.attempt.insert().values(asdict(attempt)))


def _running(match_id: MatchId, attempt: int) -> ColumnElement[bool]:
    return (_MATCH.id == match_id) & (_MATCH.attempt == attempt) & (_MATCH.state == MatchState.RUNNING)


def _tournament_is(state: TournamentState) -> ColumnElement[bool]:
    return exists().where(schema.tournament.c.id == _MATCH.tournament_id, schema.tournament.c.state == state)


def _end(tx: Connection, match_id: MatchId, attempt: int, *, at: float, outcome: AttemptEnd) -> bool:
    opened = (_ATTEMPT.match_id == match_id) & (_ATTEMPT.number == attempt) & _ATTEMPT.ended_at.is_(None)
    return tx.execute(update(schema.attempt).where(opened).values(ended_at=at, outcome=outcome)).rowcount == 1
