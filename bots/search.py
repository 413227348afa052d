"""The bot that looks one round ahead: guesses the bag a few times, lets everybody answer, and judges its next turn.

It judges positions as the planner does; what it adds is that it tries its turns out. The number of playouts is
fixed, and the dice depend on the view alone: the same question gets the same answer on any machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from random import Random

from arena.game import position, rules
from arena.game.legal import orders, satchel
from arena.game.packing import view_to_bytes
from arena.game.rules import COLUMNS, NOBODY, PENALTY, PIECES, SHAPES, State
from arena.game.ruleset import PER_COLOUR
from arena.sdk import Action, Lake, Pass, River, View, imagined, shown, unseen

Numbers = tuple[bytes, bytes]
CANDIDATES = 8  # turns that are tried out
PLAYOUTS = 120  # in all, most of them for the turns that do well
ORDERS = 24  # colour orders tried per haul
GIVEN = 2  # most pieces it gives up at the lake, unless it must
POINTS = 0.85  # what a point on the table is worth while the race is open: early leads melt
RIPE = 0.3  # what the best haul in reach is worth: others may take it
PIECE = 0.7  # what a piece in the satchel is worth: fewer turns lost at the lake
DENIED = 0.65  # what the next player's best haul costs, shared among all others
TRUST = 2  # playouts that the first look counts for


@dataclass(slots=True)
class Trial:
    """A turn that is tried out: its worth at first sight, and the sum over its playouts."""

    turn: Action
    sum: float


def choose(view: View) -> Action:
    """The turn that does best on average; after each stage only the better half stays."""
    now = shown(view)
    looks = sorted(
        ((worth(position.advance(now, turn), view.seat), turn) for turn in turns(view)), key=first, reverse=True
    )
    trials = [Trial(turn, TRUST * look) for look, turn in looks[:CANDIDATES]]
    rng, bag = Random(view_to_bytes(view)), list(unseen(view))
    stages = (len(trials) - 1).bit_length()
    for _ in range(stages):
        for _ in range(PLAYOUTS // stages // len(trials)):
            rng.shuffle(bag)
            guess = imagined(view, bag)
            for trial in trials:
                trial.sum += playout(position.advance(guess, trial.turn), view.seat)
        trials.sort(key=lambda trial: -trial.sum)
        del trials[(len(trials) + 1) // 2 :]
    return trials[0].turn


def first(look: tuple[float, Action]) -> float:
    """The worth of a turn at first sight."""
    return look[0]


def playout(s: State, seat: int) -> float:
    """What the position is worth after a round in which everybody takes the best haul, `seat` the best turn."""
    while not s.over and rules.mover(s) != seat:
        position.apply(s, max(quick(s), key=lambda turn: turn[0])[1])
    rivals = [standing(s, other) for other in range(s.players) if other != seat]
    own = rules.score(s, seat) if s.over else max(worth(position.advance(s, turn), seat) for _, turn in quick(s))
    return own - sum(rivals) / len(rivals)


def quick(s: State) -> Iterator[tuple[float, Action]]:
    """One turn for each tile that the mover can collect, and one at the lake, with its points."""
    seat = rules.mover(s)
    columns, owned = glassworks(s, seat)
    held = satchel(s, seat)
    for target, (pieces, tile) in ways(bytes(held), bytes(s.river)).items():
        new = rules.new_colours(s, target)
        order = tuple(reversed(new)) if len(new) > 1 else ()
        yield haul(numbers(s), columns, owned, lying(s, target)), River(pieces, tile, target - tile, order)
    if rules.lake_is_open(s) and len(held) < 3:
        take = tuple(s.lake[: rules.lake_take(s)])
        surplus = rules.discard_count(s)
        yield -PENALTY * surplus - 0.5, Lake(take, tuple(sorted((*held, *take))[:surplus]))
    if rules.must_pass(s):
        yield 0, Pass()


@cache
def ways(held: bytes, river: bytes) -> dict[int, tuple[tuple[int, ...], int]]:
    """The cheapest pieces and the tile to put them on, for each river index that can be collected (§3.1, §3.2)."""
    found: dict[int, tuple[tuple[int, ...], int]] = {}
    for kind in held:
        tile = river.index(kind % SHAPES)
        for side in (-1, 1):
            if 0 <= tile + side < SHAPES:
                found.setdefault(tile + side, ((kind,), tile))
    pair = next((pair for pair in combinations(held, 2) if pair[0] % SHAPES == pair[1] % SHAPES), ())
    for target in range(SHAPES) if pair else ():
        found.setdefault(target, (pair, target - 1 if target else 1))
    return found


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
    own = standing(s, seat)
    if s.trigger == NOBODY:
        own += PIECE * min(4, s.satchel_count[seat])
    if s.over:
        return own
    rivals = [(s.ply + step) % s.players for step in range(min(2, s.players - 1))]
    spoils = sum(best_haul(s, rival) for rival in rivals)
    return own + RIPE * best_haul(s, seat) - DENIED * spoils / (s.players - 1)


def standing(s: State, seat: int) -> float:
    """Points of a seat, and what its glassworks promises."""
    now = rules.score(s, seat)
    return POINTS * now + outlook(s, seat) if s.trigger == NOBODY else now


def best_haul(s: State, seat: int) -> int:
    """Points of the best tile the seat can collect, if it has a turn left."""
    turn = s.ply + (seat - s.ply) % s.players
    if s.trigger != NOBODY and turn >= s.end:
        return 0
    columns, owned = glassworks(s, seat)
    return max(
        (haul(numbers(s), columns, owned, lying(s, tile)) for tile in ways(bytes(satchel(s, seat)), bytes(s.river))),
        default=0,
    )


def outlook(s: State, seat: int) -> float:
    """Points that one more piece of any colour would bring, by how common the colours are."""
    columns, owned = glassworks(s, seat)
    common = PER_COLOUR if s.players == rules.SEATS else PER_COLOUR[:-1]
    gains = (haul(numbers(s), columns, owned, bytes((colour * SHAPES,))) for colour in range(len(common)))
    return sum(many * gain for many, gain in zip(common, gains, strict=True)) / sum(common)


def glassworks(s: State, seat: int) -> tuple[bytes, bytes]:
    """Height and colour of each column of a seat."""
    columns = slice(seat * COLUMNS, (seat + 1) * COLUMNS)
    return bytes(s.height[columns]), bytes(s.owner[columns])


def lying(s: State, tile: int) -> bytes:
    """Kinds on the tile at a river index."""
    base = s.river[tile] * PIECES
    return bytes(s.stock[base : base + s.stock_count[s.river[tile]]])


def numbers(s: State) -> Numbers:
    """The scores of rows and columns."""
    return s.tables.row_score, s.tables.column_score


@cache
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


@cache
def points(score: Numbers, columns: bytes) -> int:
    """Points of a glassworks by the heights of its columns (§7.1, §7.2)."""
    row_score, column_score = score
    rows = [next((at for at, high in enumerate(columns) if high <= row), COLUMNS) for row in range(max(columns))]
    tallest = sorted(range(COLUMNS), key=lambda at: (-columns[at], at))[:2]
    tops = [column_score[(columns[at] - 1) * COLUMNS + at] for at in tallest if columns[at]]
    return sum(row_score[length] for length in rows) + sum(tops)


if __name__ == "__main__":
    from arena.sdk import run

    run(choose, name="search")
