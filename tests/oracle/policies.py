"""Named ways to play at random, each drawn to other corners of the rules."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from .facts import Piece
from .rules import Action, Game, apply, player_to_move, seat_to_move
from .turns import (
    Placement,
    discard_count,
    free_columns,
    lake_is_open,
    may_collect,
    must_pass,
    new_colours,
    order_length,
    placements,
    taken_count,
)

Policy = Callable[[Game, Random], Action]

WHIM = 0.1  # how often a policy with a taste plays just anything
NEARLY_EMPTY = 12  # pieces in the bag at which the latecomer turns to the river


def policies() -> dict[str, Policy]:
    """Every policy by name; each answers `choose(game, rng)` with a legal canonical action."""
    return {
        "uniform": random_action,
        "river-hater": river_hater,
        "lake-hater": lake_hater,
        "hoarder": hoarder,
        "overflow-maker": overflow_maker,
        "avoider": avoider,
        "latecomer": latecomer,
        "collector": collector,
        "spender": spender,
        "brinkman": brinkman,
    }


def play(game: Game, choosers: Sequence[Policy], rng: Random) -> Iterator[Action]:
    """Plays to the end, one policy a seat; yields every action before it is applied."""
    while not game.over:
        action = choosers[seat_to_move(game)](game, rng)
        yield action
        apply(game, action)


def random_action(game: Game, rng: Random) -> Action:
    """Any kind of turn, sampled without listing them all."""
    return mixed(game, rng, lake_share=0.4)


def river_hater(game: Game, rng: Random) -> Action:
    """Turns to the river only when the lake offers nothing."""
    return mixed(game, rng, lake_share=1.0)


def lake_hater(game: Game, rng: Random) -> Action:
    """Turns to the lake only when the satchel is empty."""
    return mixed(game, rng, lake_share=0.0)


def hoarder(game: Game, rng: Random) -> Action:
    """Piles pairs on the fullest tiles and collects what little lies beside them."""

    def liking(placement: Placement) -> float:
        pieces, tile, side = placement
        piled, collected = len(game.river[tile].pieces), len(game.river[tile + side].pieces)
        return 4 * len(pieces) + piled - 2 * collected

    return with_taste(game, rng, liking, lake_below=2)


def overflow_maker(game: Game, rng: Random) -> Action:
    """Draws from the lake with a full satchel and collects what finds no cell."""

    def liking(placement: Placement) -> float:
        _, tile, side = placement
        return len(game.river[tile + side].pieces) - 2 * landing(game, tile, side)

    if len(player_to_move(game).satchel) >= 4 and rng.random() < 0.5:
        return river_hater(game, rng)
    return with_taste(game, rng, liking, lake_below=3)


def avoider(game: Game, rng: Random) -> Action:
    """Keeps out of the glassworks as long as it can, so as never to trigger the end."""
    if lake_is_open(game) or must_pass(game):
        return river_hater(game, rng)
    return by_liking(game, rng, lambda placement: -landing(game, placement[1], placement[2]))


def latecomer(game: Game, rng: Random) -> Action:
    """Drains the bag through the lake, then hurries to trigger the end with what is left."""
    if len(game.bag) > NEARLY_EMPTY:
        return river_hater(game, rng)
    return collector(game, rng)


def collector(game: Game, rng: Random) -> Action:
    """Fills the glassworks as fast as it can."""
    return with_taste(game, rng, lambda placement: landing(game, placement[1], placement[2]), lake_below=1)


def spender(game: Game, rng: Random) -> Action:
    """Empties the satchel by twos, so as to stand there with nothing."""
    return with_taste(game, rng, lambda placement: len(placement[0]), lake_below=1)


def brinkman(game: Game, rng: Random) -> Action:
    """Waits just below the trigger until the bag holds hardly anything, then ends the game."""
    columns = player_to_move(game).glassworks
    room = game.numbers.trigger - sum(len(column.cells) for column in columns)

    def liking(placement: Placement) -> float:
        pieces, tile, side = placement
        gain = landing(game, tile, side)
        if gain < room:
            return len(pieces) + gain if len(game.bag) > NEARLY_EMPTY else 4 * len(pieces) - gain
        return 20 if len(game.bag) <= 3 else -20

    if lake_is_open(game) and len(game.bag) > NEARLY_EMPTY and room <= 4:
        return lake_turn(game, rng)
    if must_pass(game) or (lake_is_open(game) and not player_to_move(game).satchel):
        return random_action(game, rng)
    return by_liking(game, rng, liking)


def with_taste(game: Game, rng: Random, liking: Callable[[Placement], float], lake_below: int) -> Action:
    """The most liked placement, the lake when the satchel runs low, at times anything."""
    if must_pass(game) or rng.random() < WHIM:
        return random_action(game, rng)
    if lake_is_open(game) and len(player_to_move(game).satchel) < lake_below:
        return lake_turn(game, rng)
    return by_liking(game, rng, liking)


def by_liking(game: Game, rng: Random, liking: Callable[[Placement], float]) -> Action:
    likings = [(liking(placement), placement) for placement in placements(game)]
    most = max(value for value, _ in likings)
    return river_turn(game, rng, rng.choice([placement for value, placement in likings if value == most]))


def mixed(game: Game, rng: Random, lake_share: float) -> Action:
    """A random turn, to the lake with that probability where both are allowed."""
    if must_pass(game):
        return ("pass",)
    may_river = len(player_to_move(game).satchel) > 0
    if lake_is_open(game) and (not may_river or rng.random() < lake_share):
        return lake_turn(game, rng)
    return river_turn(game, rng, random_placement(game, rng))


def lake_turn(game: Game, rng: Random) -> Action:
    taken = rng.sample(sorted(game.lake), taken_count(game))
    held = sorted([*player_to_move(game).satchel, *taken])
    discarded = rng.sample(held, discard_count(game))
    return "lake", tuple(sorted(taken)), tuple(sorted(discarded))


def river_turn(game: Game, rng: Random, placement: Placement) -> Action:
    pieces, tile, side = placement
    order = rng.sample(new_colours(game, tile, side), order_length(game, tile, side))
    return "river", pieces, tile, side, tuple(order)


def random_placement(game: Game, rng: Random) -> Placement:
    pieces = random_pieces(sorted(player_to_move(game).satchel), rng)
    shapes = [tile.shape for tile in game.river]
    tile = shapes.index(pieces[0][1]) if len(pieces) == 1 else rng.randrange(len(shapes))
    return pieces, tile, rng.choice([side for side in (-1, 1) if may_collect(tile, side)])


def random_pieces(satchel: list[Piece], rng: Random) -> tuple[Piece, ...]:
    first = satchel.pop(rng.randrange(len(satchel)))
    partners = [piece for piece in satchel if piece[1] == first[1]]
    if partners and rng.random() < 0.6:
        return tuple(sorted([first, rng.choice(partners)]))
    return (first,)


def landing(game: Game, tile: int, side: int) -> int:
    """How many pieces of the haul would find a cell if every new colour is as lucky as it can be."""
    player = player_to_move(game)
    haul = [colour for colour, _ in game.river[tile + side].pieces]
    cells = 0
    for column in player.glassworks:
        if column.owner is not None:
            cells += min(haul.count(column.owner), game.numbers.rows - len(column.cells))
    fresh = sorted((haul.count(colour) for colour in new_colours(game, tile, side)), reverse=True)
    fresh = [min(count, game.numbers.rows) for count in fresh]
    return cells + sum(fresh[: free_columns(player)])
