"""A position as text, for eyes: pieces by their codes, so that nothing hangs on seeing colour."""

from collections.abc import Iterable

from arena.game import rules
from arena.game.legal import satchel
from arena.game.pieces import CODES, code
from arena.game.rules import COLUMNS, NOBODY, SHAPES, State


def drawn(state: State) -> str:
    """River, lake, and what lies before each seat; `>` marks the seat to act."""
    head = "over" if state.over else f"turn {state.ply + 1}, {state.back - state.front} pieces in the bag"
    tiles = (f"  {tile} {_tile(state, tile)}" for tile in range(SHAPES))
    lake = f"lake {_codes(state.array('lake')[: state.lake_count])}"
    return "\n".join([head, *tiles, lake, *(_side(state, seat) for seat in range(state.players))])


def _tile(state: State, tile: int) -> str:
    shape = state.array("river")[tile]
    return f"tile {shape + 1} {'o' * state.tables.stones[shape]:2} {_codes(rules.on_tile(state, tile))}"


def _side(state: State, seat: int) -> str:
    places = range(seat * COLUMNS, (seat + 1) * COLUMNS)
    owner, height = state.array("owner"), state.array("height")
    columns = " ".join(f"{CODES[owner[at]]}:{height[at]}" for at in places if owner[at] != NOBODY)
    mark = ">" if seat == state.seat and not state.over else " "
    points, held = state.score(seat), _codes(satchel(state, seat))
    overflow = state.array("overflow_count")[seat]
    return f"{mark} seat {seat}: {points} points, columns {columns or '-'}, overflow {overflow}, satchel {held}"


def _codes(kinds: Iterable[int]) -> str:
    return " ".join(map(code, kinds)) or "-"
