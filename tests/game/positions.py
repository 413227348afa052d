"""Hand-made positions of the engine: a table in the order of its numbers, then bent to the case at hand."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate

from arena.game import position, rules, ruleset
from arena.game.deal import all_kinds
from arena.game.restore import overwrite
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


def put(state: rules.State, **changes: int | bytes) -> None:
    """Changes fields; the bag gives way where there would be more pieces than the game has."""
    shot = replace(rules.snapshot(state), **changes)  # type: ignore[arg-type]
    lying = shot.edge[-1] + sum((*shot.satchel_count, *shot.height, *shot.overflow, shot.lake_count))
    overwrite(state, **changes | {"back": min(shot.back, shot.front + rules.PIECES - lying)})


def own(state: rules.State, seat: int, *heights: int, colours: Iterable[int] = range(9)) -> None:
    """Lets colours own the columns from the left, filled to these heights with pieces of shape A."""
    owner, column, height, cell, placed = (
        bytearray(state.array(name)) for name in ("owner", "column", "height", "cell", "placed")
    )
    for place, (colour, top) in enumerate(zip(colours, heights, strict=False), seat * rules.COLUMNS):
        owner[place], height[place] = colour, top
        column[seat * rules.COLOURS + colour] = place - seat * rules.COLUMNS
        cell[place * state.rows : place * state.rows + top] = bytes([kind(colour)] * top)
    placed[seat] = sum(heights)
    put(
        state,
        owner=bytes(owner),
        column=bytes(column),
        height=bytes(height),
        cell=bytes(cell),
        placed=bytes(placed),
    )


def hold(state: rules.State, seat: int, *kinds: int) -> None:
    """Gives a seat exactly these pieces in the satchel."""
    held, length = bytes(sorted(kinds)), rules.GRASP
    pieces, counts = bytearray(state.array("satchel")), bytearray(state.array("satchel_count"))
    pieces[seat * length : (seat + 1) * length] = held.ljust(length, b"\0")
    counts[seat] = len(held)
    put(state, satchel=bytes(pieces), satchel_count=bytes(counts))


def pile(state: rules.State, shape: int, *kinds: int) -> None:
    """Puts exactly these pieces onto the tile of a shape."""
    tiles = [rules.on_tile(state, tile) for tile in range(rules.SHAPES)]
    tiles[state.array("river").index(shape)] = bytes(sorted(kinds))
    stock, edge = b"".join(reversed(tiles)), accumulate(map(len, reversed(tiles)), initial=0)
    put(state, stock=stock.ljust(rules.PIECES, b"\0"), edge=bytes(edge))


def spill(state: rules.State, seat: int, *kinds: int) -> None:
    """Puts exactly these pieces into the overflow of a seat."""
    counts, totals = bytearray(state.array("overflow")), bytearray(state.array("overflow_count"))
    counts[seat * rules.KINDS : (seat + 1) * rules.KINDS] = bytes(map(kinds.count, range(rules.KINDS)))
    totals[seat] = len(kinds)
    put(state, overflow=bytes(counts), overflow_count=bytes(totals))


def fill_lake(state: rules.State, *kinds: int) -> None:
    """Puts exactly these pieces into the lake."""
    put(state, lake=bytes(sorted(kinds)).ljust(rules.LAKE, b"\0"), lake_count=len(kinds))


def shorten(state: rules.State, left: int) -> None:
    """Leaves so many pieces in the bag, from its front."""
    put(state, back=state.front + left)


def heights(state: rules.State, seat: int) -> list[int]:
    """Heights of a seat's columns."""
    return list(state.array("height")[seat * rules.COLUMNS : (seat + 1) * rules.COLUMNS])


def owners(state: rules.State, seat: int) -> list[int]:
    """Colours of a seat's owned columns, leftmost first."""
    columns = state.array("owner")[seat * rules.COLUMNS : (seat + 1) * rules.COLUMNS]
    return [colour for colour in columns if colour != rules.NOBODY]


def on_tile(state: rules.State, shape: int) -> list[int]:
    """Sorted kinds on the tile of a shape."""
    return list(rules.on_tile(state, state.array("river").index(shape)))
