"""Which entrants share a table so that all play equally often and any two meet equally often or nearly so."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, permutations
from math import comb

Block = tuple[int, ...]

# Exact designs around one fixed entrant, the last; the rest turn modulo entrants - 1 (docs/statistics.md §1.11).
# (9, 3), (16, 4), (25, 5) are the affine planes, (8, 4) the affine space of eight points.
ROTATIONAL: dict[tuple[int, int], tuple[Block, ...]] = {
    (6, 3): ((5, 0, 1), (0, 1, 3)),
    (8, 4): ((7, 0, 1, 3), (2, 4, 5, 6)),
    (9, 3): ((8, 0, 4), (0, 1, 6)),
    (16, 4): ((15, 0, 5, 10), (0, 1, 3, 7)),
    (25, 5): ((24, 0, 6, 12, 18), (0, 1, 4, 9, 11)),
}
SEARCH_STEPS = 20_000


def tables(entrants: int, size: int, *, rounds: int) -> tuple[tuple[Block, ...], ...]:
    """The tables of every round; a plan of fewer rounds is the beginning of a longer one."""
    if size == 2:
        return (berger(entrants),) * rounds
    if comb(entrants, size) <= 3 * entrants:
        return (tuple(combinations(range(entrants), size)),) * rounds
    if bases := ROTATIONAL.get((entrants, size)):
        return (tuple(dict.fromkeys(_developed(bases, entrants - 1))),) * rounds  # some orbits are short
    return tuple(tuple(_developed(bases, entrants)) for bases in families(entrants, size, rounds=rounds))


def berger(entrants: int) -> tuple[Block, ...]:
    """All pairs in the order of the Berger tables; with an odd field one entrant sits out at a time."""
    modulus = entrants - 1 + entrants % 2
    fixed = [(0, modulus)] if modulus < entrants else []
    pairs = [(low, modulus - low) for low in range(1, (modulus + 1) // 2)]
    return tuple(_developed(fixed + pairs, modulus, step=(modulus + 1) // 2))


def families(entrants: int, size: int, *, rounds: int) -> Iterator[tuple[Block, ...]]:
    """Base blocks of each round; turned through all entrants, two meet as often as their difference occurs."""
    met = [0] * entrants
    for _ in range(rounds):
        bases = _family(size, met)
        met = differences(bases, met)
        yield bases


def differences(bases: Iterable[Block], before: Sequence[int]) -> list[int]:
    """How often each difference modulo `len(before)` occurs within the blocks, added to `before`."""
    counts = list(before)
    for base in bases:
        _tally(counts, base, by=1)
    return counts


def _developed(bases: Sequence[Block], modulus: int, *, step: int = 1) -> Iterator[Block]:
    """Every base block turned through the whole circle; the entrant numbered `modulus` stays put."""
    for turn in range(0, modulus * step, step):
        for base in bases:
            yield tuple(sorted(x if x == modulus else (x + turn) % modulus for x in base))


def _family(size: int, met: Sequence[int]) -> tuple[Block, ...]:
    """The fewest base blocks found that let every two meet and leave all meetings so far within one."""
    fewest = -(-(len(met) - 1) // (size * (size - 1)))
    for count in range(fewest, fewest + 3):
        bases = _search(size, met, count=count)
        if _is_flat(differences(bases, met)):
            break
    return bases


def _search(size: int, met: Sequence[int], *, count: int) -> tuple[Block, ...]:
    """Exchange search: move one element of one block at a time, downhill, level, or now and then a little up."""
    bases = [tuple(range(size))] * count
    counts = differences(bases, met)
    for draw in islice(_draws(), SEARCH_STEPS):
        if _is_flat(counts):
            break
        at = draw % count
        bases[at] = _better(counts, bases[at], draw=draw // count)
    return tuple(bases)


def _better(counts: list[int], block: Block, *, draw: int) -> Block:
    """The block as drawn anew in one element, unless that makes `counts` more uneven; keeps `counts` in step."""
    new = _moved(block, draw, modulus=len(counts))
    before = sum(c * c for c in counts)
    _tally(counts, block, by=-1)
    _tally(counts, new, by=1)
    if sum(c * c for c in counts) <= before + (4 if draw % 16 == 0 else 0):
        return new
    _tally(counts, block, by=1)
    _tally(counts, new, by=-1)
    return block


def _moved(block: Block, draw: int, *, modulus: int) -> Block:
    """The block with one element put elsewhere, or as it is if that place is taken."""
    draw, at = divmod(draw, len(block))
    place = draw % modulus
    return block if place in block else (*block[:at], place, *block[at + 1 :])


def _tally(counts: list[int], block: Block, *, by: int) -> None:
    for x, y in permutations(block, 2):
        counts[(x - y) % len(counts)] += by


def _is_flat(counts: Sequence[int]) -> bool:
    return max(counts[1:]) - min(counts[1:]) <= 1


def _draws() -> Iterator[int]:
    """The same stream of 31-bit numbers every time (Knuth's MMIX congruential generator)."""
    state = 1
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33
