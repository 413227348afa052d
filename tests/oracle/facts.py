"""The numbers of RULES §1, §6 and §7 that the oracle plays with unless told otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass

Piece = tuple[int, int]  # (colour 0..8 in the order of the table in RULES §1, shape 0..5)

SHAPES = 6
BLACK = 8

KINDS = (  # RULES §1: a row per colour, an entry per shape
    (4, 4, 4, 4, 3, 3),  # white
    (4, 4, 3, 3, 4, 4),  # purple
    (2, 3, 3, 3, 3, 3),  # light blue
    (3, 2, 3, 3, 3, 3),  # dark blue
    (2, 2, 2, 2, 2, 2),  # light green
    (2, 2, 2, 2, 2, 2),  # dark green
    (2, 1, 2, 1, 2, 1),  # yellow
    (1, 2, 1, 2, 1, 2),  # orange
    (2, 2, 2, 2, 2, 2),  # black
)
COLUMN_POINTS = (  # RULES §7.3: a row per column, an entry per height 0..5
    (0, 1, 2, 3, 4, 5),
    (0, 2, 4, 6, 8, 10),
    (0, 3, 6, 9, 12, 15),
    (0, 4, 8, 12, 16, 20),
    (0, 5, 10, 15, 20, 25),
    (0, 6, 12, 18, 24, 30),
    (0, 7, 14, 21, 28, 35),
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The table numbers of one rule set; a plain dict of overrides becomes one by `Numbers(**overrides)`."""

    kinds: Sequence[Sequence[int]] = KINDS
    stones: Sequence[int] = (1, 2, 1, 2, 1, 2)  # §1: shapes 2, 4 and 6, counted from one, show two
    black_players: int = 5  # §2.1
    lake: int = 5  # §2.4
    satchel_start: int = 3  # §2.5
    lake_take: int = 4  # §4.1
    satchel_limit: int = 5  # §4.2
    columns: int = 7  # §1
    rows: int = 5  # §1
    trigger: int = 17  # §6.1
    last_satchel: int = 3  # §6.2
    refill_in_last_stage: bool = True  # §6.5
    row_points: Sequence[int] = (0, 1, 2, 4, 7, 11, 16, 22)  # §7.1
    column_points: Sequence[Sequence[int]] = COLUMN_POINTS  # §7.3
    columns_scored: int = 2  # §7.2
    overflow_cost: int = 3  # §7.4


DEFAULT = Numbers()
