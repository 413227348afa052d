"""Names the corners of the rules that a game went through."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from .chance import numbered_pieces
from .facts import DEFAULT, SHAPES, Numbers, Piece
from .policies import Policy
from .rules import Action, Column, Game, Player, Tile, apply, new_game, player_to_move, seat_to_move
from .scoring import player_score, winners
from .turns import new_colours

CORNERS = (
    "3.1 one piece",
    "3.1 two pieces, own shape",
    "3.1 two pieces, other shape",
    "4.2 draw with a full satchel",
    "4.2 an old piece given up",
    "4.2 a new piece given up",
    "5.2 full column overflows",
    "5.4 no free column overflows",
    "5.5 order without a loser",
    "5.5 order with a loser",
    "5.5 two of a new colour",
    "6.1 seat 0 triggers",
    "6.1 a middle seat triggers",
    "6.1 last seat triggers",
    "6.1 another seat reaches the trigger",
    "6.2 nobody draws",
    "6.2 the triggering seat draws",
    "6.2 another seat draws",
    "6.5 no refill in the last stage",
    "7.4 negative total",
    "7.5 shared win",
    "8.1 part of a refill",
    "8.1 no refill",
    "8.2 lake left short",
    "8.2 lake left empty",
    "8.2 lake of 1 taken",
    "8.2 lake of 2 taken",
    "8.2 lake of 3 taken",
    "8.2 lake of 4 taken",
    "8.3 part of a last satchel",
    "8.3 no last satchel",
    "8.3 the bag ends between two seats",
    "8.4 empty tile, bag empty",
    "8.4 empty tile, bag not empty",
    "8.5 pass, lake empty",
    "8.5 pass, lake closed",
    "8.6 all pass across rounds",
    "8.6 end by passes",
)


def shuffled_game(players: int, rng: Random, numbers: Numbers = DEFAULT) -> Game:
    """A new game whose bag and tiles were shuffled by the given generator."""
    bag = list(range(len(numbered_pieces(players, numbers))))
    tiles = list(range(SHAPES))
    rng.shuffle(bag)
    rng.shuffle(tiles)
    return new_game(players, bag, tiles, numbers)


Step = tuple[Game, Action, Game]  # the table before an action, the action, the table after it


def watched(game: Game, choosers: Sequence[Policy], rng: Random) -> Iterator[Step]:
    """Plays to the end; the table after the action is the game itself and goes on changing."""
    while not game.over:
        before = copied(game)
        action = choosers[seat_to_move(game)](game, rng)
        apply(game, action)
        yield before, action, game


def copied(game: Game) -> Game:
    """An equal game that no action on the first one touches."""
    river = [Tile(tile.shape, list(tile.pieces)) for tile in game.river]
    players = [
        Player(
            list(player.satchel),
            [Column(column.owner, list(column.cells)) for column in player.glassworks],
            list(player.overflow),
        )
        for player in game.players
    ]
    return replace(game, bag=list(game.bag), river=river, lake=list(game.lake), players=players)


def corners(steps: Iterable[Step]) -> set[str]:
    """All corners that the steps of one game go through."""
    found: set[str] = set()
    passes_in_a_row = 0
    for before, action, after in steps:
        found.update(corners_of(before, action, after))
        passes_in_a_row = passes_in_a_row + 1 if action[0] == "pass" else 0
        if passes_in_a_row >= len(after.players) and not after.over and after.trigger_seat is None:
            found.add("8.6 all pass across rounds")
    return found


def corners_of(before: Game, action: Action, after: Game) -> Iterator[str]:
    match action:
        case ("river", pieces, tile, side, order):
            yield placing_corner(before, pieces, tile)
            yield from sorting_corners(before, tile, side, order)
            yield from refill_corners(before, tile, side, after)
        case ("lake", taken, discarded):
            yield from discard_corners(before, taken, discarded)
            yield from lake_corners(before, after)
        case ("pass",):
            yield "8.5 pass, lake empty" if before.trigger_seat is None else "8.5 pass, lake closed"
    if before.trigger_seat is None and after.trigger_seat is not None:
        yield from trigger_corners(before, action, after)
    yield from end_corners(before, after)


def placing_corner(before: Game, pieces: Sequence[Piece], tile: int) -> str:
    if len(pieces) == 1:
        return "3.1 one piece"
    own = pieces[0][1] == before.river[tile].shape
    return f"3.1 two pieces, {'own' if own else 'other'} shape"


def sorting_corners(before: Game, tile: int, side: int, order: Sequence[int]) -> Iterator[str]:
    haul = [colour for colour, _ in before.river[tile + side].pieces]
    columns = player_to_move(before).glassworks
    new = new_colours(before, tile, side)
    if any(
        len(column.cells) + haul.count(column.owner) > before.numbers.rows
        for column in columns
        if column.owner is not None
    ):
        yield "5.2 full column overflows"
    if len(new) > sum(column.owner is None for column in columns):
        yield "5.4 no free column overflows"
    if order:
        yield "5.5 order without a loser" if len(order) == len(new) else "5.5 order with a loser"
    if any(haul.count(colour) > 1 for colour in new):
        yield "5.5 two of a new colour"


def refill_corners(before: Game, tile: int, side: int, after: Game) -> Iterator[str]:
    if not before.river[tile + side].pieces:
        yield "8.4 empty tile, bag not empty" if before.bag else "8.4 empty tile, bag empty"
    if before.trigger_seat is not None and not before.numbers.refill_in_last_stage:
        yield "6.5 no refill in the last stage"
        return
    stones = before.numbers.stones[after.river[1].shape]
    if len(before.bag) < stones:
        yield "8.1 part of a refill" if before.bag else "8.1 no refill"


def discard_corners(before: Game, taken: Sequence[Piece], discarded: Sequence[Piece]) -> Iterator[str]:
    old = player_to_move(before).satchel
    if len(old) == before.numbers.satchel_limit:
        yield "4.2 draw with a full satchel"
    if any(piece not in taken for piece in discarded):
        yield "4.2 an old piece given up"
    if any(piece not in old for piece in discarded):
        yield "4.2 a new piece given up"


def lake_corners(before: Game, after: Game) -> Iterator[str]:
    if len(before.lake) < before.numbers.lake:
        yield f"8.2 lake of {len(before.lake)} taken"
    if not after.lake:
        yield "8.2 lake left empty"
    elif len(after.lake) < after.numbers.lake:
        yield "8.2 lake left short"


def trigger_corners(before: Game, action: Action, after: Game) -> Iterator[str]:
    mover, seats = seat_to_move(before), len(after.players)
    names = {0: "seat 0", seats - 1: "last seat"}
    yield f"6.1 {names.get(mover, 'a middle seat')} triggers"
    found = set()
    for seat in range(seats):
        held = len(before.players[seat].satchel) - (len(action[1]) if action[0] == "river" and seat == mover else 0)
        drawn = len(after.players[seat].satchel) - held
        if held < before.numbers.last_satchel:
            found.add(last_satchel_corner(before.numbers.last_satchel - held, drawn, seat == mover))
    yield from found or {"6.2 nobody draws"}
    if "8.3 no last satchel" in found and len(found) > 1:
        yield "8.3 the bag ends between two seats"


def last_satchel_corner(missing: int, drawn: int, is_trigger: bool) -> str:
    if drawn == 0:
        return "8.3 no last satchel"
    if drawn < missing:
        return "8.3 part of a last satchel"
    return "6.2 the triggering seat draws" if is_trigger else "6.2 another seat draws"


def end_corners(before: Game, after: Game) -> Iterator[str]:
    if before.trigger_seat not in (None, seat_to_move(before)):
        placed = [
            sum(len(column.cells) for column in game.players[seat_to_move(before)].glassworks)
            for game in (before, after)
        ]
        if placed[0] < before.numbers.trigger <= placed[1]:
            yield "6.1 another seat reaches the trigger"
    if not after.over:
        return
    totals = [player_score(after.numbers, player)[0] for player in after.players]
    if min(totals) < 0:
        yield "7.4 negative total"
    if len(winners(totals)) > 1:
        yield "7.5 shared win"
    if after.trigger_seat is None:
        yield "8.6 end by passes"
