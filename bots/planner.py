"""The bot with common sense: points now, what they leave open, what the satchel is good for, what others get."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice

from arena.game import position, rules
from arena.game.legal import orders, satchel
from arena.game.rules import COLUMNS, NOBODY, PENALTY, PIECES, SHAPES, State
from arena.sdk import Action, Lake, Pass, River, View, shown

ORDERS = 24  # colour orders tried per haul
GIVEN = 2  # most pieces it gives up at the lake, unless it must
POINTS = 0.85  # what a point on the table is worth while the race is open: early leads melt
RIPE = 0.3  # what the best haul in reach is worth: others may take it
PIECE = 0.7  # what a piece in the satchel is worth: fewer turns lost at the lake
DENIED = 0.65  # what the next player's best haul costs, shared among all others


def choose(view: View) -> Action:
    """The turn that leaves the best position behind."""
    now = shown(view)
    return max(turns(view), key=lambda turn: worth(position.advance(now, turn), view.seat))


def turns(view: View) -> Iterator[Action]:
    """The turns worth a thought, few enough to look at each."""
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


def worth(s: State, seat: int) -> float:
    """What a position is worth to the seat that has just moved."""
    if s.trigger == NOBODY:
        own = POINTS * rules.score(s, seat) + outlook(s, seat) + PIECE * min(4, s.satchel_count[seat])
    else:
        own = rules.score(s, seat)
    if s.over:
        return own
    rivals = [(s.ply + step) % s.players for step in range(min(2, s.players - 1))]
    spoils = sum(best_haul(s, rival) for rival in rivals)
    return own + RIPE * best_haul(s, seat) - DENIED * spoils / (s.players - 1)


def best_haul(s: State, seat: int) -> int:
    """Points of the best tile that the seat can collect, if it still has a turn."""
    turn = s.ply + (seat - s.ply) % s.players
    if s.trigger != NOBODY and turn >= s.end:
        return 0
    return max((haul(heights(s, seat), owners(s, seat), pieces(s, tile)) for tile in reach(s, seat)), default=0)


def reach(s: State, seat: int) -> set[int]:
    """River indices that the seat can collect: beside the shapes it holds, or all with a pair (§3.1, §3.2)."""
    held = [kind % SHAPES for kind in satchel(s, seat)]
    if len(set(held)) < len(held):
        return set(range(SHAPES))
    places = [s.river.index(shape) for shape in held]
    return {place + side for place in places for side in (-1, 1) if 0 <= place + side < SHAPES}


def outlook(s: State, seat: int) -> float:
    """Points that one more piece of a random colour would bring."""
    columns, colours = heights(s, seat), owners(s, seat)
    many = [sum(row) for row in COMMON]
    return sum(many[c] * haul(columns, colours, bytes((c * SHAPES,))) for c in range(len(many))) / sum(many)


def heights(s: State, seat: int) -> bytes:
    """Pieces in each column of the seat."""
    return bytes(s.height[seat * COLUMNS : (seat + 1) * COLUMNS])


def owners(s: State, seat: int) -> bytes:
    """Colour of each column of the seat."""
    return bytes(s.owner[seat * COLUMNS : (seat + 1) * COLUMNS])


def pieces(s: State, tile: int) -> bytes:
    """Kinds on the tile at a river index."""
    base = s.river[tile] * PIECES
    return bytes(s.stock[base : base + s.stock_count[s.river[tile]]])
