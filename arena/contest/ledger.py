"""The finished games that ratings are made of, each entered once under its key."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from arena.errors import BadInput, Conflict

SIZES = (2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Table:
    """One finished game as the ratings see it (`docs/statistics.md §1.2`)."""

    key: str
    """Names the game for ever."""
    deal: str
    """Names the bag; all games played on it are one cluster."""
    players: tuple[str, ...]
    """Version ids by seat."""
    places: tuple[int, ...]
    """1 is best; equal numbers share a place."""
    pairs: tuple[tuple[int, int], ...]
    """The pairs of seats that are rated, lower seat first, in ascending order."""
    forfeits: tuple[bool, ...]
    """Who forfeited, by seat."""

    def __post_init__(self) -> None:
        if flaw := _flaw(self):
            raise BadInput(f"game {self.key!r} cannot be rated: {flaw}")


def ledger(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Each game once, by deal and then key, whatever order they came in and however often."""
    entered: dict[str, Table] = {}
    for table in tables:
        if entered.setdefault(table.key, table) != table:
            raise Conflict(f"two different results for game {table.key!r}; void one of them and rate again")
    return tuple(sorted(entered.values(), key=lambda table: (table.deal, table.key)))


@cache
def every_pair(players: int) -> tuple[tuple[int, int], ...]:
    """All pairs of seats at a table of this many, which is what an ordinary game rates."""
    return tuple(combinations(range(players), 2))


def _flaw(table: Table) -> str:
    size = len(table.players)
    if size not in SIZES:
        return f"{size} seats; a table has 2 to 5"
    if len(table.places) != size or len(table.forfeits) != size:
        return f"{size} players need {size} places and {size} forfeit marks"
    if min(table.places) < 1:
        return "places start at 1"
    if table.pairs != every_pair(size) and not _orderly(table.pairs, size):
        return f"rated pairs {table.pairs} must be pairs of seats (i < j < {size}) in ascending order"
    return ""


def _orderly(pairs: tuple[tuple[int, int], ...], size: int) -> bool:
    return pairs == tuple(sorted(set(pairs) & set(every_pair(size))))
