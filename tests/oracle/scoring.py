"""What a table is worth (RULES §7) and all of it written out as a plain dict."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

from .facts import Numbers, Piece
from .rules import Game, Player, seat_to_move

Plain = list[int]  # a piece as JSON has it: [colour, shape]
Labelled = list[int | list[Plain] | None]  # [a tile's shape or a column's owner, its pieces]


class Dump(TypedDict):
    """Every fact of a game; equal games give equal dumps, also after a trip through JSON."""

    players: int
    ply: int
    seat: int | None
    river: list[Labelled]
    lake: list[Plain]
    satchels: list[list[Plain]]
    glassworks: list[list[Labelled]]
    overflow: list[list[Plain]]
    bag_left: list[Plain]
    trigger: int | None
    last_stage: bool
    over: bool
    scores: list[list[int]]
    winners: list[int] | None


def row_score(numbers: Numbers, heights: Sequence[int]) -> int:
    """§7.1: each row by its unbroken filled cells from the leftmost column."""
    total = 0
    for row in range(numbers.rows):
        filled = 0
        while filled < len(heights) and heights[filled] > row:
            filled += 1
        total += numbers.row_points[filled]
    return total


def column_score(numbers: Numbers, heights: Sequence[int]) -> int:
    """§7.2: the tallest non-empty columns, the leftmost first where heights are equal."""
    columns = [column for column in range(len(heights)) if heights[column] > 0]
    columns.sort(key=lambda column: (-heights[column], column))
    tallest = columns[: numbers.columns_scored]
    return sum(numbers.column_points[column][heights[column]] for column in tallest)


def score(numbers: Numbers, heights: Sequence[int], overflow: int) -> list[int]:
    """[total, rows, columns, points lost to overflow] (§7)."""
    rows = row_score(numbers, heights)
    columns = column_score(numbers, heights)
    lost = numbers.overflow_cost * overflow  # §7.4
    return [rows + columns - lost, rows, columns, lost]


def player_score(numbers: Numbers, player: Player) -> list[int]:
    return score(numbers, [len(column.cells) for column in player.glassworks], len(player.overflow))


def winners(totals: Sequence[int]) -> list[int]:
    """§7.5: all seats with the most points."""
    return [seat for seat in range(len(totals)) if totals[seat] == max(totals)]


def plain(pieces: Iterable[Piece]) -> list[Plain]:
    return [list(piece) for piece in pieces]


def dump(game: Game) -> Dump:
    """The whole game, hidden bag included, as plain values."""
    scores = [player_score(game.numbers, player) for player in game.players]
    return {
        "players": len(game.players),
        "ply": game.ply,
        "seat": None if game.over else seat_to_move(game),
        "river": [[tile.shape, plain(sorted(tile.pieces))] for tile in game.river],
        "lake": plain(sorted(game.lake)),
        "satchels": [plain(sorted(player.satchel)) for player in game.players],
        "glassworks": [
            [[column.owner, plain(column.cells)] for column in player.glassworks] for player in game.players
        ],
        "overflow": [plain(sorted(player.overflow)) for player in game.players],
        "bag_left": plain(game.bag),
        "trigger": game.trigger_seat,
        "last_stage": game.trigger_seat is not None,
        "over": game.over,
        "scores": scores,
        "winners": winners([total for total, *_ in scores]) if game.over else None,
    }
