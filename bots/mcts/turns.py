"""Turns for the tree: as decisions, few enough to look at each."""

from collections.abc import Iterator
from itertools import combinations, islice

from arena.game.decisions import PAIRS
from arena.game.legal import orders, satchel
from arena.game.rules import DOUBLE, GIVE, LEAVE, ORDERING, PASS, SHAPES, WAYS
from arena.sdk import Action, Lake, Pass, River, State, View

ORDERS = 24  # colour orders looked at per haul
GIVEN = 2  # most pieces given up at the lake, unless there is nothing else

Turn = tuple[int, ...]  # decisions


def turns(view: View) -> Iterator[Action]:
    """The turns worth a look at the root."""
    options = view.legal
    if options.must_pass:
        yield Pass()
    for placement in options.placements:
        for order in islice(orders(placement), ORDERS):
            yield River(placement.pieces, placement.tile, placement.side, order)
    if options.lakes and (options.discards <= GIVEN or not options.placements):
        for take in options.lakes:
            held = sorted((*view.me.satchel, *take))
            for given in dict.fromkeys(combinations(held, options.discards)):
                yield Lake(take, given)


def replies(state: State) -> Iterator[Turn]:
    """Turns of later seats: each single piece, pairs for tiles that none of them reaches, the lake if it is cheap."""
    legal, held = state.legal(), satchel(state, state.seat)
    reached, shapes = set(), set()
    for decision in legal:
        if decision < DOUBLE:
            reached.add(state.array("river").index(held[decision // 2] % SHAPES) + 2 * (decision % 2) - 1)
            yield (decision,)
        elif decision < LEAVE:
            pair, way = divmod(decision - DOUBLE, WAYS)
            target = (way + 1) // 2 + 1 - 2 * (way % 2)
            shape = held[PAIRS[pair][0]] % SHAPES
            if target not in reached and (shape, way) not in shapes:
                shapes.add((shape, way))
                yield (decision,)
        elif decision == PASS or len(held) <= 2 or not (reached or shapes):
            yield (decision,)


def play(state: State, turn: Turn) -> None:
    """Take a turn; what its decisions leave open is decided by habit."""
    ply = state.ply
    for decision in turn:
        state.step(fitting(state, decision))
    while state.ply == ply and not state.over:
        state.step(habit(state))


def fitting(state: State, decision: int) -> int:
    """The decision, or the nearest to it where the lake has been refilled with other pieces."""
    if not LEAVE <= decision < PASS:
        return decision
    legal = state.legal()
    return max((one for one in legal if LEAVE <= one <= decision), default=legal[0])


def habit(state: State) -> int:
    """Rare colours first; of pieces to give up, those whose shape is there most often."""
    legal = state.legal()
    if state.phase == ORDERING:
        return legal[-1]
    held = satchel(state, state.seat)
    shapes = [kind % SHAPES for kind in held]
    return max(legal, key=lambda decision: shapes.count(shapes[decision - GIVE]))
