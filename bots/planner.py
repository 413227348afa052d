"""The bot with common sense: points now, what they leave open, what the satchel is good for, what others get."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, islice

from arena.game import position, rules
from arena.game.legal import orders, satchel
from arena.game.rules import COLUMNS, NOBODY, PENALTY, SHAPES, State
from arena.game.ruleset import PER_COLOUR
from arena.sdk import Action, Lake, Pass, River, View, shown

Numbers = tuple[bytes, bytes]
MEMORY = 1 << 16  # positions remembered by each of the cached functions

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
        own = POINTS * rules.score(s, seat) + outlook(s, seat) + PIECE * min(4, s.array("satchel_count")[seat])
    else:
        own = rules.score(s, seat)
    if s.over:
        return own
    rivals = [(s.ply + step) % s.players for step in range(min(2, s.players - 1))]
    spoils = sum(best_haul(s, rival) for rival in rivals)
    return own + RIPE * best_haul(s, seat) - DENIED * spoils / (s.players - 1)


def best_haul(s: State, seat: int) -> int:
    """Points of the best tile the seat can collect, if it has a turn left."""
    turn = s.ply + (seat - s.ply) % s.players
    if s.trigger != NOBODY and turn >= s.end:
        return 0
    columns, owned = glassworks(s, seat)
    return max((haul(numbers(s), columns, owned, lying(s, tile)) for tile in reach(s, seat)), default=0)


def reach(s: State, seat: int) -> set[int]:
    """River indices the seat can collect: beside the shapes it holds, with a pair all (§3.1, §3.2)."""
    held = [kind % SHAPES for kind in satchel(s, seat)]
    if len(set(held)) < len(held):
        return set(range(SHAPES))
    places = [s.array("river").index(shape) for shape in held]
    return {place + side for place in places for side in (-1, 1) if 0 <= place + side < SHAPES}


def outlook(s: State, seat: int) -> float:
    """Points that one more piece of any colour would bring, by how common the colours are."""
    columns, owned = glassworks(s, seat)
    common = PER_COLOUR if s.players == rules.SEATS else PER_COLOUR[:-1]
    gains = (haul(numbers(s), columns, owned, bytes((colour * SHAPES,))) for colour in range(len(common)))
    return sum(many * gain for many, gain in zip(common, gains, strict=True)) / sum(common)


def glassworks(s: State, seat: int) -> tuple[bytes, bytes]:
    """Height and colour of each column of a seat."""
    columns = slice(seat * COLUMNS, (seat + 1) * COLUMNS)
    return bytes(s.array("height")[columns]), bytes(s.array("owner")[columns])


def lying(s: State, tile: int) -> bytes:
    """Kinds on the tile at a river index."""
    return rules.on_tile(s, tile)


def numbers(s: State) -> Numbers:
    """The scores of rows and columns."""
    tables = s.tables  # made anew on each reading
    return tables.row_score, tables.column_score


@lru_cache(MEMORY)
def haul(score: Numbers, columns: bytes, owned: bytes, kinds: bytes) -> int:
    """Points of collecting some kinds; rare colours open their columns first (§5)."""
    high, colours, surplus = bytearray(columns), bytearray(owned), 0
    for kind in reversed(kinds):
        if (colour := kind // SHAPES) not in colours and NOBODY in colours:
            colours[colours.index(NOBODY)] = colour
        column = colours.find(colour)
        if column < 0 or high[column] * COLUMNS == len(score[1]):
            surplus += 1
        else:
            high[column] += 1
    return points(score, bytes(high)) - points(score, columns) - PENALTY * surplus


@lru_cache(MEMORY)
def points(score: Numbers, columns: bytes) -> int:
    """Points of a glassworks by the heights of its columns (§7.1, §7.2)."""
    row_score, column_score = score
    rows = [next((at for at, high in enumerate(columns) if high <= row), COLUMNS) for row in range(max(columns))]
    tallest = sorted(range(COLUMNS), key=lambda at: (-columns[at], at))[:2]
    tops = [column_score[(columns[at] - 1) * COLUMNS + at] for at in tallest if columns[at]]
    return sum(row_score[length] for length in rows) + sum(tops)


if __name__ == "__main__":
    from arena.sdk import run

    run(choose, name="planner")
