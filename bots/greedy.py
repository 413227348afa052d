"""The bot that takes what pays at once, and looks no further: `greedy@1` is the fixed point of every rating.

It never changes. A better idea belongs into a new file.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from arena.game import position, rules
from arena.game.legal import Placement, orders
from arena.sdk import Action, Lake, Pass, River, View, shown

ORDERS = 24  # colour orders tried per haul: all of them up to four new colours


def choose(view: View) -> Action:
    """The turn with the most points at once; the river before the lake, and the first of equals."""
    options = view.legal
    if options.must_pass:
        return Pass()
    turns = [*hauls(view)]
    if options.lakes:
        turns.append((-rules.PENALTY * options.discards, drawn(view)))
    return max(turns, key=lambda turn: turn[0])[1]


def hauls(view: View) -> Iterator[tuple[int, Action]]:
    """One turn for each tile that can be collected, with its points: the cheapest pieces, the best order."""
    before = shown(view)
    points = rules.score(before, view.seat)
    for placement in cheapest(view).values():
        for order in islice(orders(placement), ORDERS):
            turn = River(placement.pieces, placement.tile, placement.side, order)
            yield rules.score(position.advance(before, turn), view.seat) - points, turn


def cheapest(view: View) -> dict[int, Placement]:
    """The way to each tile that spends the fewest pieces."""
    ways: dict[int, Placement] = {}
    for placement in view.legal.placements:
        target = placement.tile + placement.side
        if target not in ways or len(placement.pieces) < len(ways[target].pieces):
            ways[target] = placement
    return ways


def drawn(view: View) -> Action:
    """The lake pieces with the most shapes, giving up shapes held twice first."""
    take = max(view.legal.lakes, key=shapes)
    held = [*view.me.satchel, *take]
    given: list[int] = []
    for _ in range(view.legal.discards):
        often = Counter(kind % rules.SHAPES for kind in held)
        given.append(max(held, key=lambda kind: (often[kind % rules.SHAPES], kind)))
        held.remove(given[-1])
    return Lake(take, tuple(sorted(given)))


def shapes(kinds: tuple[int, ...]) -> int:
    """How many shapes there are among some kinds."""
    return len({kind % rules.SHAPES for kind in kinds})


if __name__ == "__main__":
    from arena.sdk import run

    run(choose, name="greedy")
