"""Totals for the metrics, counted when they are asked for; every member of a closed set is there, zeros included."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, select

from arena.contest.referee import Reason
from arena.store import schema
from arena.store.ids import TournamentId
from arena.store.kinds import AttemptEnd, MatchState, TournamentState, VoidReason

_MATCH = schema.match.c
_SEAT = schema.game_seat.c


@dataclass(frozen=True, slots=True)
class Games:
    """How many games have a result: played to the end by all, and with a forfeit."""

    finished: int
    forfeited: int


@dataclass(frozen=True, slots=True)
class Alarms:
    """How many alarms were raised, and how many of them nobody has resolved."""

    raised: int
    unresolved: int


@dataclass(frozen=True, slots=True)
class Checks:
    """How many finished games were played again by somebody else, and how many were not."""

    made: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """Matches of running tournaments that wait for a worker, and for how many seconds the oldest has."""

    depth: int
    age: float


def matches(tx: Connection) -> Mapping[MatchState, int]:
    """Matches by state."""
    rows = select(_MATCH.state, func.count()).group_by(_MATCH.state)
    return dict.fromkeys(MatchState, 0) | {row[0]: row[1] for row in tx.execute(rows)}


def attempts(tx: Connection) -> Mapping[AttemptEnd, int]:
    """Attempts that have ended, by outcome."""
    outcome = schema.attempt.c.outcome
    rows = select(outcome, func.count()).where(outcome.is_not(None)).group_by(outcome)
    return dict.fromkeys(AttemptEnd, 0) | {row[0]: row[1] for row in tx.execute(rows)}


def games(tx: Connection) -> Games:
    """Games with a result, by whether a seat forfeited."""
    forfeited = select(_SEAT.match_id, _SEAT.game_index).where(_SEAT.forfeit.is_not(None)).distinct().subquery()
    everything = select(func.count()).select_from(schema.game).scalar_subquery()
    row = tx.execute(select(everything, select(func.count()).select_from(forfeited).scalar_subquery())).one()
    return Games(finished=row[0] - row[1], forfeited=row[1])


def forfeits(tx: Connection) -> Mapping[Reason, int]:
    """Forfeited seats by reason."""
    rows = select(_SEAT.forfeit, func.count()).where(_SEAT.forfeit.is_not(None)).group_by(_SEAT.forfeit)
    return dict.fromkeys(Reason, 0) | {row[0]: row[1] for row in tx.execute(rows)}


def voids(tx: Connection) -> Mapping[VoidReason, int]:
    """Void games by reason."""
    rows = select(schema.void.c.reason, func.count()).group_by(schema.void.c.reason)
    return dict.fromkeys(VoidReason, 0) | {row[0]: row[1] for row in tx.execute(rows)}


def alarms(tx: Connection) -> Alarms:
    """Results that came twice and differed, or whose record does not hold."""
    alarm = schema.alarm.c
    row = tx.execute(select(func.count(), func.count(alarm.resolved_at)).select_from(schema.alarm)).one()
    return Alarms(raised=row[0], unresolved=row[0] - row[1])


def checks(tx: Connection) -> Checks:
    """Games that were played again, and that wait for it."""
    made = select(func.count()).select_from(schema.recheck).scalar_subquery()
    waiting = select(func.count()).select_from(schema.game).where(schema.game.c.unchecked).scalar_subquery()
    row = tx.execute(select(made, waiting)).one()
    return Checks(made=row[0], waiting=row[1])


def backlog(tx: Connection, *, now: float) -> Backlog:
    """What waits at the time `now`; paused and cancelled tournaments wait for a person, not for a worker."""
    tournament = schema.tournament.c
    waits = _MATCH.state.in_((MatchState.PENDING, MatchState.QUEUED))
    rows = select(func.count(), func.min(_MATCH.state_at)).select_from(schema.match.join(schema.tournament))
    depth, oldest = tx.execute(rows.where(waits, tournament.state == TournamentState.RUNNING)).one()
    return Backlog(depth=depth, age=0.0 if oldest is None else max(0.0, now - oldest))


def games_of(tx: Connection, tournament_id: TournamentId) -> int:
    """Games of a tournament that have a result and are not void."""
    game, void = schema.game.c, schema.void.c
    voided = exists().where(void.match_id == game.match_id, void.game_index == game.game_index)
    of = select(func.count()).select_from(schema.game).join(schema.match, _MATCH.id == game.match_id)
    return tx.scalar(of.where(_MATCH.tournament_id == tournament_id, ~voided)) or 0


def asked_of(tx: Connection, tournament_id: TournamentId) -> int:
    """Games that a tournament asks for: as many per match as it has seats, without the void ones."""
    seats = tx.scalar(select(func.sum(_MATCH.players)).where(_MATCH.tournament_id == tournament_id)) or 0
    voids = select(func.count()).select_from(schema.void).join(schema.match, _MATCH.id == schema.void.c.match_id)
    return seats - (tx.scalar(voids.where(_MATCH.tournament_id == tournament_id)) or 0)
