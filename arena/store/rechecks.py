"""Finished games waiting to be checked by somebody else, and what came of it."""

from dataclasses import dataclass, field

from sqlalchemy import Connection, select, update

from arena.store import games, results, schema
from arena.store.ids import BotId, Key, MatchId, WorkerId
from arena.store.sql import insert_once

REFUSED = "recheck"  # stands for the second result in an alarm, where there is none
_GAME = schema.game.c
_ATTEMPT = schema.attempt.c


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a result says of itself, to be compared with its record; `secret` is that of the attempt."""

    digest: str
    deal: str = field(repr=False)
    players: int
    plies: int
    secret: bytes = field(repr=False)
    seats: tuple[results.Seat, ...]
    names: tuple[str, ...]  # bot@version by seat
    entrants: tuple[BotId, ...]  # of the match, in its own order


def waiting(tx: Connection, worker: WorkerId, *, below: str, limit: int, own: bool) -> tuple[Key, ...]:
    """Games nobody has checked whose digest is at most `below`, which makes a share of all; without `own`, games of
    other workers only. The order has nothing to do with when they were played."""
    rows = select(_GAME.match_id, _GAME.game_index).where(_GAME.unchecked, _GAME.digest <= below)
    if not own:
        by = schema.attempt.join(
            schema.game, (_ATTEMPT.match_id == _GAME.match_id) & (_ATTEMPT.number == _GAME.attempt)
        )
        rows = rows.select_from(by).where(_ATTEMPT.worker_id != worker)
    return tuple((row[0], row[1]) for row in tx.execute(rows.order_by(_GAME.digest).limit(limit)))


def claimed(tx: Connection, match_id: MatchId, game_index: int) -> Claimed | None:
    """What is on record about a game beside its notation."""
    key = (_GAME.match_id == match_id) & (_GAME.game_index == game_index)
    game = (_GAME.digest, _GAME.deal, _GAME.players, _GAME.plies, _ATTEMPT.secret)
    by = (_ATTEMPT.match_id == _GAME.match_id) & (_ATTEMPT.number == _GAME.attempt)
    row = tx.execute(select(*game).join(schema.attempt, by).where(key)).one_or_none()
    if row is None:
        return None
    seats, names = _seats(tx, match_id, game_index)
    entrant = schema.match_seat.c
    entrants = select(entrant.bot_id).where(entrant.match_id == match_id).order_by(entrant.position)
    return Claimed(*row, seats, names, tuple(tx.scalars(entrants)))


def _seats(tx: Connection, match_id: MatchId, game_index: int) -> tuple[tuple[results.Seat, ...], tuple[str, ...]]:
    seat, bot, version = schema.game_seat.c, schema.bot.c, schema.version.c
    rows = (
        select(*games.SEATS, bot.name, version.label)
        .join(schema.bot, bot.id == seat.bot_id)
        .join(schema.version, version.id == seat.version_id)
        .where(seat.match_id == match_id, seat.game_index == game_index)
        .order_by(seat.seat)
    )
    found = tx.execute(rows).all()
    seats = tuple(results.Seat(*row[: len(games.SEATS)]) for row in found)
    return seats, tuple(f"{row[-2]}@{row[-1]}" for row in found)


def note(tx: Connection, key: Key, *, worker: WorkerId, digest: str, fault: str, at: float) -> bool:
    """Put on record that a worker has checked a game; a `fault` takes it out of the ratings. False if it had been."""
    match_id, game_index = key
    row = {"match_id": match_id, "game_index": game_index, "worker": worker, "at": at, "fault": fault or None}
    if not insert_once(tx, schema.recheck, [row], key=("match_id", "game_index")):
        return False
    of_game = (_GAME.match_id == match_id) & (_GAME.game_index == game_index)
    tx.execute(update(schema.game).where(of_game).values(unchecked=False))
    if fault:
        results.add_alarm(tx, match_id, game_index, kept=digest, refused=REFUSED, at=at, detail=fault)
    return True
