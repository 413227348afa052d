"""Games that were played, read for ratings, lists and viewers."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from sqlalchemy import ColumnElement, Connection, Subquery, Table, exists, select, true

from arena.errors import BadInput
from arena.store import schema
from arena.store.ids import MatchId, TournamentId
from arena.store.kinds import VoidReason
from arena.store.results import Seat

_MATCH = schema.match.c
_GAME = schema.game.c
_SEAT = schema.game_seat.c
_VOID = schema.void.c
_KEY = (_GAME.match_id, _GAME.game_index)
_PAGE = 5000


@dataclass(frozen=True, slots=True)
class Result:
    """A game as ratings and lists see it, with its seats in order."""

    tournament_id: TournamentId
    match_id: MatchId
    game_index: int
    players: int
    rules: str
    deal: str = field(repr=False)
    plies: int
    seconds: float
    finished_at: float
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A game with what keeps it from counting, if anything."""

    result: Result
    void: VoidReason | None
    alarmed: bool


_RESULT = (
    _MATCH.tournament_id,
    _GAME.match_id,
    _GAME.game_index,
    _GAME.players,
    _GAME.rules,
    _GAME.deal,
    _GAME.plies,
    _GAME.seconds,
    _GAME.finished_at,
)
SEATS = (
    _SEAT.seat,
    _SEAT.bot_id,
    _SEAT.version_id,
    _SEAT.score,
    _SEAT.place,
    _SEAT.forfeit,
    _SEAT.forfeit_ply,
    _SEAT.early,
)
_END = len(_RESULT) + len(SEATS)


def results(
    tx: Connection, tournament_id: TournamentId | None = None, players: int | None = None
) -> Iterator[Result]:
    """Every game that counts: it has a result, no void and no open alarm. Read it while `tx` is open."""
    size = true() if players is None else _GAME.players == players
    counted = select(*_KEY).where(_of(tournament_id), size, ~_voided(), ~_alarmed())
    for listed in _read(tx, counted.subquery()):
        yield listed.result


def games(
    tx: Connection, tournament_id: TournamentId | None = None, *, limit: int = 100, offset: int = 0
) -> tuple[Listed, ...]:
    """A page of the games, counted or not, newest first: one tournament's or all."""
    newest = (_GAME.finished_at.desc(), _GAME.match_id.desc(), _GAME.game_index.desc())
    page = select(*_KEY).where(_of(tournament_id)).order_by(*newest).limit(limit).offset(offset)
    oldest_first = sorted(_read(tx, page.subquery()), key=lambda listed: listed.result.finished_at)
    return tuple(reversed(oldest_first))


def game(tx: Connection, match_id: MatchId, game_index: int) -> Listed | None:
    """The game with this key, counted or not."""
    return next(_read(tx, select(*_KEY).where(_is(match_id, game_index)).subquery()), None)


def notation(tx: Connection, match_id: MatchId, game_index: int) -> str | None:
    """The record of a game as text; raises BadInput if the row is damaged."""
    packed = tx.scalar(select(_GAME.notation).where(_is(match_id, game_index)))
    return None if packed is None else _unpacked(packed, f"notation of {match_id}/{game_index}")


def ledger(tx: Connection, match_id: MatchId, game_index: int) -> str | None:
    """The time of each action of a game, as the desk wrote it; None for no such game, empty for one without."""
    row = tx.execute(select(_GAME.ledger).where(_is(match_id, game_index))).one_or_none()
    if row is None:
        return None
    return _unpacked(row[0], f"ledger of {match_id}/{game_index}") if row[0] else ""


def _unpacked(packed: bytes, what: str) -> str:
    try:
        return zlib.decompress(packed).decode()
    except (zlib.error, ValueError) as error:
        raise BadInput(f"the {what} in the database is damaged: {error}") from None


def _of(tournament_id: TournamentId | None) -> ColumnElement[bool]:
    if tournament_id is None:
        return true()
    return _GAME.match_id.in_(select(_MATCH.id).where(_MATCH.tournament_id == tournament_id))


def _is(match_id: MatchId, game_index: int) -> ColumnElement[bool]:
    return (_GAME.match_id == match_id) & (_GAME.game_index == game_index)


def _read(tx: Connection, keys: Subquery) -> Iterator[Listed]:
    """The games of these keys, in the order of their keys."""
    rows = (
        select(*_RESULT, *SEATS, _VOID.reason, _alarmed())
        .join(keys, (keys.c.match_id == _GAME.match_id) & (keys.c.game_index == _GAME.game_index))
        .join(schema.match, _MATCH.id == _GAME.match_id)
        .join(schema.game_seat, _about(schema.game_seat))
        .outerjoin(schema.void, _about(schema.void))
        .order_by(*_KEY, _SEAT.seat)
    )
    found = tx.execute(rows, execution_options={"yield_per": _PAGE})
    for _, group in groupby(found, key=lambda row: row[1:3]):
        table = list(group)
        seats = tuple(Seat(*row[len(_RESULT) : _END]) for row in table)
        yield Listed(Result(*(*table[0][: len(_RESULT)], seats)), *table[0][_END:])


def _voided() -> ColumnElement[bool]:
    return exists().where(_about(schema.void))


def _alarmed() -> ColumnElement[bool]:
    return exists().where(_about(schema.alarm), schema.alarm.c.resolved_at.is_(None))


def _about(table: Table) -> ColumnElement[bool]:
    """The row of that table is about this game."""
    return (table.c.match_id == _GAME.match_id) & (table.c.game_index == _GAME.game_index)
