"""Hand-made positions of the engine: a table in the order of its numbers, then bent to the case at hand."""

from collections.abc import Iterable

from arena.game import position, rules, ruleset
from arena.game.deal import all_kinds
from arena.game.ruleset import RuleSet

WHITE, PURPLE, LIGHT_BLUE, DARK_BLUE, LIGHT_GREEN, DARK_GREEN, YELLOW, ORANGE, BLACK = range(9)
A, B, C, D, E, F = range(6)  # shapes and, in `laid`, also the tiles that show them: A1 B2 C1 D2 E1 F2


def kind(colour: int, shape: int = A) -> int:
    """The kind of that colour and shape."""
    return colour * rules.SHAPES + shape


def laid(players: int = 2, rule_set: RuleSet | None = None) -> rules.State:
    """A position with tiles A to F in a line and the bag colour by colour."""
    rule_set = rule_set or ruleset.named()
    return rules.dealt(position.tables(rule_set), players, all_kinds(rule_set, players), range(6))


def own(state: rules.State, seat: int, *heights: int, colours: Iterable[int] = range(9)) -> None:
    """Lets colours own the columns from the left, filled to these heights."""
    for colour, height in zip(colours, heights, strict=False):
        rules.open_column(state, seat, colour)
        for _ in range(height):
            rules.sort_piece(state, seat, kind(colour))


def hold(state: rules.State, seat: int, *kinds: int) -> None:
    """Gives a seat exactly these pieces in the satchel."""
    state.satchel_count[seat] = 0
    for held in kinds:
        rules.put_in_satchel(state, seat, held)


def pile(state: rules.State, shape: int, *kinds: int) -> None:
    """Puts exactly these pieces onto the tile of a shape."""
    state.stock_count[shape] = 0
    for piece in kinds:
        rules.put_on_tile(state, shape, piece)


def fill_lake(state: rules.State, *kinds: int) -> None:
    """Puts exactly these pieces into the lake."""
    state.lake_count = 0
    for piece in kinds:
        rules.put_in_lake(state, piece)


def shorten(state: rules.State, left: int) -> None:
    """Leaves so many pieces in the bag, from its front."""
    state.back = state.front + left


def heights(state: rules.State, seat: int) -> list[int]:
    """Heights of a seat's columns."""
    return list(state.height[seat * rules.COLUMNS : (seat + 1) * rules.COLUMNS])


def owners(state: rules.State, seat: int) -> list[int]:
    """Colours of a seat's owned columns, leftmost first."""
    columns = state.owner[seat * rules.COLUMNS : (seat + 1) * rules.COLUMNS]
    return [colour for colour in columns if colour != rules.NOBODY]


def on_tile(state: rules.State, shape: int) -> list[int]:
    """Sorted kinds on the tile of a shape."""
    return list(state.stock[shape * rules.PIECES : shape * rules.PIECES + state.stock_count[shape]])
