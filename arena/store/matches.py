"""Matches on their way to a worker: pending, queued, and back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Subquery, exists, func, select, update

from arena.store import schema
from arena.store.ids import BotId, MatchId, TournamentId
from arena.store.kinds import MatchState, TournamentState
from arena.store.sql import insert_once

TRUST = 1  # claims that may bring a game under way no further before it must be played alone
_MATCH = schema.match.c
_SEAT = schema.match_seat.c


@dataclass(frozen=True, slots=True)
class Match:
    """A group of `players` games of the same bots; `starts` counts the claims without progress, `kills` those of them
    that ended a worker which played nothing else; `begun` while a game of it is under way."""

    id: MatchId
    tournament_id: TournamentId
    number: int
    players: int
    state: MatchState
    attempt: int
    batch: str | None
    state_at: float
    starts: int
    kills: int
    begun: bool
    bots: tuple[BotId, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """A match as a schedule asks for it."""

    id: MatchId
    tournament_id: TournamentId
    number: int
    bots: tuple[BotId, ...]


def add_matches(tx: Connection, planned: Sequence[Planned], *, at: float) -> int:
    """How many matches are new; those whose id is there already are left alone."""
    new = insert_once(tx, schema.match, [_row(match, at) for match in planned], key=("id",))
    seats = [
        {"match_id": match.id, "position": position, "bot_id": bot}
        for match in planned
        for position, bot in enumerate(match.bots)
    ]
    insert_once(tx, schema.match_seat, seats, key=("match_id", "position"))
    return new


def last_number(tx: Connection, tournament_id: TournamentId) -> int:
    """The highest number of a match of the tournament, 0 if it has none."""
    return tx.scalar(select(func.max(_MATCH.number)).where(_MATCH.tournament_id == tournament_id)) or 0


def match(tx: Connection, match_id: MatchId) -> Match | None:
    """The match with this id."""
    return next(iter(some(tx, (match_id,))), None)


def some(tx: Connection, match_ids: Collection[MatchId]) -> tuple[Match, ...]:
    """The matches with these ids, by id; unknown ones are left out."""
    rows = select(schema.match, _SEAT.bot_id).join(schema.match_seat).where(_MATCH.id.in_(match_ids))
    return _tables(tx, rows.order_by(_MATCH.id, _SEAT.position))


def waiting(
    tx: Connection,
    limit: int,
    *,
    tournament_id: TournamentId | None = None,
    without: Collection[BotId] = (),
) -> tuple[Match, ...]:
    """Pending matches of running tournaments in number order, leaving out those with a bot in `without`, and those
    that workers take over by themselves."""
    free = (_MATCH.state == MatchState.PENDING) & _in_running_tournament() & ~_is_parked()
    rows = select(schema.match).where(free, ~_can_be_taken_over())
    if tournament_id is not None:
        rows = rows.where(_MATCH.tournament_id == tournament_id)
    if without:
        rows = rows.where(~exists().where(_SEAT.match_id == _MATCH.id, _SEAT.bot_id.in_(without)))
    return _matches(tx, rows.order_by(_MATCH.number, _MATCH.id).limit(limit).subquery())


def interrupted(tx: Connection, limit: int) -> tuple[Match, ...]:
    """Matches with a game under way that nobody referees, which any worker may take over."""
    rows = select(schema.match).where(_can_be_taken_over(), _in_running_tournament(), ~_is_parked())
    return _matches(tx, rows.order_by(_MATCH.state_at, _MATCH.id).limit(limit).subquery())


def is_interrupted() -> ColumnElement[bool]:
    """Whether a match stopped in the middle of a game, which is to go on."""
    waits = _MATCH.state.in_((MatchState.PENDING, MatchState.QUEUED))
    return _MATCH.begun & waits & _in_running_tournament() & ~_is_parked()


def queue(tx: Connection, match_ids: Collection[MatchId], *, batch: str, at: float) -> tuple[MatchId, ...]:
    """Those of the pending matches that are queued in this batch now; what others hold is skipped."""
    pending = _MATCH.id.in_(match_ids) & (_MATCH.state == MatchState.PENDING)
    held = select(_MATCH.id).where(pending).order_by(_MATCH.id).with_for_update(skip_locked=True)
    queued = update(schema.match).where(_MATCH.id.in_(held)).values(state=MatchState.QUEUED, batch=batch, state_at=at)
    return tuple(sorted(tx.scalars(queued.returning(_MATCH.id))))


def put_back(tx: Connection, match_ids: Collection[MatchId], *, batch: str, at: float) -> int:
    """How many matches of the batch, queued and not claimed, are pending again."""
    unclaimed = _MATCH.id.in_(match_ids) & (_MATCH.batch == batch) & (_MATCH.state == MatchState.QUEUED)
    return _to_pending(tx, unclaimed, at)


def requeue_stale(tx: Connection, patience: float, *, at: float) -> int:
    """How many matches queued for longer than `patience` seconds are pending again: their job was lost. So is that of
    one which was queued as far in the future, before the clock was set back."""
    fresh = _MATCH.state_at.between(at - patience, at + patience)
    return _to_pending(tx, (_MATCH.state == MatchState.QUEUED) & ~fresh, at)


def cancel(tx: Connection, match_ids: Collection[MatchId], *, at: float) -> int:
    """How many matches, pending or queued, will never be played."""
    return _cancel(tx, _MATCH.id.in_(match_ids), at)


def cancel_waiting(tx: Connection, tournament_id: TournamentId, *, at: float) -> int:
    """How many matches of the tournament, pending or queued, will never be played."""
    return _cancel(tx, _MATCH.tournament_id == tournament_id, at)


def close(tx: Connection, match_id: MatchId, *, at: float) -> bool:
    """True if a match that nobody plays is finished now: all its games are settled."""
    waiting = (_MATCH.id == match_id) & _MATCH.state.in_((MatchState.PENDING, MatchState.QUEUED))
    return (
        tx.execute(update(schema.match).where(waiting).values(state=MatchState.FINISHED, state_at=at)).rowcount == 1
    )


def _row(planned: Planned, at: float) -> dict[str, object]:
    return {
        "id": planned.id,
        "tournament_id": planned.tournament_id,
        "number": planned.number,
        "players": len(planned.bots),
        "state": MatchState.PENDING,
        "state_at": at,
    }


def _matches(tx: Connection, chosen: Subquery) -> tuple[Match, ...]:
    seats = (
        select(chosen, _SEAT.bot_id)
        .join(schema.match_seat, _SEAT.match_id == chosen.c.id)
        .order_by(chosen.c.number, chosen.c.id, _SEAT.position)
    )
    return _tables(tx, seats)


def _tables(tx: Connection, seats: Select[Any]) -> tuple[Match, ...]:
    """The matches of these rows, one for each seat."""
    groups = groupby(tx.execute(seats), key=lambda row: row[0])
    tables = (list(group) for _, group in groups)
    return tuple(Match(*(*table[0][:-1], tuple(row[-1] for row in table))) for table in tables)


def _in_running_tournament() -> ColumnElement[bool]:
    tournament = schema.tournament.c
    return exists().where(tournament.id == _MATCH.tournament_id, tournament.state == TournamentState.RUNNING)


def _can_be_taken_over() -> ColumnElement[bool]:
    return (_MATCH.state == MatchState.PENDING) & (_MATCH.starts <= TRUST) & _MATCH.begun


def _is_parked() -> ColumnElement[bool]:
    return exists().where(schema.parked.c.match_id == _MATCH.id)


def _to_pending(tx: Connection, which: ColumnElement[bool], at: float) -> int:
    held = select(_MATCH.id).where(which).order_by(_MATCH.id).with_for_update(skip_locked=True)
    pending = (
        update(schema.match).where(_MATCH.id.in_(held)).values(state=MatchState.PENDING, batch=None, state_at=at)
    )
    return tx.execute(pending).rowcount


def _cancel(tx: Connection, which: ColumnElement[bool], at: float) -> int:
    waiting = which & _MATCH.state.in_((MatchState.PENDING, MatchState.QUEUED))
    held = select(_MATCH.id).where(waiting).order_by(_MATCH.id).with_for_update()  # in order: no deadlock
    cancelled = update(schema.match).where(_MATCH.id.in_(held)).values(state=MatchState.CANCELLED, state_at=at)
    return tx.execute(cancelled).rowcount
