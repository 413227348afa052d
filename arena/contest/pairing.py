"""Who plays whom, at which seats and in which order, in a balanced round robin for tables of 2 to 5."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product
from typing import TypeVar

from arena.contest import designs
from arena.errors import BadInput

T = TypeVar("T")
Seats = tuple[int, ...]

# Cyclic orders of a table: over all of them everybody follows everybody equally often (docs/statistics.md §1.9).
ORDERS: dict[int, tuple[Seats, ...]] = {
    2: ((0, 1),),
    3: ((0, 1, 2), (0, 2, 1)),
    4: tuple((0, *rest) for rest in permutations((1, 2, 3))),
    5: tuple(tuple(seat * step % 5 for seat in range(5)) for step in (1, 2, 3, 4)),
}


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played: as many games as seats, the seats rotated."""

    number: int
    """From 0, in the order of play."""
    round: int
    """From 0."""
    seats: Seats
    """Entrants by seat in the first game of the match."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The least and the most that anybody has of something."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Balance:
    """How evenly a plan treats its entrants at the tables of one size."""

    size: int
    tables: int
    """Matches."""
    games: int
    meetings: Spread
    """Matches of a pair of entrants at one table."""
    played: Spread
    """Games of an entrant."""
    seated: Spread
    """Games of an entrant at one seat."""
    followed: Spread
    """Matches in which one entrant moves right after another."""

    @property
    def uneven(self) -> str:
        """What differs between entrants, for people; empty when nothing does."""
        said = {
            "two entrants meet in {} to {} matches": self.meetings,
            "an entrant plays {} to {} games": self.played,
            "an entrant plays {} to {} games at a seat": self.seated,
            "one entrant moves right after another in {} to {} matches": self.followed,
        }
        parts = [text.format(s.least, s.most) for text, s in said.items() if s.least < s.most]
        return f"at tables of {self.size}: " + ", ".join(parts) if parts else ""


def round_robin(entrants: int, sizes: Sequence[int], rounds: int) -> tuple[Pairing, ...]:
    """Every round in turn; at each size all play equally often and any two meet equally often, or within one.

    Games per entrant keep pace: the widest lead at any time is three matches of the largest size for up to
    12 entrants and four for up to 32.
    """
    _check(entrants, sizes, rounds=rounds)
    plans = [_seated(designs.tables(entrants, size, rounds=rounds)) for size in sorted(sizes)]
    turns = enumerate(zip(*plans, strict=True))
    played = [(turn, seats) for turn, tables in turns for seats in _interleaved(entrants, tables)]
    return tuple(Pairing(number, turn, seats) for number, (turn, seats) in enumerate(played))


def seating(pairing: Pairing, game: int) -> Seats:
    """Entrants by seat in one game of the match."""
    return rotated(pairing.seats, game)


def rotated(seats: tuple[T, ...], game: int) -> tuple[T, ...]:
    """Who sits where in a game of a match: each sits at each seat once in as many games as there are seats."""
    turn = game % len(seats)
    return seats[turn:] + seats[:turn]


def followers(seats: Seats) -> tuple[tuple[int, int], ...]:
    """Each entrant with the one who moves next."""
    return tuple(zip(seats, seats[1:] + seats[:1], strict=True))


def balance(pairings: Sequence[Pairing], entrants: int) -> tuple[Balance, ...]:
    """The balance of a plan by table size, counted from its games."""
    sizes = sorted({len(pairing.seats) for pairing in pairings})
    return tuple(_balance([p for p in pairings if len(p.seats) == size], entrants) for size in sizes)


def _balance(pairings: Sequence[Pairing], entrants: int) -> Balance:
    size, everybody = len(pairings[0].seats), range(entrants)
    tables = [pairing.seats for pairing in pairings]
    games = [seating(pairing, game) for pairing in pairings for game in range(size)]
    pairs = (pair for seats in tables for pair in combinations(sorted(seats), 2))
    places = (place for seats in games for place in enumerate(seats))
    return Balance(
        size=size,
        tables=len(tables),
        games=len(games),
        meetings=_spread(pairs, combinations(everybody, 2)),
        played=_spread(chain.from_iterable(games), everybody),
        seated=_spread(places, product(range(size), everybody)),
        followed=_spread(chain.from_iterable(map(followers, tables)), permutations(everybody, 2)),
    )


def _spread(counted: Iterable[Hashable], among: Iterable[Hashable]) -> Spread:
    counts = Counter(counted)
    times = [counts[one] for one in among]
    return Spread(min(times), max(times))


def _check(entrants: int, sizes: Sequence[int], *, rounds: int) -> None:
    if entrants < 2:
        raise BadInput(f"a round robin needs at least 2 entrants, not {entrants}; add {2 - entrants} or more")
    if rounds < 1:
        raise BadInput(f"a round robin needs at least 1 round, not {rounds}; choose 1 or more rounds")
    if not sizes or len(set(sizes)) < len(sizes):
        raise BadInput(f"table sizes {list(sizes)} do not work; name at least one of 2, 3, 4, 5, each once")
    for size in sizes:
        _check_size(entrants, size)


def _check_size(entrants: int, size: int) -> None:
    if size not in ORDERS:
        raise BadInput(f"there is no table of {size} seats; choose table sizes from 2 to 5")
    if size > entrants:
        raise BadInput(
            f"a table of {size} seats needs {size} entrants and there are {entrants}; "
            f"leave out size {size} or add {size - entrants} more"
        )


def _seated(rounds: Sequence[Sequence[designs.Block]]) -> list[list[Seats]]:
    """Each table in the cyclic order it had least often, and of these the one whose neighbours were so least."""
    had: Counter[Seats] = Counter()
    followed: Counter[tuple[int, int]] = Counter()
    return [[_seat(table, had, followed=followed) for table in tables] for tables in rounds]


def _seat(table: designs.Block, had: Counter[Seats], *, followed: Counter[tuple[int, int]]) -> Seats:
    ways = [tuple(table[at] for at in order) for order in ORDERS[len(table)]]
    seats = min(ways, key=lambda way: (had[way], sum(followed[pair] for pair in followers(way))))
    had[seats] += 1
    followed.update(followers(seats))
    return seats


def _interleaved(entrants: int, tables: Sequence[Sequence[Seats]]) -> Iterator[Seats]:
    """The tables of one round, sizes mixed evenly, those with the fewest games so far first."""
    games = [0] * entrants
    waiting = [list(of_size) for of_size in tables]
    for which in _turns([len(of_size) for of_size in tables]):
        seats = _next(waiting[which], games)
        waiting[which].remove(seats)
        for entrant in seats:
            games[entrant] += len(seats)
        yield seats


def _turns(lengths: Sequence[int]) -> list[int]:
    """Which list comes next so that all of them are used up at an even pace."""
    due = [((2 * at + 1) / length, which) for which, length in enumerate(lengths) for at in range(length)]
    return [which for _, which in sorted(due)]


def _next(waiting: Sequence[Seats], games: Sequence[int]) -> Seats:
    """Of the tables of an entrant with the fewest games, the one whose entrants have played least."""
    behind = sorted(range(len(games)), key=games.__getitem__)
    theirs = ([seats for seats in waiting if entrant in seats] for entrant in behind)
    return min(next(filter(None, theirs)), key=lambda seats: sum(games[entrant] ** 2 for entrant in seats))
