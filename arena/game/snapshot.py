"""A position written down: all its fields as numbers and bytes, to store, to compare, to build one from."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that tells two positions on the same tables apart, but for the dice; rules.State says what they hold."""

    players: int
    ply: int
    trigger: int
    end: int
    passes: int
    over: bool
    front: int
    back: int
    lake_count: int
    phase: int
    target: int
    owed: int
    least: int
    guessed: bool
    bag: bytes = field(repr=False)
    river: bytes
    stock: bytes = field(repr=False)
    edge: bytes = field(repr=False)
    lake: bytes
    satchel: bytes
    satchel_count: bytes
    owner: bytes
    column: bytes = field(repr=False)
    height: bytes
    cell: bytes = field(repr=False)
    placed: bytes
    overflow: bytes = field(repr=False)
    overflow_count: bytes
