"""Leaderboards and standings, computed from the results when asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

from arena.contest.elo import pair_score
from arena.contest.ledger import Table
from arena.contest.rating import OVERALL, Boards, Row, Settings, boards, superiority
from arena.contest.referee import rated_pairs
from arena.desk.tournaments import named, spec_from_json
from arena.store import bots, games
from arena.store.engine import Store
from arena.store.games import Result
from arena.store.ids import VersionId

ANCHOR = ("greedy", "1")  # frozen reference bot (docs/statistics.md §1.3)


@dataclass(frozen=True, slots=True)
class Rated:
    """A row of a board with names instead of ids; `ahead` is the likelihood that it is stronger than the next."""

    bot: str
    version: str
    row: Row
    ahead: float | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """The results to rate, who played them, and the table sizes whose mean is the overall rating."""

    results: tuple[Result, ...]
    names: Mapping[VersionId, tuple[str, str]]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """All boards by name, and the fingerprint of what they were computed from."""

    boards: Mapping[str, tuple[Rated, ...]]
    ledger: str
    digest: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a tournament's ranking; `share` is the mean share of opponents beaten, `wins` counts shares."""

    bot: str
    version: str
    games: int
    share: float
    mean_score: float
    wins: float
    forfeits: int
    elo: float | None = None
    low: float | None = None
    high: float | None = None


def leaderboard(store: Store, tournament: str = "") -> Leaderboard:
    """The boards over all games that count, or over those of one tournament; raises NotFound."""
    return _leaderboard(_gathered(store, tournament))


def standings(store: Store, tournament: str) -> tuple[Standing, ...]:
    """The ranking of a tournament, best first; raises NotFound."""
    gathered = _gathered(store, tournament)
    elo = {(one.bot, one.version): one.row for one in _leaderboard(gathered).boards.get(OVERALL, ())}
    return tuple(_with_elo(row, elo.get((row.bot, row.version))) for row in _tallied(gathered))


def _leaderboard(gathered: Gathered) -> Leaderboard:
    anchor = next((version for version, name in gathered.names.items() if name == ANCHOR), None)
    fit = boards(map(rated, gathered.results), Settings(anchor, sizes=gathered.sizes))
    shown = {board: _named(fit, board, gathered.names) for board in fit.rows}
    return Leaderboard(shown, fit.ledger, fit.digest)


def _named(fit: Boards, board: str, names: Mapping[VersionId, tuple[str, str]]) -> tuple[Rated, ...]:
    rows = fit.rows[board]
    ahead = [_ahead(fit, board, row, below) for row, below in pairwise(rows)]
    named = [names[VersionId(row.player)] for row in rows]
    return tuple(
        Rated(bot, version, row, lead)
        for (bot, version), row, lead in zip(named, rows, [*ahead, None][: len(rows)], strict=True)
    )


def _ahead(fit: Boards, board: str, row: Row, below: Row) -> float | None:
    """How likely a row is truly stronger than the one below; None where no games link them."""
    if row.component != below.component:
        return None
    return superiority(fit, board, better=row.player, than=below.player)


def _gathered(store: Store, tournament: str) -> Gathered:
    with store.reading() as tx:
        event = named(tx, tournament) if tournament else None
        names = {one.version.id: (one.bot_name, one.version.label) for one in bots.every_version(tx)}
        found = tuple(games.results(tx, event.id if event else None))
    declared = spec_from_json(event.spec).sizes if event else {result.players for result in found}
    return Gathered(found, names, tuple(sorted(declared)))


def rated(result: Result) -> Table:
    """A stored game as the ratings see it."""
    gone = frozenset(seat.seat for seat in result.seats if seat.forfeit is not None)
    spoiled = any(seat.early for seat in result.seats)
    return Table(
        key=f"{result.match_id}/{result.game_index}",
        deal=result.deal,
        players=tuple(seat.version_id for seat in result.seats),
        places=tuple(seat.place for seat in result.seats),
        pairs=rated_pairs(result.players, gone, spoiled=spoiled),
        forfeits=tuple(seat.forfeit is not None for seat in result.seats),
    )


def _tallied(gathered: Gathered) -> tuple[Standing, ...]:
    rows: dict[VersionId, Standing] = {}
    for result in gathered.results:
        for seat in result.seats:
            fresh = Standing(*gathered.names[seat.version_id], 0, 0.0, 0.0, 0.0, 0)
            row = rows.setdefault(seat.version_id, fresh)
            rows[seat.version_id] = _counted(row, result, seat.seat)
    return tuple(sorted(map(_mean, rows.values()), key=lambda row: (-row.share, row.bot)))


def _counted(row: Standing, result: Result, seat: int) -> Standing:
    own = result.seats[seat]
    others = [other.place for other in result.seats if other is not own]
    firsts = sum(other.place == 1 for other in result.seats)
    return replace(
        row,
        games=row.games + 1,
        share=row.share + fmean(pair_score(own.place, place) for place in others),
        mean_score=row.mean_score + own.score,
        wins=row.wins + (1 / firsts if own.place == 1 else 0),
        forfeits=row.forfeits + (own.forfeit is not None),
    )


def _mean(row: Standing) -> Standing:
    return replace(row, share=row.share / row.games, mean_score=row.mean_score / row.games)


def _with_elo(row: Standing, rating: Row | None) -> Standing:
    return row if rating is None else replace(row, elo=rating.elo, low=rating.low, high=rating.high)
