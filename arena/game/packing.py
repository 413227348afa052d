"""A view as packed bytes and back; the layout is specified in docs/protocol.md."""

from collections.abc import Sequence

from arena.errors import BadInput
from arena.game.rules import NOBODY, SEATS, SHAPES
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
    river = tuple(Tile(read.byte(), read.shelf()) for _ in range(SHAPES))
    lake = read.shelf()
    if not 2 <= players <= SEATS or seat >= players or sorted(tile.shape for tile in river) != list(range(SHAPES)):
        raise BadInput("these bytes are no packed view")
    sides = tuple(_side(read) for _ in range(players))
    read.close()
    started = trigger != NOBODY
    stage = (trigger if started else None, end if started else None)
    return View(rules, players, seat, ply, stage[0], stage[1], passes, bag, river, lake, sides)


def _side(read: "_Cursor") -> Side:
    satchel = read.shelf()
    columns = tuple(Column(read.byte(), read.shelf()) for _ in range(read.byte()))
    return Side(satchel, columns, read.shelf())


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

    def shelf(self) -> tuple[int, ...]:
        return tuple(self.bytes(self.byte()))

    def close(self) -> None:
        if self._at != len(self._packed):
            raise BadInput("packed view has bytes after its end")
