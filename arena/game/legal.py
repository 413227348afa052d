"""What the mover may do, in compact form and written out."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from arena.game import rules
from arena.game.actions import Action, Lake, Pass, River
from arena.game.rules import State


@dataclass(frozen=True, slots=True)
class Placement:
    """One way to place and collect; `new` colours compete for `room` columns (0 or 1 new: nothing to order)."""

    pieces: tuple[int, ...]
    tile: int
    side: int
    new: tuple[int, ...]
    room: int


@dataclass(frozen=True, slots=True)
class Legal:
    """All legal turns: placements, distinct lake choices with a number of discards, or the forced pass."""

    placements: tuple[Placement, ...]
    lakes: tuple[tuple[int, ...], ...]
    discards: int
    must_pass: bool


def legal(state: State) -> Legal:
    """The compact legal set of the mover; empty when the game is over."""
    if state.over:
        return Legal((), (), 0, must_pass=False)
    lakes = _lakes(state)
    return Legal(_placements(state), lakes, rules.discard_count(state) if lakes else 0, rules.must_pass(state))


def actions(state: State) -> Iterator[Action]:
    """Every legal turn in canonical spelling (§5.6), river first; can be tens of thousands."""
    options = legal(state)
    for placement in options.placements:
        for order in orders(placement):
            yield River(placement.pieces, placement.tile, placement.side, order)
    for take in options.lakes:
        for discards in _choices(tuple(sorted(satchel(state, rules.mover(state)) + take)), options.discards):
            yield Lake(take, discards)
    if options.must_pass:
        yield Pass()


def orders(placement: Placement) -> Iterator[tuple[int, ...]]:
    """The canonical colour orders of a placement (§5.5, §5.6)."""
    if len(placement.new) < 2:
        return iter(((),))
    return permutations(placement.new, min(placement.room, len(placement.new)))


def neutral(state: State) -> Action:
    """The turn of a seat whose bot is gone: the first legal one, so that a replay needs no dice."""
    return next(actions(state))


def satchel(state: State, seat: int) -> tuple[int, ...]:
    """Sorted kinds in a seat's satchel."""
    return tuple(rules.in_satchel(state, seat))


def _placements(state: State) -> tuple[Placement, ...]:
    held = satchel(state, rules.mover(state))
    room = rules.free_columns(state)
    new = [tuple(rules.new_colours(state, tile)) for tile in range(rules.SHAPES)]
    return tuple(
        Placement(pieces, tile, side, new[tile + side], room)
        for pieces, tiles in _groups(state, held)
        for tile in tiles
        for side in (-1, 1)
        if 0 <= tile + side < rules.SHAPES
    )


def _groups(state: State, held: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Distinct groups that may be placed, each with the tiles it may go to (§3.1)."""
    for kind in sorted(set(held)):
        yield (kind,), (state.array("river").index(kind % rules.SHAPES),)
    for pair in _choices(held, 2):
        if pair[0] % rules.SHAPES == pair[1] % rules.SHAPES:
            yield pair, tuple(range(rules.SHAPES))


def _lakes(state: State) -> tuple[tuple[int, ...], ...]:
    if not rules.lake_is_open(state):
        return ()
    return _choices(tuple(state.array("lake")[: state.lake_count]), rules.lake_take(state))


def _choices(kinds: tuple[int, ...], count: int) -> tuple[tuple[int, ...], ...]:
    """Distinct sorted groups of `count` out of sorted kinds."""
    return tuple(dict.fromkeys(combinations(kinds, count)))
