"""Boards as tables that people read: groups that may be compared, ranks as ranges, intervals as bars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor

from arena.contest.rating import Row
from arena.desk.boards import Rated

WIDTH = 160.0
"""Units of a bar from end to end; the style sheet draws one as a sixteenth of the letter size."""
MARGIN = 4.0
LEAST_SPAN = 100.0  # Elo, so that a board of equals does not look torn apart
STEPS = (25, 50, 100, 200, 500, 1000, 2000, 5000)
FEW = 3  # stretches between the marks of a scale


@dataclass(frozen=True, slots=True)
class Scale:
    """The stretch of Elo that the bars of a table share."""

    low: float
    high: float

    @property
    def marks(self) -> tuple[int, ...]:
        """Round ratings within it."""
        step = next((step for step in STEPS if (self.high - self.low) / step <= FEW), STEPS[-1])
        return tuple(range(ceil(self.low / step) * step, floor(self.high / step) * step + 1, step))

    def x(self, elo: float) -> float:
        """Where a rating lies, those beyond the scale at its end."""
        inside = min(max(elo, self.low), self.high)
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (inside - self.low) / (self.high - self.low), 1)

    def holds(self, elo: float) -> bool:
        """Whether the rating is on the scale."""
        return self.low <= elo <= self.high


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that may be compared with each other, best first, and the scale of their bars."""

    rows: tuple[Rated, ...]
    scale: Scale


def groups(rows: Iterable[Rated]) -> tuple[Group, ...]:
    """The comparable parts of a board: the anchor's or the largest first (`docs/statistics.md §1.4`)."""
    by_part = sorted(rows, key=lambda one: one.row.component)
    parts = [tuple(part) for _, part in groupby(by_part, key=lambda one: one.row.component)]
    return tuple(Group(part, scale([one.row for one in part])) for part in parts)


def scale(rows: Sequence[Row]) -> Scale:
    """The stretch that holds the intervals of the rows that are sure, or of all when none is."""
    sure = [row for row in rows if row.bounded and not row.provisional and row.low < row.high] or rows
    low = min([*(row.low for row in sure), *(row.elo for row in rows)])
    high = max([*(row.high for row in sure), *(row.elo for row in rows)])
    lack = max(0.0, LEAST_SPAN - (high - low)) / 2
    return Scale(low - lack, high + lack)


def rank(row: Row) -> str:
    """The ranks that the results leave open."""
    return f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low}\u2013{row.rank_high}"


def elo(rating: float) -> str:
    """A rating as a whole number, with a true minus sign."""
    return f"{round(rating):,}".replace("-", "\u2212")


def interval(low: float, high: float) -> str:
    """A 95 % interval in words; an anchor has none."""
    return "fixed" if low == high else f"{elo(low)} to {elo(high)}"


def span(seconds: float) -> str:
    """A length of time in its largest unit."""
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
