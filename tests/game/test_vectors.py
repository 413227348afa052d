"""The engine gives every answer that docs/rules.md §9 writes down."""

from itertools import count

import pytest

from arena.game import legal, position, rules
from arena.game.actions import Action, River
from arena.game.rules import State
from tests.game.positions import (
    DARK_BLUE,
    DARK_GREEN,
    LIGHT_BLUE,
    LIGHT_GREEN,
    ORANGE,
    PURPLE,
    WHITE,
    YELLOW,
    A,
    B,
    C,
    D,
    E,
    F,
    heights,
    hold,
    kind,
    laid,
    on_tile,
    own,
    owners,
    pile,
    put,
    spill,
)

# §9, scoring


@pytest.mark.parametrize(
    ("tops", "overflow", "rows", "columns", "total"),
    [
        pytest.param((), 0, 0, 0, 0, id="none"),
        pytest.param((2,), 0, 2, 2, 4, id="2"),
        pytest.param((3, 2, 2, 1, 1, 1, 1), 1, 27, 7, 31, id="3221111"),
        pytest.param((1, 3, 1, 3, 3), 0, 11, 18, 29, id="13133"),
        pytest.param((5, 5, 5, 1), 0, 23, 15, 38, id="5551"),
        pytest.param((4, 1, 1, 1, 1, 1, 5), 0, 25, 39, 64, id="4111115"),
        pytest.param((1, 1, 1, 1), 4, 7, 3, -2, id="1111"),
    ],
)
def test_scoring_vectors_hold(tops: tuple[int, ...], overflow: int, rows: int, columns: int, total: int) -> None:
    assert points(tops, overflow) == (rows, columns, total)


def points(tops: tuple[int, ...], overflow: int) -> tuple[int, int, int]:
    state = laid()
    own(state, 1, *tops)
    spill(state, 1, *[kind(WHITE)] * overflow)
    return *rules.parts(state, 1)[:2], rules.score(state, 1)


@pytest.mark.parametrize("seat", range(5))
def test_a_seat_is_scored_by_its_own_glassworks(seat: int) -> None:
    state = laid(5)
    own(state, seat, 2)
    assert position.scores(state) == tuple(4 if other == seat else 0 for other in range(5))


# §9, the end


@pytest.mark.parametrize(
    ("players", "seat", "round_", "turns"),
    [(3, 0, 6, 7), (3, 2, 6, 7), (4, 2, 8, 9)],
    ids=["first of three", "last of three", "third of four"],
)
def test_the_round_is_finished_and_one_more_played(players: int, seat: int, round_: int, turns: int) -> None:
    state = triggering(players, seat, round_)
    assert (state.trigger, state.over, state.end) == (seat, False, turns * players)
    while not state.over:
        state = position.advance(state, legal.neutral(state))
    assert state.ply == turns * players


def triggering(players: int, seat: int, round_: int) -> State:
    """The position after the action by which this seat triggered the end in this round."""
    state = laid(players)
    put(state, ply=(round_ - 1) * players + seat)
    own(state, seat, 1, 5, 5, 5)
    hold(state, seat, kind(WHITE, A))
    pile(state, B, kind(WHITE, A))
    return position.advance(state, River((kind(WHITE, A),), A, 1))


# §9, the river


@pytest.mark.parametrize(
    ("tile", "side", "line", "refill"),
    [
        pytest.param(C, 1, [D, A, B, C, E, F], 1, id="on C, collect D"),
        pytest.param(C, -1, [B, A, C, D, E, F], 1, id="on C, collect B"),
        pytest.param(B, -1, [A, B, C, D, E, F], 2, id="on B, collect A"),
        pytest.param(F, -1, [E, A, B, C, D, F], 1, id="on F, collect E"),
        pytest.param(A, 1, [B, A, C, D, E, F], 1, id="on A, collect B"),
    ],
)
def test_the_river_flows_and_is_refilled(tile: int, side: int, line: list[int], refill: int) -> None:
    state = laid()
    hold(state, 0, kind(WHITE, tile))
    drawn = list(state.array("bag")[state.front : state.front + refill])
    after = position.advance(state, River((kind(WHITE, tile),), tile, side))
    assert list(after.array("river")) == line
    assert on_tile(after, line[0]) == drawn


def test_the_pieces_placed_stay_where_they_are() -> None:
    state = laid()
    hold(state, 0, kind(YELLOW, C))
    lying = on_tile(state, C)
    after = position.advance(state, River((kind(YELLOW, C),), C, 1))
    assert on_tile(after, C) == sorted([*lying, kind(YELLOW, C)])


def test_the_haul_is_sorted_into_the_glassworks() -> None:
    state = laid()
    hold(state, 0, kind(WHITE, C))
    pile(state, D, kind(ORANGE), kind(ORANGE, B))
    after = position.advance(state, River((kind(WHITE, C),), C, 1))
    assert (owners(after, 0), heights(after, 0)[0]) == ([ORANGE], 2)


@pytest.mark.parametrize(("tile", "side"), [(F, 1), (A, -1)], ids=["F has no right", "A has no left"])
def test_the_line_is_not_a_circle(tile: int, side: int) -> None:
    state = laid()
    hold(state, 0, kind(WHITE, A), kind(WHITE, F))
    sides = {turn.side for turn in legal.legal(state).placements if turn.tile == tile}
    assert sides == {-side}


# §9, sorting


@pytest.mark.parametrize(("first", "spilt"), [(YELLOW, DARK_BLUE), (DARK_BLUE, YELLOW)], ids=["yellow", "dark blue"])
def test_the_first_new_colour_gets_the_last_column(first: int, spilt: int) -> None:
    after = position.advance(contested(), onto_first_tile(first))
    assert owners(after, 0)[6:] == [first]
    assert after.array("overflow")[kind(spilt)] == 1
    assert heights(after, 0) == [2, 1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("first", [YELLOW, DARK_BLUE], ids=["yellow", "dark blue"])
def test_both_orders_place_two_pieces_and_spill_one(first: int) -> None:
    before = contested()
    after = position.advance(before, onto_first_tile(first))
    assert after.array("placed")[0] - before.array("placed")[0] == 2
    assert after.array("overflow_count")[0] - before.array("overflow_count")[0] == 1


def test_both_orders_are_offered() -> None:
    orders = [turn.order for turn in legal.actions(contested()) if isinstance(turn, River)]
    assert orders == [(DARK_BLUE,), (YELLOW,)]


def contested() -> State:
    """§9: six columns owned, and a haul of yellow, dark blue and white on the second tile."""
    state = laid()
    own(state, 0, 1, 1, 1, 1, 1, 1, colours=[WHITE, PURPLE, LIGHT_BLUE, LIGHT_GREEN, DARK_GREEN, ORANGE])
    hold(state, 0, kind(WHITE, A))
    pile(state, B, kind(YELLOW), kind(DARK_BLUE), kind(WHITE))
    return state


def onto_first_tile(*order: int) -> Action:
    return River((kind(WHITE, A),), A, 1, order)


# §7.2 and §7.3 beyond the table of §9


def test_a_column_is_worth_its_index_times_its_height() -> None:
    state = laid()
    worth = [state.tables.column_score[place] for place in range(35)]
    assert worth == [column * height for height in range(1, 6) for column in range(1, 8)]


@pytest.mark.parametrize(
    ("tops", "columns"),
    [((1,), 1), ((5, 5), 15), ((2, 3, 3), 15), ((3, 2, 2, 2), 7), ((1, 1, 1, 1, 1, 1, 1), 3)],
    ids=str,
)
def test_the_leftmost_of_equally_tall_columns_counts(tops: tuple[int, ...], columns: int) -> None:
    assert points(tops, 0)[1] == columns


def test_rows_score_by_their_unbroken_cells() -> None:
    row_points = [points((1,) * length, 0)[0] for length in range(8)]
    assert row_points == [0, 1, 2, 4, 7, 11, 16, 22]


def test_a_game_of_neutral_players_ends() -> None:
    state = laid(4)
    for ply in count():
        if state.over:
            assert ply == state.ply > 0
            return
        state = position.advance(state, legal.neutral(state))
