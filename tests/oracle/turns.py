"""Which whole turns the seat to move may take, in the canonical spelling of RULES §5.6."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import perm
from typing import TypedDict

from .facts import SHAPES, Piece
from .rules import Action, Game, Player, player_to_move

Placement = tuple[tuple[Piece, ...], int, int]  # pieces, tile placed on, side collected from

CompactLegal = TypedDict(
    "CompactLegal",
    {
        "placements": list[tuple[tuple[Piece, ...], int, int, tuple[int, ...], int]],
        "lake": list[tuple[Piece, ...]],
        "discards": int,
        "pass": bool,
    },
)


def distinct_choices(pieces: Sequence[Piece], count: int) -> list[tuple[Piece, ...]]:
    """Every choice of that many pieces once, since equal pieces are interchangeable (§1)."""
    return sorted(set(combinations(sorted(pieces), count)))


def holds(pieces: Sequence[Piece], wanted: Sequence[Piece]) -> bool:
    return Counter(wanted) <= Counter(pieces)


def may_place(game: Game, pieces: Sequence[Piece], tile: int) -> bool:
    """§3.1, for pieces out of the satchel."""
    if len(pieces) == 1:
        return pieces[0][1] == game.river[tile].shape
    return len(pieces) == 2 and pieces[0][1] == pieces[1][1]


def may_collect(tile: int, side: int) -> bool:
    """§3.2: the line is not a circle and the lake is no tile."""
    return side in (-1, 1) and 0 <= tile + side < SHAPES


def placements(game: Game) -> list[Placement]:
    """§3.1 and §3.2 together, sorted; none when the game is over."""
    satchel = player_to_move(game).satchel
    chosen = distinct_choices(satchel, 1) + distinct_choices(satchel, 2)
    return (
        []
        if game.over
        else sorted(
            (pieces, tile, side)
            for pieces in chosen
            for tile in range(SHAPES)
            if may_place(game, pieces, tile)
            for side in (-1, 1)
            if may_collect(tile, side)
        )
    )


def new_colours(game: Game, tile: int, side: int) -> list[int]:
    """The colours in the haul that own no column yet."""
    owned = {column.owner for column in player_to_move(game).glassworks}
    return sorted({colour for colour, _ in game.river[tile + side].pieces} - owned)


def free_columns(player: Player) -> int:
    return sum(column.owner is None for column in player.glassworks)


def order_length(game: Game, tile: int, side: int) -> int:
    """How many colours the canonical order lists (§5.6)."""
    new, free = len(new_colours(game, tile, side)), free_columns(player_to_move(game))
    return min(new, free) if new >= 2 and free >= 1 else 0


def lake_is_open(game: Game) -> bool:
    """§4 and §6.3: not in the last stage; §8.2: not when it is empty."""
    return not game.over and game.trigger_seat is None and len(game.lake) > 0


def taken_count(game: Game) -> int:
    """Exactly 4, or the whole of a shorter lake (§4.1, §8.2)."""
    return min(game.numbers.lake_take, len(game.lake))


def discard_count(game: Game) -> int:
    """§4.2: whatever the satchel holds above its limit."""
    held = len(player_to_move(game).satchel) + taken_count(game)
    return max(0, held - game.numbers.satchel_limit)


def must_pass(game: Game) -> bool:
    """§8.5."""
    return not game.over and not player_to_move(game).satchel and not lake_is_open(game)


def legal_actions(game: Game) -> Iterator[Action]:
    """Every canonical whole turn once; there may be tens of thousands, see `legal_count`."""
    for pieces, tile, side in placements(game):
        for order in permutations(new_colours(game, tile, side), order_length(game, tile, side)):
            yield "river", pieces, tile, side, order
    if lake_is_open(game):
        for taken in distinct_choices(game.lake, taken_count(game)):
            held = [*player_to_move(game).satchel, *taken]
            for discarded in distinct_choices(held, discard_count(game)):
                yield "lake", taken, discarded
    if must_pass(game):
        yield ("pass",)


def legal_count(game: Game) -> int:
    """How many actions `legal_actions` yields, without spelling out the colour orders."""
    count = int(must_pass(game))
    for _, tile, side in placements(game):
        count += perm(len(new_colours(game, tile, side)), order_length(game, tile, side))
    if lake_is_open(game):
        for taken in distinct_choices(game.lake, taken_count(game)):
            held = [*player_to_move(game).satchel, *taken]
            count += len(distinct_choices(held, discard_count(game)))
    return count


def compact_legal(game: Game) -> CompactLegal:
    """Placements with the new colours to order, lake choices and the number of discards."""
    free = free_columns(player_to_move(game))
    is_open = lake_is_open(game)
    return {
        "placements": [
            (pieces, tile, side, tuple(new_colours(game, tile, side)), free)
            for pieces, tile, side in placements(game)
        ],
        "lake": distinct_choices(game.lake, taken_count(game)) if is_open else [],
        "discards": discard_count(game) if is_open else 0,
        "pass": must_pass(game),
    }


def is_legal(game: Game, action: Action) -> bool:
    """Whether this is a canonical turn the seat to move may take, judged without listing them all."""
    match action:
        case ("river", pieces, tile, side, order):
            return is_legal_placement(game, pieces, tile, side) and is_order(game, tile, side, order)
        case ("lake", taken, discarded):
            return lake_is_open(game) and is_lake_choice(game, taken, discarded)
        case ("pass",):
            return must_pass(game)


def is_legal_placement(game: Game, pieces: Sequence[Piece], tile: int, side: int) -> bool:
    if game.over or tile not in range(SHAPES) or not may_collect(tile, side):
        return False
    return is_sorted(pieces) and holds(player_to_move(game).satchel, pieces) and may_place(game, pieces, tile)


def is_order(game: Game, tile: int, side: int, order: Sequence[int]) -> bool:
    new = new_colours(game, tile, side)
    if len(order) != order_length(game, tile, side):
        return False
    return len(set(order)) == len(order) and all(colour in new for colour in order)


def is_lake_choice(game: Game, taken: Sequence[Piece], discarded: Sequence[Piece]) -> bool:
    if len(taken) != taken_count(game) or len(discarded) != discard_count(game):
        return False
    held = [*player_to_move(game).satchel, *taken]
    return is_sorted(taken) and is_sorted(discarded) and holds(game.lake, taken) and holds(held, discarded)


def is_sorted(pieces: Sequence[Piece]) -> bool:
    return list(pieces) == sorted(pieces)


def canonical(game: Game, action: Action) -> Action | None:
    """The canonical spelling of any spelling of the same outcome (§5.6), None for no legal turn."""
    spelt = respelt(game, action)
    return spelt if is_legal(game, spelt) else None


def respelt(game: Game, action: Action) -> Action:
    match action:
        case ("river", pieces, tile, side, order) if may_collect(tile, side):
            new = new_colours(game, tile, side)
            listed = [colour for colour in order if colour in new]
            kept = tuple(listed[: order_length(game, tile, side)])
            return "river", tuple(sorted(pieces)), tile, side, kept
        case ("lake", taken, discarded):
            return "lake", tuple(sorted(taken)), tuple(sorted(discarded))
        case _:
            return action
