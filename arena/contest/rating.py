"""The leaderboard: ratings of all versions, per table size and overall, from the finished games."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from statistics import NormalDist

import numpy as np

from arena.contest.elo import expected, weight
from arena.contest.ledger import SIZES, Table, ledger
from arena.contest.rating_estimate import Estimate, Settings, estimate, overall
from arena.contest.rating_rows import Row, distances, rows
from arena.contest.rating_tally import fingerprint, tally
from arena.errors import BadInput, NotFound

__all__ = ["OVERALL", "Boards", "Row", "Settings", "Table", "boards", "expected", "superiority", "weight"]

OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Boards:
    """All boards of one set of games; the same games give the same boards in whatever order they came."""

    rows: Mapping[str, tuple[Row, ...]]
    """By "overall" and by table size ("2" .. "5") played or declared."""
    effects: Mapping[str, float]
    """The design effect by table size: below 1 where repeated deals or ties save games."""
    ledger: str
    """Hash of the whole numbers behind the ratings."""
    digest: str
    """Hash of the boards as published, ratings to 0.1, together with the ledger."""
    estimates: Mapping[str, Estimate] = field(repr=False, compare=False)


def boards(tables: Iterable[Table], settings: Settings) -> Boards:
    """The boards of these games, each counted once (`docs/statistics.md §1.1`)."""
    games = ledger(tables)
    played = {len(table.players) for table in games} | set(settings.sizes)
    tallies = {size: tally(games, size) for size in SIZES if size in played}
    fits = {size: estimate(board, settings) for size, board in tallies.items()}
    estimates = {str(size): found for size, (found, _) in fits.items()}
    if settings.sizes:
        estimates[OVERALL] = overall({size: found for size, (found, _) in fits.items()}, settings.sizes)
    listed = {name: rows(found) for name, found in estimates.items()}
    effects = {str(size): effect for size, (_, effect) in fits.items()}
    entered = fingerprint(tallies.values())
    digest = sha256("\n".join([entered, *_text(listed, effects)]).encode()).hexdigest()
    return Boards(rows=listed, effects=effects, ledger=entered, digest=digest, estimates=estimates)


def superiority(ratings: Boards, board: str, *, better: str, than: str) -> float:
    """How likely the one is truly stronger, by their joint covariance (`docs/statistics.md §1.5`)."""
    if board not in ratings.estimates:
        raise NotFound(f"no board {board!r}; there are {', '.join(ratings.estimates)}")
    found = ratings.estimates[board]
    pair = np.array([_place(found, board, player) for player in (better, than)])
    if np.ptp(found.links.component[pair]):
        raise BadInput(f"{better!r} and {than!r} cannot be compared on board {board!r}: no games link them yet")
    lead = distances(found.elo[pair], found.covariance[np.ix_(pair, pair)])[0, 1]
    return NormalDist().cdf(float(lead))


def _place(found: Estimate, board: str, player: str) -> int:
    if player not in found.players:
        raise NotFound(f"no player {player!r} on board {board!r}; it must play there first")
    return found.players.index(player)


def _text(listed: Mapping[str, tuple[Row, ...]], effects: Mapping[str, float]) -> Iterator[str]:
    """The boards as lines of JSON, rounded as published."""
    for board, effect in effects.items():
        yield json.dumps([board, _rounded(effect, 3)])
    for board, table in listed.items():
        for row in table:
            published = [_rounded(value, 1) for value in (row.elo, row.low, row.high)]
            counts = [row.games, row.forfeits, row.rank_low, row.rank_high, row.component]
            yield json.dumps([board, row.player, *published, *counts, row.bounded, row.provisional])


def _rounded(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:.{digits}f}"
