"""A view as packed bytes and back; the layout is specified in docs/protocol.md."""

from collections.abc import Sequence

from arena.errors import BadInput
from arena.game.rules import COLOURS, COLUMNS, KINDS, LAKE, LONGEST, NOBODY, PIECES, SATCHEL, SEATS, SHAPES
from arena.game.ruleset import RuleSet
from arena.game.view import Column, Side, Tile, View

LAYOUT = 1


def view_to_bytes(view: View) -> bytes:
    """A view in the packed layout."""
    trigger = NOBODY if view.trigger is None else view.trigger
    out = bytearray((LAYOUT, view.players, view.seat, trigger, view.passes, view.bag))
    out += view.ply.to_bytes(2, "little") + (view.end or 0).to_bytes(2, "little")
    for tile in view.river:
        out += bytes((tile.shape,)) + _shelf(tile.pieces)
    out += _shelf(view.lake)
    for side in view.sides:
        out += _shelf(side.satchel) + bytes((len(side.columns),))
        for column in side.columns:
            out += bytes((column.colour,)) + _shelf(column.cells)
        out += _shelf(side.overflow)
    return bytes(out)


def _shelf(kinds: Sequence[int]) -> bytes:
    return bytes((len(kinds), *kinds))


def view_from_bytes(packed: bytes, rules: RuleSet) -> View:
    """The view that was packed; raises BadInput for bytes that are no view of this layout."""
    read = _Cursor(packed)
    if read.byte() != LAYOUT:
        raise BadInput(f"this view has another layout than {LAYOUT}; upgrade the arena package")
    players, seat, trigger, passes, bag = (read.byte() for _ in range(5))
    ply, end = read.short(), read.short()
    river = tuple(Tile(read.byte(), read.shelf(PIECES)) for _ in range(SHAPES))
    lake = read.shelf(LAKE)
    started = trigger != NOBODY
    if not 2 <= players <= SEATS or seat >= players or (started and trigger >= players):
        raise BadInput("this packed view has wrong seats")
    if sorted(tile.shape for tile in river) != list(range(SHAPES)):
        raise BadInput("this packed view has a wrong river")
    sides = tuple(_side(read, rules) for _ in range(players))
    read.close()
    lying = sum(len(tile.pieces) for tile in river) + sum(map(_pieces, sides))
    if passes > players or lying + len(lake) + bag > PIECES or max(ply, end) > LONGEST:
        raise BadInput("this packed view has wrong counts")
    stage = (trigger if started else None, end if started else None)
    return View(rules, players, seat, ply, stage[0], stage[1], passes, bag, river, lake, sides)


def _side(read: "_Cursor", rules: RuleSet) -> Side:
    satchel = read.shelf(SATCHEL)
    columns = tuple(Column(read.byte(), read.shelf(rules.rows)) for _ in range(read.byte()))
    colours = {column.colour for column in columns}
    if len(columns) > COLUMNS or len(colours) < len(columns) or max(colours, default=0) >= COLOURS:
        raise BadInput("this packed view has wrong columns")
    if any(kind // SHAPES != column.colour for column in columns for kind in column.cells):
        raise BadInput("this packed view has a column of mixed colours")
    return Side(satchel, columns, read.shelf(PIECES))


def _pieces(side: Side) -> int:
    return len(side.satchel) + len(side.overflow) + sum(len(column.cells) for column in side.columns)


class _Cursor:
    """A place in packed bytes; reading past the end is BadInput."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._at = 0

    def bytes(self, count: int) -> bytes:
        found = self._packed[self._at : self._at + count]
        if len(found) < count:
            raise BadInput("packed view ends too early")
        self._at += count
        return found

    def byte(self) -> int:
        return self.bytes(1)[0]

    def short(self) -> int:
        return int.from_bytes(self.bytes(2), "little")

    def shelf(self, most: int) -> tuple[int, ...]:
        kinds = tuple(self.bytes(self.byte()))
        if len(kinds) > most or max(kinds, default=0) >= KINDS:
            raise BadInput("this packed view has a shelf of wrong pieces")
        return kinds

    def close(self) -> None:
        if self._at != len(self._packed):
            raise BadInput("packed view has bytes after its end")
