"""What a seat may know: the only thing that leaves the engine, built field by field (docs/rules.md §8.8)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from arena.errors import BadInput
from arena.game import legal, position, rules
from arena.game.actions import Action
from arena.game.deal import all_kinds
from arena.game.legal import Legal
from arena.game.restore import restored
from arena.game.rules import State
from arena.game.ruleset import RuleSet
from arena.game.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Tile:
    """A river tile: its shape and the sorted kinds on it."""

    shape: int
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """An owned column of a glassworks: its colour and the kinds in its cells, bottom first."""

    colour: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """What lies open before a seat: satchel, glassworks (owned columns, leftmost first) and overflow."""

    satchel: tuple[int, ...]
    columns: tuple[Column, ...]
    overflow: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """One position as the seat to act sees it. Kinds are colour * 6 + shape; river index 0 is the start.

    `trigger` is the seat that started the last stage and `end` the ply at which the game is over, both None
    before; `bag` is the number of pieces left in the bag, whose order nobody sees.
    """

    rules: RuleSet
    players: int
    seat: int
    ply: int
    trigger: int | None
    end: int | None
    passes: int
    bag: int
    river: tuple[Tile, ...]
    lake: tuple[int, ...]
    sides: tuple[Side, ...]

    @property
    def me(self) -> Side:
        """What lies before the seat to act."""
        return self.sides[self.seat]

    @property
    def legal(self) -> Legal:
        """The compact set of legal turns."""
        return legal.legal(shown(self))

    def actions(self) -> Iterator[Action]:
        """Every legal turn; may be tens of thousands when colours compete or pieces must be given up."""
        return legal.actions(shown(self))

    def gain(self, action: Action) -> int:
        """How many points the action adds to the mover's score at once; raises IllegalAction."""
        before = shown(self)
        return rules.score(position.advance(before, action), self.seat) - rules.score(before, self.seat)

    def guessed(self, number: int) -> State:
        """A position that the view allows, for search; what is hidden is drawn by dice from 64 bits."""
        state = imagined(self, unseen(self))
        state.reseed(number)
        return state

    def scores(self) -> tuple[int, ...]:
        """Points by seat as if the game ended now."""
        return position.scores(shown(self))


def view(state: State, rule_set: RuleSet) -> View:
    """The view of the seat to act."""
    triggered = state.trigger != rules.NOBODY
    return View(
        rules=rule_set,
        players=state.players,
        seat=rules.mover(state),
        ply=state.ply,
        trigger=state.trigger if triggered else None,
        end=state.end if triggered else None,
        passes=state.passes,
        bag=state.back - state.front,
        river=tuple(
            Tile(shape, tuple(rules.on_tile(state, tile))) for tile, shape in enumerate(state.array("river"))
        ),
        lake=tuple(state.array("lake")[: state.lake_count]),
        sides=_sides(state),
    )


def _sides(state: State) -> tuple[Side, ...]:
    """What lies before each seat; arrays are read once, since reading copies them."""
    owner, height, cell, overflow, lost = map(state.array, ("owner", "height", "cell", "overflow", "overflow_count"))
    rows, columns = state.rows, rules.COLUMNS
    sides = []
    for seat in range(state.players):
        first, surplus = (
            seat * columns,
            overflow[seat * rules.KINDS : (seat + 1) * rules.KINDS] if lost[seat] else b"",
        )
        sides.append(
            Side(
                satchel=legal.satchel(state, seat),
                columns=tuple(
                    [
                        Column(owner[place], tuple(cell[place * rows : place * rows + height[place]]))
                        for place in range(first, first + columns)
                        if owner[place] != rules.NOBODY
                    ]
                ),
                overflow=tuple([kind for kind, count in enumerate(surplus) for _ in range(count)]),
            )
        )
    return tuple(sides)


def shown(view: View) -> State:
    """The position a view shows, with an empty bag: right for legality and scores, not for refills."""
    return _rebuilt(view, ())


def imagined(view: View, bag: Sequence[int]) -> State:
    """A full position that the view allows, for search: `bag` is a guess at the order of `unseen(view)`."""
    if sorted(bag) != list(unseen(view)):
        raise BadInput("an imagined bag must hold exactly the pieces of unseen(view)")
    return _rebuilt(view, bag)


def unseen(view: View) -> tuple[int, ...]:
    """Sorted kinds that are still in the bag: all pieces of the game less those that lie open."""
    left = Counter(all_kinds(view.rules, view.players))
    left.subtract(_open_pieces(view))
    if min(left.values()) < 0:
        raise BadInput("this view shows more pieces of a kind than the game has")
    return tuple(sorted(left.elements()))


def _open_pieces(view: View) -> Iterator[int]:
    yield from view.lake
    for tile in view.river:
        yield from tile.pieces
    for side in view.sides:
        yield from side.satchel
        yield from side.overflow
        for column in side.columns:
            yield from column.cells


def _rebuilt(view: View, bag: Sequence[int]) -> State:
    over = view.trigger is not None and view.end is not None and view.ply >= view.end
    tiles = [bytes(tile.pieces) for tile in reversed(view.river)]
    satchels = [bytes(side.satchel) for side in view.sides]
    overflow = [bytes(map(side.overflow.count, range(rules.KINDS))) for side in view.sides]
    owners = [bytes(column.colour for column in side.columns) for side in view.sides]
    heights = [bytes(len(column.cells) for column in side.columns) for side in view.sides]
    cells = [b"".join(_row(column.cells, view.rules.rows) for column in side.columns) for side in view.sides]
    return restored(
        position.tables(view.rules),
        Snapshot(
            players=view.players,
            ply=view.ply,
            trigger=rules.NOBODY if view.trigger is None else view.trigger,
            end=view.end or 0,
            passes=view.passes,
            over=over,
            front=0,
            back=len(bag),
            lake_count=len(view.lake),
            phase=rules.TURN,
            target=0,
            owed=0,
            least=0,
            guessed=False,
            bag=_row(bag, rules.PIECES),
            river=bytes(tile.shape for tile in view.river),
            stock=_row(b"".join(tiles), rules.PIECES),
            edge=bytes(accumulate(map(len, tiles), initial=0)),
            lake=_row(view.lake, rules.LAKE),
            satchel=_rows(satchels, rules.GRASP),
            satchel_count=_row([len(held) for held in satchels], rules.SEATS),
            owner=_rows(owners, rules.COLUMNS, rules.NOBODY),
            column=_rows([_columns(owned) for owned in owners], rules.COLOURS, rules.NOBODY),
            height=_rows(heights, rules.COLUMNS),
            cell=_row(_rows(cells, rules.COLUMNS * view.rules.rows), rules.SEATS * rules.COLUMNS * rules.ROWS),
            placed=_row([sum(tops) for tops in heights], rules.SEATS),
            overflow=_rows(overflow, rules.KINDS),
            overflow_count=_row([sum(counts) for counts in overflow], rules.SEATS),
        ),
    )


def _columns(owned: bytes) -> bytes:
    """The column of each colour."""
    return bytes(owned.find(colour) % 256 for colour in range(rules.COLOURS))


def _rows(given: Sequence[bytes], length: int, filler: int = 0) -> bytes:
    """A row for each seat."""
    return b"".join(_row(row, length, filler) for row in given).ljust(rules.SEATS * length, bytes((filler,)))


def _row(given: Iterable[int], length: int, filler: int = 0) -> bytes:
    """Filled up to its length; too long a row is refused with the position it belongs to."""
    return bytes(given).ljust(length, bytes((filler,)))
