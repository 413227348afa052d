"""A game on record, played again by somebody who did not referee it, and compared with what is on record about it."""

import hashlib
from dataclasses import dataclass

from arena.contest.pairing import rotated
from arena.contest.reading import Flaw
from arena.contest.record import Record
from arena.contest.verify import verified
from arena.desk.staff import parent_name
from arena.errors import BadInput
from arena.game.deal import game_secret
from arena.store import games, rechecks, workers
from arena.store.engine import Store
from arena.store.ids import Key, MatchId, WorkerId
from arena.store.rechecks import Claimed
from arena.store.results import Seat

BATCH = 10  # games in one round, some milliseconds each


@dataclass(frozen=True, slots=True)
class Untrue:
    """A game whose record does not hold, and why."""

    match: MatchId
    game: int
    fault: str


def check_some(store: Store, worker: WorkerId, share: float, *, at: float) -> tuple[Untrue, ...]:
    """Check some finished games that nobody has; those that do not hold, which count no more.

    A `share` of all games, 0 to 1, is drawn by their digests, which nobody can choose. A worker looks at its own
    games only where it is the only one.
    """
    with store.reading() as tx:
        others = [one for one in workers.workers_seen(tx) if one.id != worker and parent_name(one.name) is None]
        found = rechecks.waiting(tx, worker, below=_bound(share), limit=BATCH, own=not others)
    faults = {key: _checked(store, key, worker, at) for key in found}
    return tuple(Untrue(*key, fault) for key, fault in faults.items() if fault)


def _bound(share: float) -> str:
    """What the digests of this share of all games lie below, as hex."""
    return "g" if share >= 1 else f"{int(share * 2**64):016x}"


def _checked(store: Store, key: Key, worker: WorkerId, at: float) -> str | None:
    """What is wrong with a game, empty if nothing is; None if somebody else has checked it meanwhile."""
    with store.reading() as tx:
        claimed = rechecks.claimed(tx, *key)
    if claimed is None:
        return None
    try:
        with store.reading() as tx:
            fault = fault_of(key, claimed, games.notation(tx, *key) or "")
    except BadInput as error:
        fault = str(error)
    with store.writing() as tx:
        return fault if rechecks.note(tx, key, worker=worker, digest=claimed.digest, fault=fault, at=at) else None


def fault_of(key: Key, claimed: Claimed, text: str) -> str:
    """Why a game's notation, its row and its secret do not belong together; empty if they do."""
    if hashlib.sha256(text.encode()).hexdigest() != claimed.digest:
        return "its notation is not the one that was reported"
    try:
        record = verified(text).record
    except Flaw as flaw:
        return f"its notation does not verify: {flaw}"
    return _differing(key, claimed, record)


def _differing(key: Key, claimed: Claimed, record: Record) -> str:
    """Which part of the row its notation contradicts; empty if none."""
    head, players = record.head, len(record.scores)
    pairs = {
        "the game's key": (key, (head.match, head.game)),
        "the deal": (claimed.deal, head.commitment),
        "the secret": (game_secret(claimed.secret, key[1]), head.secret),
        "the table size": ((claimed.players, len(claimed.seats)), (players, players)),
        "the number of actions": (claimed.plies, len(record.moves)),
        "the names of the seats": (claimed.names, head.seats),
        "the bots of the seats": (tuple(s.bot_id for s in claimed.seats), rotated(claimed.entrants, key[1])),
        "points, places or forfeits": (tuple(map(_outcome, claimed.seats)), _outcomes(record)),
    }
    return next((f"{what} on record and in the notation differ" for what, (a, b) in pairs.items() if a != b), "")


def _outcome(seat: Seat) -> tuple[object, ...]:
    return (seat.score, seat.place, seat.forfeit, seat.forfeit_ply, seat.early)


def _outcomes(record: Record) -> tuple[tuple[object, ...], ...]:
    faults = {fault.seat: (fault.reason, fault.ply, fault.early) for fault in record.forfeits}
    return tuple(
        (score.points, score.place, *faults.get(seat, (None, None, False)))
        for seat, score in enumerate(record.scores)
    )
