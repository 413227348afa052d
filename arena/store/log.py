"""What was heard in games under way: appended before it counts, fenced by the attempt, gone with the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, select, tuple_, update

from arena.store import schema
from arena.store.ids import MatchId
from arena.store.kinds import MatchState
from arena.store.sql import insert_once

_LOG = schema.log_entry.c
_MATCH = schema.match.c


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing heard in a game: `number` counts from 0 within the game, `body` is what the worker wrote."""

    match_id: MatchId
    game_index: int
    number: int
    attempt: int
    body: bytes = field(repr=False)


def append(tx: Connection, entries: Sequence[Entry]) -> frozenset[tuple[MatchId, int]]:
    """Write these entries; the (match, attempt) pairs that are not the current ones any more, whose entries are not.

    Getting on clears the match's name: earlier starts and kills are forgotten (DESIGN §5).
    """
    asked = {(entry.match_id, entry.attempt) for entry in entries}
    current = _current(tx, asked)
    rows = [
        {
            "match_id": entry.match_id,
            "game_index": entry.game_index,
            "number": entry.number,
            "attempt": entry.attempt,
            "body": entry.body,
        }
        for entry in entries
        if (entry.match_id, entry.attempt) in current
    ]
    if rows:
        insert_once(tx, schema.log_entry, rows, key=("match_id", "game_index", "number"))  # again after a lost commit
        if begun := {row["match_id"] for row in rows if row["number"] == 0}:
            tx.execute(update(schema.match).where(_MATCH.id.in_(sorted(begun))).values(begun=True))
        suspects = [match for (match, _), starts in current.items() if starts]
        if suspects:
            tx.execute(update(schema.match).where(_MATCH.id.in_(suspects)).values(starts=0, kills=0))
    return frozenset(asked - current.keys())


def entries(tx: Connection, match_id: MatchId, game_index: int) -> tuple[bytes, ...]:
    """What was heard in a game so far, in order."""
    of_game = (_LOG.match_id == match_id) & (_LOG.game_index == game_index)
    return tuple(tx.scalars(select(_LOG.body).where(of_game).order_by(_LOG.number)))


def forget(tx: Connection, match_id: MatchId, game_index: int | None = None) -> None:
    """Drop the log of a game that has its result, or of all games of a match that starts afresh: nothing of it is
    under way then, as the games of a match are played one after the other."""
    chosen = _LOG.match_id == match_id
    if game_index is not None:
        chosen &= _LOG.game_index == game_index
    tx.execute(delete(schema.log_entry).where(chosen))
    tx.execute(update(schema.match).where(_MATCH.id == match_id).values(begun=False))


def _current(tx: Connection, asked: set[tuple[MatchId, int]]) -> Mapping[tuple[MatchId, int], int]:
    """Those attempts that are the running ones, with the starts of their match; held until the transaction ends."""
    held = select(_MATCH.id, _MATCH.attempt, _MATCH.starts).where(
        tuple_(_MATCH.id, _MATCH.attempt).in_(sorted(asked)), _MATCH.state == MatchState.RUNNING
    )
    rows = tx.execute(held.order_by(_MATCH.id).with_for_update(read=True))
    return {(row[0], row[1]): row[2] for row in rows}
