"""The bot that looks one round ahead: it guesses the bag, lets everybody answer, and judges its best next turn.

A glassworks is judged by what it would be worth after some more pieces of random colours. The number of playouts is
fixed and the dice depend on the view alone: the same question gets the same answer on any machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, islice
from random import Random
from statistics import fmean

from arena.game import position, rules
from arena.game.legal import orders, satchel
from arena.game.packing import view_to_bytes
from arena.game.rules import COLUMNS, NOBODY, PENALTY, SHAPES, TRIGGER
from arena.game.ruleset import PER_COLOUR
from arena.sdk import Action, Lake, Pass, River, State, View, shown

Numbers = tuple[bytes, bytes]
CANDIDATES = 8  # turns that are tried out
PLAYOUTS = 150  # in all, most of them for the turns that do well
TRUST = 24  # playouts that the first look counts for: a guess at what rivals will do deserves no more
ORDERS = 24  # colour orders looked at per haul
GIVEN = 2  # most pieces it gives up at the lake, unless it must
AHEAD = 10  # most pieces that a judgement adds; also the length of a future
SOON = 4  # fewest pieces that a judgement adds before the last stage
PIECE = 0.8  # what a piece in the satchel is worth
PAIR = 1.0  # what a pair is worth: it opens the whole river
LAKE = 2.6  # what a quick turn at the lake is worth
DENIED = 0.65  # what the best hauls of the next two rivals cost, shared among all rivals


@dataclass(slots=True)
class Trial:
    """A turn that is tried out, and the sum of what came of it."""

    turn: Action
    sum: float


def choose(view: View) -> Action:
    """The turn that does best on average; after each stage only the better half is tried on."""
    trials = promising(view)
    rng, guess = Random(view_to_bytes(view)), State.from_view(view, 0)
    stages = (len(trials) - 1).bit_length()
    for _ in range(stages):
        for _ in range(PLAYOUTS // stages // len(trials)):
            guess.reseed(rng.getrandbits(64))
            for trial in trials:
                trial.sum += playout(position.advance(guess, trial.turn), view.seat)
        trials = best(trials)[: (len(trials) + 1) // 2]
    return trials[0].turn


def promising(view: View) -> list[Trial]:
    """The turns that look best at first sight."""
    now = shown(view)
    looks = [Trial(turn, TRUST * worth(position.advance(now, turn), view.seat)) for turn in turns(view)]
    return best(looks)[:CANDIDATES]


def best(trials: list[Trial]) -> list[Trial]:
    """The same trials, best first."""
    return sorted(trials, key=lambda trial: -trial.sum)


def turns(view: View) -> Iterator[Action]:
    """The turns worth a look."""
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


# Playouts


def playout(s: State, seat: int) -> float:
    """How far ahead of its rivals the seat is after their quick turns and its own best one."""
    while not s.over and rules.mover(s) != seat:
        position.apply(s, max(quick(s), key=liking)[1])
    rivals = fmean(standing(s, other) for other in range(s.players) if other != seat)
    if s.over:
        return standing(s, seat) - rivals
    return max(worth(position.advance(s, turn), seat) for _, turn in quick(s)) - rivals


def quick(s: State) -> Iterator[tuple[float, Action]]:
    """One turn for each tile that the mover can collect, and one at the lake, by what they promise."""
    seat, held = rules.mover(s), satchel(s, rules.mover(s))
    for target, (pieces, tile) in ways(held, bytes(s.array("river"))).items():
        order = tuple(reversed(rules.new_colours(s, target)))  # rare colours first
        yield lift(s, seat, target), River(pieces, tile, target - tile, order)
    if rules.lake_is_open(s) and len(held) <= GIVEN:
        take, surplus = tuple(s.array("lake")[: rules.lake_take(s)]), rules.discard_count(s)
        yield LAKE - PENALTY * surplus, Lake(take, tuple(sorted((*held, *take))[:surplus]))
    if rules.must_pass(s):
        yield 0.0, Pass()


def liking(look: tuple[float, Action]) -> float:
    """How much a quick turn is liked."""
    return look[0]


@lru_cache(1 << 14)
def ways(held: tuple[int, ...], river: bytes) -> dict[int, tuple[tuple[int, ...], int]]:
    """The fewest pieces for each tile that can be collected, and the tile to put them on (§3.1, §3.2)."""
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


# Judgement


def worth(s: State, seat: int) -> float:
    """What a position is worth to the seat that has just moved."""
    own = standing(s, seat)
    if s.over:
        return own
    if turns_left(s, seat):
        held = satchel(s, seat)
        own += PIECE * len(held) + PAIR * (len({kind % SHAPES for kind in held}) < len(held))
    rivals = [(s.ply + step) % s.players for step in range(min(2, s.players - 1))]
    spoils = sum(best_haul(s, rival) for rival in rivals)
    return own - DENIED * spoils / (s.players - 1)


def best_haul(s: State, seat: int) -> int:
    """Points of the best tile the seat can collect, if it has a turn left."""
    if not turns_left(s, seat):
        return 0
    return max((haul(s, seat, target) for target in ways(satchel(s, seat), bytes(s.array("river")))), default=0)


def turns_left(s: State, seat: int) -> int:
    """How many turns the seat has left; just yes before the last stage."""
    if s.trigger == NOBODY:
        return 1
    wait = (seat - s.ply) % s.players
    return (s.end - s.ply - wait + s.players - 1) // s.players


def standing(s: State, seat: int) -> float:
    """Points that the seat may hope for."""
    return promise(*glassworks(s, seat), coming(s, seat)) - PENALTY * s.array("overflow_count")[seat]


def coming(s: State, seat: int) -> int:
    """How many pieces the seat may still collect, about two a turn."""
    if s.trigger == NOBODY:
        return max(SOON, min(AHEAD, TRIGGER + 1 - max(s.array("placed")[: s.players])))
    return 2 * turns_left(s, seat)


def haul(s: State, seat: int, target: int) -> int:
    """Points of collecting the tile at a river index."""
    return gain(*glassworks(s, seat), lying(s, target))


def lift(s: State, seat: int, target: int) -> float:
    """What collecting the tile at a river index adds to the hopes of a seat."""
    score, columns, owned = glassworks(s, seat)
    return promise(score, columns, owned, coming(s, seat), lying(s, target)) - promise(
        score, columns, owned, coming(s, seat)
    )


def glassworks(s: State, seat: int) -> tuple[Numbers, bytes, bytes]:
    """The scores of rows and columns, height and colour of each column of a seat."""
    tables, columns = s.tables, slice(seat * COLUMNS, (seat + 1) * COLUMNS)  # tables are made anew on each reading
    return (
        (tables.row_score, tables.column_score),
        bytes(s.array("height")[columns]),
        bytes(s.array("owner")[columns]),
    )


def lying(s: State, target: int) -> bytes:
    """Colours on the tile at a river index, rare ones first."""
    return bytes(kind // SHAPES for kind in reversed(rules.on_tile(s, target)))


@lru_cache(1 << 15)
def promise(score: Numbers, columns: bytes, owned: bytes, coming: int, haul: bytes = b"") -> float:
    """Points after a haul and so many more pieces of random colours."""
    return fmean(grown(score, columns, owned, haul + future[:coming]) for future in futures())


@lru_cache(1 << 15)
def gain(score: Numbers, columns: bytes, owned: bytes, colours: bytes) -> int:
    """Points of sorting these colours at once."""
    return grown(score, columns, owned, colours) - points(score, columns)


def grown(score: Numbers, columns: bytes, owned: bytes, colours: bytes) -> int:
    """Points after sorting pieces of these colours one by one (§5)."""
    high, owners, surplus = bytearray(columns), bytearray(owned), 0
    for colour in colours:
        column = owners.find(colour)
        if column < 0 and (column := owners.find(NOBODY)) >= 0:
            owners[column] = colour
        if column < 0 or high[column] * COLUMNS == len(score[1]):
            surplus += 1
        else:
            high[column] += 1
    return points(score, bytes(high)) - PENALTY * surplus


@lru_cache(1 << 16)
def points(score: Numbers, columns: bytes) -> int:
    """Points of a glassworks by the heights of its columns (§7.1, §7.2)."""
    row_score, column_score = score
    rows = [next((at for at, high in enumerate(columns) if high <= row), COLUMNS) for row in range(max(columns))]
    tallest = sorted(range(COLUMNS), key=lambda at: (-columns[at], at))[:2]
    tops = [column_score[(columns[at] - 1) * COLUMNS + at] for at in tallest if columns[at]]
    return sum(row_score[length] for length in rows) + sum(tops)


@cache
def futures() -> tuple[bytes, ...]:
    """Colours that may come: three bags, shuffled and cut up."""
    bag = bytes(chain.from_iterable([colour] * many for colour, many in enumerate(PER_COLOUR[:-1])))
    bags = [bytes(Random(number).sample(bag, len(bag))) for number in range(3)]
    return tuple(one[start : start + AHEAD] for one in bags for start in range(0, len(bag), AHEAD))


if __name__ == "__main__":
    from arena.sdk import run

    run(choose, name="search")
