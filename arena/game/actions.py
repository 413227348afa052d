"""Whole turns: the river action, the lake action and the forced pass (docs/rules.md §3, §4, §8.5)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class River:
    """Place one or two kinds on the tile at a river index, collect its neighbour at side -1 or +1.

    `order` lists the new colours that get a column, in order; only where there is a choice (§5.6).
    """

    pieces: tuple[int, ...]
    tile: int
    side: int
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lake:
    """Take lake pieces into the satchel and give up what is then too much (§4)."""

    take: tuple[int, ...]
    discards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """The pass of a player who cannot act (§8.5)."""


Action = River | Lake | Pass
