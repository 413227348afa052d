"""The oracle keeps the numbers, the vectors and the corner rulings of docs/rules.md by itself."""

from random import Random

import pytest

from . import (
    Game,
    Numbers,
    apply,
    bag_order,
    canonical,
    compact_legal,
    dump,
    is_legal,
    legal_actions,
    new_game,
    numbered_pieces,
    play,
    policies,
    score,
    tile_order,
)
from .facts import KINDS, Piece
from .rules import Player

WHITE, PURPLE, LIGHT_BLUE, DARK_BLUE, LIGHT_GREEN, DARK_GREEN, YELLOW, ORANGE, BLACK = range(9)
A, B, C, D, E, F = range(6)  # shapes and, in `laid`, also the tiles that show them: A1 B2 C1 D2 E1 F2
NO_REFILL = Numbers(refill_in_last_stage=False)


def laid(players: int = 2, numbers: Numbers | None = None) -> Game:
    """A game with everything in the order of its numbers: tiles A to F, the bag colour by colour."""
    numbers = numbers or Numbers()
    return new_game(players, range(len(numbered_pieces(players, numbers))), range(6), numbers)


def own(player: Player, *heights: int) -> None:
    """Lets colours 0, 1, 2.. own the columns from the left, filled to these heights."""
    for colour, height in enumerate(heights):
        player.glassworks[colour].owner = colour
        player.glassworks[colour].cells = [(colour, A)] * height


def heights(player: Player) -> list[int]:
    return [len(column.cells) for column in player.glassworks]


def owners(player: Player) -> list[int | None]:
    return [column.owner for column in player.glassworks]


# §1 and §2: numbers and set-up


def test_numbers_give_every_shape_twenty_pieces_and_black_two_more() -> None:
    assert [sum(row) for row in KINDS] == [22, 22, 17, 17, 12, 12, 9, 9, 12]
    assert [sum(column) for column in zip(*KINDS[:8], strict=True)] == [20] * 6
    assert len(numbered_pieces(4)) == 120
    assert len(numbered_pieces(5)) == 132


def test_pieces_are_numbered_by_colour_then_shape_then_copy() -> None:
    pieces = numbered_pieces(5)
    assert pieces == sorted(pieces)
    assert [pieces[number] for number in (0, 3, 4, 21, 22, 131)] == [(0, 0), (0, 0), (0, 1), (0, 5), (1, 0), (8, 5)]


def test_orders_agree_with_sha256sum() -> None:
    deal = bytes(32)
    assert tile_order(deal) == [5, 1, 0, 4, 3, 2]
    assert bag_order(deal, 5)[:8] == [61, 117, 80, 85, 98, 39, 90, 7]
    assert bag_order(deal, 5)[-4:] == [64, 116, 6, 78]
    assert bag_order(deal, 2) == [piece for piece in bag_order(deal, 5) if piece < 120]


def test_set_up_draws_tiles_then_lake_then_satchels_from_the_front() -> None:
    game, pieces = laid(3), numbered_pieces(3)
    drawn = [piece for tile in game.river for piece in tile.pieces] + game.lake
    drawn += [piece for player in game.players for piece in player.satchel]
    assert [len(tile.pieces) for tile in game.river] == [1, 2, 1, 2, 1, 2]
    assert drawn == pieces[:23]
    assert game.bag == pieces[23:]


# §9: scoring


@pytest.mark.parametrize(
    ("tops", "overflow", "expected"),
    [
        ((0, 0, 0, 0, 0, 0, 0), 0, [0, 0, 0, 0]),
        ((2, 0, 0, 0, 0, 0, 0), 0, [4, 2, 2, 0]),
        ((3, 2, 2, 1, 1, 1, 1), 1, [31, 27, 7, 3]),
        ((1, 3, 1, 3, 3, 0, 0), 0, [29, 11, 18, 0]),
        ((5, 5, 5, 1, 0, 0, 0), 0, [38, 23, 15, 0]),
        ((4, 1, 1, 1, 1, 1, 5), 0, [64, 25, 39, 0]),
        ((1, 1, 1, 1, 0, 0, 0), 4, [-2, 7, 3, 12]),
    ],
    ids=str,
)
def test_scoring_vectors_hold(tops: tuple[int, ...], overflow: int, expected: list[int]) -> None:
    assert score(Numbers(), tops, overflow) == expected


# §9: the end


@pytest.mark.parametrize(
    ("players", "seat", "round_", "turns"),
    [(3, 0, 6, 7), (3, 2, 6, 7), (4, 2, 8, 9)],
    ids=["first of three", "last of three", "third of four"],
)
def test_the_round_is_finished_and_one_more_played(players: int, seat: int, round_: int, turns: int) -> None:
    game = laid(players)
    game.ply = (round_ - 1) * players + seat
    own(game.players[seat], 1, 5, 5, 5)
    game.river[B].pieces = [(WHITE, A)]
    game.players[seat].satchel = [(WHITE, A)]
    apply(game, ("river", ((WHITE, A),), 0, 1, ()))
    assert (game.trigger_seat, game.over) == (seat, False)
    after = sum(1 for _ in play(game, [policies()["uniform"]] * players, Random(1)))
    assert game.ply == turns * players
    assert after == turns * players - ((round_ - 1) * players + seat + 1)


def test_overflow_does_not_count_for_the_trigger() -> None:
    game = laid()
    own(game.players[0], 1, 5, 5, 5)
    game.players[0].overflow = [(WHITE, A)] * 9
    game.players[0].satchel = [(WHITE, A)]
    game.river[B].pieces = [(PURPLE, A)]
    apply(game, ("river", ((WHITE, A),), 0, 1, ()))
    assert game.trigger_seat is None


def triggered(players: int, satchels: list[int], bag: int) -> Game:
    """A game right after seat 1 triggered, with so many in the satchels before and in the bag after the refill."""
    game = laid(players)
    game.ply = 1
    own(game.players[1], 1, 5, 5, 5)
    for player, held in zip(game.players, satchels, strict=True):
        player.satchel = [(WHITE, A)] * held
    game.river[B].pieces = [(WHITE, B)]
    game.bag = game.bag[-bag - 1 :]  # A lies at index 1 then and shows one stone
    apply(game, ("river", ((WHITE, A),), 0, 1, ()))
    return game


def test_last_satchels_are_filled_from_the_triggering_seat_on() -> None:
    game = triggered(3, [0, 1, 5], bag=9)
    drawn = numbered_pieces(3)[-9:]
    assert [len(player.satchel) for player in game.players] == [3, 3, 5]
    assert game.players[1].satchel == drawn[:3]
    assert game.players[0].satchel == drawn[3:6]


def test_last_satchels_get_what_is_left_in_the_same_order() -> None:
    game = triggered(3, [2, 1, 1], bag=4)
    assert [len(player.satchel) for player in game.players] == [2, 3, 2]


def test_the_lake_is_closed_in_the_last_stage() -> None:
    game = triggered(2, [3, 3], bag=50)
    assert len(game.lake) == 5
    assert compact_legal(game)["lake"] == []
    assert all(action[0] == "river" for action in legal_actions(game))


@pytest.mark.parametrize(("numbers", "refills"), [(Numbers(), True), (NO_REFILL, False)], ids=["on", "off"])
def test_the_switch_stops_refills_only_after_the_triggering_action(numbers: Numbers, refills: bool) -> None:
    game = laid(2, numbers)
    own(game.players[0], 1, 5, 5, 5)
    game.river[B].pieces = [(WHITE, B)]
    game.players[0].satchel = [(WHITE, A)]
    apply(game, ("river", ((WHITE, A),), A, 1, ()))
    assert game.trigger_seat == 0
    assert len(game.river[0].pieces) == 1
    apply(game, next(legal_actions(game)))
    assert bool(game.river[0].pieces) is refills


# §9: the river


@pytest.mark.parametrize(
    ("tile", "side", "order", "refill"),
    [
        (C, 1, [D, A, B, C, E, F], 1),
        (C, -1, [B, A, C, D, E, F], 1),
        (B, -1, [A, B, C, D, E, F], 2),
        (F, -1, [E, A, B, C, D, F], 1),
        (A, 1, [B, A, C, D, E, F], 1),
    ],
    ids=["collect D", "collect B", "collect A", "from F", "from A"],
)
def test_river_flows_and_is_refilled(tile: int, side: int, order: list[int], refill: int) -> None:
    game = laid()
    game.players[0].satchel = [(WHITE, tile)]
    haul, front = game.river[tile + side].pieces, game.bag[:refill]
    apply(game, ("river", ((WHITE, tile),), tile, side, ()))
    assert [shown.shape for shown in game.river] == order
    assert game.river[0].pieces == front
    placed = next(shown for shown in game.river if shown.shape == tile)
    assert (WHITE, tile) in placed.pieces
    assert sum(heights(game.players[0])) == len(haul)


def test_the_ends_of_the_river_have_one_neighbour() -> None:
    game = laid()
    game.players[0].satchel = [(WHITE, A), (PURPLE, F)]
    chosen = [(tile, side) for _, tile, side, _, _ in compact_legal(game)["placements"]]
    assert chosen == [(A, 1), (F, -1)]


def test_two_pieces_of_a_shape_go_together_onto_any_tile() -> None:
    game = laid()
    game.players[0].satchel = [(WHITE, C), (PURPLE, C), (WHITE, D)]
    tiles: dict[tuple[Piece, ...], set[int]] = {}
    for pieces, tile, *_ in compact_legal(game)["placements"]:
        tiles.setdefault(pieces, set()).add(tile)
    assert tiles.pop(((WHITE, C), (PURPLE, C))) == {A, B, C, D, E, F}
    assert tiles == {((WHITE, C),): {C}, ((PURPLE, C),): {C}, ((WHITE, D),): {D}}


# §4: the lake


def test_lake_takes_four_and_is_refilled_from_the_back_of_the_bag() -> None:
    game = laid()
    taken, last, left = tuple(sorted(game.lake[1:])), game.bag[-4:], game.lake[0]
    held = sorted([*game.players[0].satchel, *taken])
    apply(game, ("lake", taken, tuple(held[:2])))
    assert sorted(game.lake) == sorted([left, *last])
    assert sorted(game.players[0].satchel) == held[2:]
    assert sorted(game.players[0].overflow) == held[:2]


def test_discards_are_chosen_freely_from_old_and_new() -> None:
    game = laid()
    game.lake = [(YELLOW, A)] * 5
    game.players[0].satchel = [(WHITE, A)] * 5
    lake = [action for action in legal_actions(game) if action[0] == "lake"]
    assert compact_legal(game)["discards"] == 4
    assert len(lake) == 5  # between none and four of the discards are white


# §5: sorting


@pytest.mark.parametrize(("first", "spilt"), [(YELLOW, DARK_BLUE), (DARK_BLUE, YELLOW)])
def test_the_player_chooses_which_new_colour_gets_the_column(first: int, spilt: int) -> None:
    game = laid()
    player = game.players[0]
    for column, colour in enumerate([WHITE, PURPLE, LIGHT_BLUE, LIGHT_GREEN, DARK_GREEN, ORANGE]):
        player.glassworks[column].owner, player.glassworks[column].cells = colour, [(colour, A)]
    game.river[B].pieces = [(YELLOW, A), (DARK_BLUE, A), (WHITE, A)]
    player.satchel = [(WHITE, A)]
    assert {action[4] for action in legal_actions(game) if len(action) == 5} == {(YELLOW,), (DARK_BLUE,)}
    apply(game, ("river", ((WHITE, A),), A, 1, (first,)))
    assert owners(player)[6] == first
    assert player.overflow == [(spilt, A)]
    assert heights(player) == [2, 1, 1, 1, 1, 1, 1]


def test_a_second_piece_of_a_new_colour_stacks_and_a_full_column_spills() -> None:
    game = laid()
    own(game.players[0], 4)
    game.players[0].satchel = [(WHITE, A)]
    game.river[B].pieces = [(WHITE, B), (ORANGE, A), (WHITE, C), (ORANGE, B)]
    apply(game, ("river", ((WHITE, A),), A, 1, ()))
    assert heights(game.players[0])[:2] == [5, 2]
    assert len(game.players[0].overflow) == 1


@pytest.mark.parametrize(
    ("owned", "haul", "orders"),
    [
        (6, [YELLOW], {()}),
        (7, [ORANGE, BLACK], {()}),
        (6, [YELLOW, WHITE], {()}),
        (5, [YELLOW, ORANGE], {(YELLOW, ORANGE), (ORANGE, YELLOW)}),
        (5, [ORANGE, YELLOW, BLACK], {(6, 7), (7, 6), (6, 8), (8, 6), (7, 8), (8, 7)}),
    ],
    ids=["one new", "no column free", "one new of two", "two for two", "three for two"],
)
def test_an_order_is_spelt_only_where_it_matters(owned: int, haul: list[int], orders: set[tuple[int, ...]]) -> None:
    game = laid(5)
    own(game.players[0], *[1] * owned)
    game.players[0].satchel = [(WHITE, A)]
    game.river[B].pieces = [(colour, A) for colour in haul]
    assert {action[4] for action in legal_actions(game) if len(action) == 5} == orders


def test_other_spellings_of_an_outcome_become_the_canonical_one() -> None:
    game = laid()
    own(game.players[0], 1, 1, 1, 1, 1, 1)
    game.players[0].satchel = [(PURPLE, A), (WHITE, A)]
    game.river[B].pieces = [(YELLOW, A), (ORANGE, A), (WHITE, A)]
    spelt = canonical(game, ("river", ((PURPLE, A), (WHITE, A)), A, 1, (WHITE, YELLOW, ORANGE)))
    assert spelt == ("river", ((WHITE, A), (PURPLE, A)), A, 1, (YELLOW,))
    assert canonical(game, ("river", ((WHITE, A),), A, 1, ())) is None


# §8: the corners


@pytest.mark.parametrize("left", [0, 1])
def test_a_small_bag_refills_a_tile_with_what_is_left(left: int) -> None:
    game = laid()
    game.bag = game.bag[:left]
    game.players[0].satchel = [(WHITE, B)]
    apply(game, ("river", ((WHITE, B),), B, -1, ()))
    assert len(game.river[0].pieces) == left


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_short_lake_is_taken_whole_and_may_stay_empty(size: int) -> None:
    game = laid()
    game.lake, game.bag = game.lake[:size], []
    legal = compact_legal(game)
    assert legal["lake"] == [tuple(sorted(game.lake))]
    assert legal["discards"] == max(0, 3 + size - 5)
    apply(game, next(action for action in legal_actions(game) if action[0] == "lake"))
    assert game.lake == []
    assert compact_legal(game)["lake"] == []


def test_a_small_bag_leaves_the_lake_short() -> None:
    game = laid()
    game.bag = game.bag[:2]
    apply(game, next(action for action in legal_actions(game) if action[0] == "lake"))
    assert len(game.lake) == 3


def test_collecting_from_an_empty_tile_flows_and_refills() -> None:
    game = laid()
    game.river[D].pieces = []
    game.players[0].satchel = [(WHITE, C)]
    apply(game, ("river", ((WHITE, C),), C, 1, ()))
    assert [tile.shape for tile in game.river] == [D, A, B, C, E, F]
    assert len(game.river[0].pieces) == 1
    assert heights(game.players[0]) == [0] * 7


def stuck(players: int) -> Game:
    """A game in which nobody can act any more."""
    game = laid(players)
    game.lake, game.bag = [], []
    for player in game.players:
        player.satchel = []
    return game


def test_passing_is_forced_and_never_chosen() -> None:
    assert list(legal_actions(stuck(2))) == [("pass",)]
    assert not is_legal(laid(), ("pass",))


def test_a_full_round_of_passes_ends_the_game_without_last_satchels() -> None:
    game = stuck(3)
    for _ in range(3):
        assert not game.over
        apply(game, ("pass",))
    assert (game.over, game.trigger_seat, game.ply) == (True, None, 3)
    assert list(legal_actions(game)) == []


def test_passes_are_counted_from_the_turn_of_seat_zero() -> None:
    game = stuck(3)
    game.ply = 1
    for _ in range(4):
        apply(game, ("pass",))
        assert not game.over
    apply(game, ("pass",))
    assert (game.over, game.ply) == (True, 6)


def test_equal_totals_share_the_win() -> None:
    game = stuck(3)
    game.players[1].overflow = [(WHITE, A)]
    game.over = True
    assert dump(game)["winners"] == [0, 2]
