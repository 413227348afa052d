"""The final boards of a game, for a terminal: colours as codes, so that nothing hangs on seeing colour."""

from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from arena.contest.record import Record
from arena.contest.replay import position_after
from arena.game import rules
from arena.game.pieces import CODES, code
from arena.game.rules import State

STYLES = ("white", "magenta", "bright_cyan", "blue", "bright_green", "green", "yellow", "dark_orange", "grey50")


def final(record: Record) -> Group:
    """Every seat's glassworks, overflow and points at the end of a game."""
    state = position_after(record)
    head = f"{record.head.match} game {record.head.game}, {len(record.moves)} turns"
    return Group(head, Columns([_side(record, state, seat) for seat in range(state.players)], padding=(0, 3)))


def _side(record: Record, state: State, seat: int) -> Table:
    score = record.scores[seat]
    rows, columns, _ = rules.parts(state, seat)
    lost = rules.PENALTY * state.array("overflow_count")[seat]
    title = f"s{seat} {record.head.seats[seat].removesuffix('@local')}: {score.points} points, place {score.place}"
    table = Table(
        title=title, caption=f"rows {rows}, columns {columns}, overflow -{lost}", show_header=False, box=None
    )
    for row in reversed(range(state.rows)):
        table.add_row(*(_cell(state, seat, column, row) for column in range(rules.COLUMNS)))
    table.add_row(*(_owner(state, seat, column) for column in range(rules.COLUMNS)))
    return table


def _cell(state: State, seat: int, column: int, row: int) -> Text:
    place = seat * rules.COLUMNS + column
    if row >= state.array("height")[place]:
        return Text("·", style="dim")
    kind = state.array("cell")[place * state.rows + row]
    return Text(code(kind), style=STYLES[kind // rules.SHAPES])


def _owner(state: State, seat: int, column: int) -> Text:
    owner = state.array("owner")[seat * rules.COLUMNS + column]
    return Text("--" if owner == rules.NOBODY else CODES[owner].upper(), style="bold")
