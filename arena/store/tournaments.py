"""Tournaments, who entered, and how far they are."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, func, select, update

from arena.errors import Conflict
from arena.store import schema
from arena.store.ids import BotId, TournamentId
from arena.store.kinds import MatchState, TournamentState
from arena.store.sql import insert_once

OPEN = (TournamentState.RUNNING, TournamentState.PAUSED)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A finite event or the ladder; `spec` is JSON that the desk wrote."""

    id: TournamentId
    name: str
    spec: str
    state: TournamentState
    created_at: float
    finished_at: float | None = None


def add_tournament(tx: Connection, tournament: Tournament) -> None:
    """A new tournament; raises Conflict if the name is taken."""
    if not insert_once(tx, schema.tournament, [asdict(tournament)]):
        raise Conflict(f"tournament {tournament.name!r} exists already; choose another name")


def enter(tx: Connection, tournament_id: TournamentId, bots: Sequence[BotId], *, start: int = 0) -> None:
    """Enters bots at the positions from `start` on; raises Conflict if a position or a bot is there already."""
    rows = [
        {"tournament_id": tournament_id, "position": position, "bot_id": bot}
        for position, bot in enumerate(bots, start)
    ]
    if insert_once(tx, schema.entrant, rows) < len(rows):
        raise Conflict(f"tournament {tournament_id} has some of these bots already; enter each once")


def tournament(tx: Connection, tournament_id: TournamentId) -> Tournament | None:
    """The tournament with this id."""
    row = tx.execute(select(schema.tournament).where(schema.tournament.c.id == tournament_id)).one_or_none()
    return None if row is None else Tournament(*row)


def tournament_named(tx: Connection, name: str) -> Tournament | None:
    """The tournament with this name."""
    row = tx.execute(select(schema.tournament).where(schema.tournament.c.name == name)).one_or_none()
    return None if row is None else Tournament(*row)


def tournaments(tx: Connection, state: TournamentState | None = None) -> tuple[Tournament, ...]:
    """The tournaments, newest first, all of them or those in one state."""
    rows = select(schema.tournament).order_by(schema.tournament.c.created_at.desc(), schema.tournament.c.id)
    if state is not None:
        rows = rows.where(schema.tournament.c.state == state)
    return tuple(Tournament(*row) for row in tx.execute(rows))


def entrants(tx: Connection, tournament_id: TournamentId) -> tuple[BotId, ...]:
    """The bots that entered, by position."""
    entrant = schema.entrant
    rows = select(entrant.c.bot_id).where(entrant.c.tournament_id == tournament_id).order_by(entrant.c.position)
    return tuple(tx.scalars(rows))


def set_state(tx: Connection, tournament_id: TournamentId, state: TournamentState, *, at: float) -> bool:
    """True if the tournament was open and is now in this state; finished and cancelled are for good."""
    still_open = (schema.tournament.c.id == tournament_id) & schema.tournament.c.state.in_(OPEN)
    ended = None if state in OPEN else at
    changed = update(schema.tournament).where(still_open).values(state=state, finished_at=ended)
    return tx.execute(changed).rowcount == 1


def reopen(tx: Connection, tournament_id: TournamentId) -> bool:
    """True if the tournament was finished and runs again: a match was added to it."""
    tournament = schema.tournament
    over = (tournament.c.id == tournament_id) & (tournament.c.state == TournamentState.FINISHED)
    running = update(tournament).where(over).values(state=TournamentState.RUNNING, finished_at=None)
    return tx.execute(running).rowcount == 1


def progress(tx: Connection, tournament_id: TournamentId) -> Mapping[MatchState, int]:
    """How many of its matches are in each state, zeros included."""
    match = schema.match
    rows = select(match.c.state, func.count()).where(match.c.tournament_id == tournament_id).group_by(match.c.state)
    return dict.fromkeys(MatchState, 0) | {row[0]: row[1] for row in tx.execute(rows)}
