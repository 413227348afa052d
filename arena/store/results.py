"""Results, written once by key: the first stays, the same again is no matter, a different one raises an alarm."""

import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

from sqlalchemy import Connection, select, union, update

from arena.contest.referee import Reason
from arena.errors import BadInput, NotFound
from arena.store import log, schema
from arena.store.ids import BotId, MatchId, VersionId
from arena.store.kinds import AttemptEnd, VoidReason
from arena.store.sql import insert_once

Recorded = Literal["new", "same", "different", "late"]

_MATCH = schema.match.c
_ATTEMPT = schema.attempt.c
_GAME = schema.game.c


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game as its referee reports it; `digest` stands for everything that a repeat must have in common.

    `ledger` is the time of each action, as the desk writes it.
    """

    match_id: MatchId
    game_index: int
    attempt: int
    players: int
    rules: str
    deal: str = field(repr=False)
    notation: str = field(repr=False)
    digest: str
    plies: int
    seconds: float
    ledger: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Seat:
    """How a seat came out; `early` if it forfeited before its first action."""

    seat: int
    bot_id: BotId
    version_id: VersionId
    score: int
    place: int
    forfeit: Reason | None = None
    forfeit_ply: int | None = None
    early: bool = False


def record(tx: Connection, game: Game, *, seats: Sequence[Seat], at: float) -> Recorded:
    """Writes a result unless its key has one; nothing is written for an attempt that is no longer the current one.
    The log of the game, which the result stands for now, goes with the same transaction.

    Several results in one transaction go in the order of their match ids, so that two reporters cannot deadlock.
    """
    if len(seats) != game.players:
        raise BadInput(f"game {game.match_id}/{game.game_index} has {len(seats)} seats; report all {game.players}")
    if _is_late(tx, game):
        return "late"
    if _insert(tx, game, at):
        _insert_seats(tx, game, seats)
        log.forget(tx, game.match_id, game.game_index)
        return "new"
    kept = _digest(tx, game)
    if kept == game.digest:
        return "same"
    _raise_alarm(tx, game, kept, at)
    return "different"


def missing(tx: Connection, match_id: MatchId) -> tuple[int, ...]:
    """The games of the match that must still be played: those with neither a result nor a void."""
    players = tx.scalar(select(_MATCH.players).where(_MATCH.id == match_id))
    if players is None:
        raise NotFound(f"no match {match_id!r}; see those of a tournament with: arena tournament show NAME")
    settled = _settled(tx, match_id)
    return tuple(index for index in range(players) if index not in settled)


def void(tx: Connection, match_id: MatchId, *, game_index: int, reason: VoidReason, at: float) -> bool:
    """True if the game counted, or could have, until now; it is not played again either."""
    row = {"match_id": match_id, "game_index": game_index, "reason": reason, "at": at}
    return insert_once(tx, schema.void, [row], key=("match_id", "game_index")) == 1


def add_alarm(
    tx: Connection, match_id: MatchId, game_index: int, *, kept: str, refused: str, at: float, detail: str = ""
) -> None:
    """Raise an alarm about a game, once for each thing `refused`; the game does not count until one resolves it."""
    row = {"match_id": match_id, "game_index": game_index, "kept": kept, "refused": refused, "at": at}
    insert_once(tx, schema.alarm, [row | {"detail": detail or None}], key=("match_id", "game_index", "refused"))


def resolve(tx: Connection, match_id: MatchId, *, game_index: int, at: float) -> int:
    """How many alarms about the game are settled: the result that was kept is right and counts again."""
    alarm = schema.alarm.c
    raised = (alarm.match_id == match_id) & (alarm.game_index == game_index) & alarm.resolved_at.is_(None)
    return tx.execute(update(schema.alarm).where(raised).values(resolved_at=at)).rowcount


def _is_late(tx: Connection, game: Game) -> bool:
    """Holds the match, so that no other worker can take it over before our transaction ends."""
    held = select(_MATCH.attempt).where(_MATCH.id == game.match_id).with_for_update()
    current = tx.scalar(held)
    if current is None:
        raise NotFound(f"no match {game.match_id!r}; the worker reports to another database than it claimed from")
    return current > game.attempt or _outcome(tx, game) not in (None, AttemptEnd.DONE)


def _outcome(tx: Connection, game: Game) -> AttemptEnd | None:
    key = (_ATTEMPT.match_id == game.match_id) & (_ATTEMPT.number == game.attempt)
    outcome: AttemptEnd | None = tx.scalar(select(_ATTEMPT.outcome).where(key))
    return outcome


def _insert(tx: Connection, game: Game, at: float) -> bool:
    packed = zlib.compress(game.notation.encode(), level=9)
    ledger = zlib.compress(game.ledger.encode(), level=9)
    row = asdict(game) | {"notation": packed, "ledger": ledger, "finished_at": at, "unchecked": True}
    return insert_once(tx, schema.game, [row], key=("match_id", "game_index")) == 1


def _insert_seats(tx: Connection, game: Game, seats: Sequence[Seat]) -> None:
    key = {"match_id": game.match_id, "game_index": game.game_index}
    tx.execute(schema.game_seat.insert(), [asdict(seat) | key for seat in seats])


def _digest(tx: Connection, game: Game) -> str:
    key = (_GAME.match_id == game.match_id) & (_GAME.game_index == game.game_index)
    digest: str = tx.execute(select(_GAME.digest).where(key)).scalar_one()
    return digest


def _raise_alarm(tx: Connection, game: Game, kept: str, at: float) -> None:
    add_alarm(tx, game.match_id, game.game_index, kept=kept, refused=game.digest, at=at)


def _settled(tx: Connection, match_id: MatchId) -> frozenset[int]:
    gone = schema.void.c
    results = select(_GAME.game_index).where(_GAME.match_id == match_id)
    voids = select(gone.game_index).where(gone.match_id == match_id)
    return frozenset(tx.scalars(union(results, voids)))
