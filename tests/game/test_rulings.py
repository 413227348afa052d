"""The engine decides the corners as docs/rules.md §4, §6 and §8 rule them."""

import pytest

from arena.game import legal, position, rules
from arena.game.actions import Lake, Pass, River
from arena.game.rules import State
from arena.game.ruleset import RuleSet
from tests.game import bridge
from tests.game.positions import (
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
    fill_lake,
    heights,
    hold,
    kind,
    laid,
    on_tile,
    own,
    owners,
    pile,
    put,
    shorten,
    spill,
)
from tests.oracle import Numbers

NO_REFILL = bridge.rule_set(Numbers(refill_in_last_stage=False))
W = kind(WHITE, A)


def satchels(state: State) -> list[int]:
    return list(state.array("satchel_count")[: state.players])


# §4: the lake


def test_the_lake_is_refilled_from_the_back_of_the_bag() -> None:
    state = laid()
    left, last = state.array("lake")[0], list(state.array("bag")[state.back - 4 : state.back])
    after = position.advance(state, Lake(tuple(state.array("lake")[1:5]), tuple(state.array("lake")[1:3])))
    assert list(after.array("lake")) == sorted([left, *last])
    assert (after.front, after.back) == (state.front, state.back - 4)


def test_pieces_given_up_come_from_old_and_new_alike() -> None:
    state = laid()
    hold(state, 0, *[kind(WHITE)] * 5)
    fill_lake(state, *[kind(YELLOW)] * 5)
    given = [turn.discards.count(kind(WHITE)) for turn in legal.actions(state) if isinstance(turn, Lake)]
    assert sorted(given) == [0, 1, 2, 3, 4]


def test_drawing_with_a_full_satchel_leaves_five() -> None:
    state = laid()
    hold(state, 0, *[kind(WHITE)] * 5)
    lake = tuple(state.array("lake")[:4])
    after = position.advance(state, Lake(lake, (kind(WHITE),) * 4))
    assert legal.satchel(after, 0) == tuple(sorted([kind(WHITE), *lake]))
    assert rules.score(after, 0) == -12


def test_a_lake_action_never_triggers_the_end() -> None:
    state = laid()
    own(state, 0, 5, 5, 5, 1)
    after = position.advance(state, next(turn for turn in legal.actions(state) if isinstance(turn, Lake)))
    assert after.trigger == rules.NOBODY


# §5: sorting


def test_a_second_piece_of_a_new_colour_stacks_and_a_full_column_spills() -> None:
    state = laid()
    own(state, 0, 4)
    hold(state, 0, W)
    pile(state, B, kind(WHITE, B), kind(WHITE, C), kind(ORANGE, A), kind(ORANGE, B))
    after = position.advance(state, River((W,), A, 1))
    assert heights(after, 0)[:2] == [5, 2]
    assert after.array("overflow_count")[0] == 1


def test_a_new_colour_with_no_column_left_overflows() -> None:
    state = laid()
    own(state, 0, *[1] * 7)
    hold(state, 0, W)
    pile(state, B, kind(ORANGE))
    after = position.advance(state, River((W,), A, 1))
    assert (ORANGE in owners(after, 0), after.array("overflow")[kind(ORANGE)]) == (False, 1)


# §6: the end


def triggered(players: int, held: list[int], bag: int, rule_set: RuleSet | None = None) -> State:
    """After seat 1 triggered; before that so many were in the satchels, after the refill so many in the bag."""
    state = laid(players, rule_set)
    put(state, ply=1)
    own(state, 1, 1, 5, 5, 5)
    for seat, pieces in enumerate(held):
        hold(state, seat, *[W] * pieces)
    pile(state, B, kind(WHITE, B))
    shorten(state, bag + 1)  # A lies at index 1 then and shows one stone
    return position.advance(state, River((W,), A, 1))


def test_overflow_does_not_count_for_the_trigger() -> None:
    state = laid()
    own(state, 0, 1, 5, 5, 5)
    spill(state, 0, *[W] * 9)
    hold(state, 0, W)
    pile(state, B)
    assert position.advance(state, River((W,), A, 1)).trigger == rules.NOBODY


def test_last_satchels_are_filled_from_the_triggering_seat_on() -> None:
    state = triggered(3, [0, 1, 5], bag=9)
    assert satchels(state) == [3, 3, 5]
    drawn = state.array("bag")[state.front - 6 : state.front]
    assert (legal.satchel(state, 1), legal.satchel(state, 0)) == (tuple(drawn[:3]), tuple(drawn[3:]))


@pytest.mark.parametrize(
    ("bag", "after"), [(4, [2, 3, 2]), (1, [2, 1, 1]), (0, [2, 0, 1])], ids=["four", "one", "none"]
)
def test_last_satchels_get_what_is_left_in_the_same_order(bag: int, after: list[int]) -> None:
    assert satchels(triggered(3, [2, 1, 1], bag)) == after


def test_the_lake_is_closed_in_the_last_stage() -> None:
    state = triggered(2, [3, 3], bag=50)
    assert state.lake_count == 5
    assert legal.legal(state).lakes == ()
    assert {type(turn) for turn in legal.actions(state)} == {River}


def test_further_seats_reaching_the_trigger_change_nothing() -> None:
    state = triggered(2, [3, 3], bag=50)
    own(state, 0, 1, 5, 5, 5)
    hold(state, 0, W)
    pile(state, state.array("river")[1], W)
    after = position.advance(
        state, River((W,), list(state.array("river")).index(A), 1 if state.array("river")[0] == A else -1)
    )
    assert (after.trigger, after.end) == (1, state.end)


@pytest.mark.parametrize(("rule_set", "refilled"), [(None, 1), (NO_REFILL, 0)], ids=["on", "off"])
def test_the_switch_stops_refills_only_after_the_triggering_action(rule_set: RuleSet | None, refilled: int) -> None:
    state = triggered(2, [3, 3], 50, rule_set)
    assert len(on_tile(state, state.array("river")[0])) == 1
    after = position.advance(state, legal.neutral(state))
    assert min(len(on_tile(after, after.array("river")[0])), 1) == refilled


# §8: the corners


@pytest.mark.parametrize("left", [0, 1])
def test_a_small_bag_refills_a_tile_with_what_is_left(left: int) -> None:
    state = laid()
    shorten(state, left)
    hold(state, 0, kind(WHITE, B))
    after = position.advance(state, River((kind(WHITE, B),), B, -1))
    assert len(on_tile(after, after.array("river")[0])) == left


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_short_lake_is_taken_whole_and_may_stay_empty(size: int) -> None:
    state = laid()
    shorten(state, 0)
    fill_lake(state, *range(size))
    options = legal.legal(state)
    assert (options.lakes, options.discards) == ((tuple(range(size)),), max(0, 3 + size - 5))
    after = position.advance(state, next(turn for turn in legal.actions(state) if isinstance(turn, Lake)))
    assert (after.lake_count, legal.legal(after).lakes) == (0, ())


def test_a_small_bag_leaves_the_lake_short() -> None:
    state = laid()
    shorten(state, 2)
    after = position.advance(state, next(turn for turn in legal.actions(state) if isinstance(turn, Lake)))
    assert (after.lake_count, after.front, after.back) == (3, state.front, state.front)


def test_collecting_from_an_empty_tile_flows_and_refills() -> None:
    state = laid()
    pile(state, D)
    hold(state, 0, kind(WHITE, C))
    after = position.advance(state, River((kind(WHITE, C),), C, 1))
    assert list(after.array("river")) == [D, A, B, C, E, F]
    assert (len(on_tile(after, D)), after.array("placed")[0]) == (1, 0)


def stuck(players: int) -> State:
    """A position in which nobody can act any more."""
    state = laid(players)
    shorten(state, 0)
    fill_lake(state)
    for seat in range(players):
        hold(state, seat)
    return state


def test_passing_is_offered_only_to_who_cannot_act() -> None:
    assert list(legal.actions(stuck(2))) == [Pass()]
    assert Pass() not in list(legal.actions(laid()))


def test_a_full_round_of_passes_ends_the_game_without_last_satchels() -> None:
    state = stuck(3)
    for _ in range(3):
        assert not state.over
        state = position.advance(state, Pass())
    assert (state.over, state.trigger, state.ply, satchels(state)) == (True, rules.NOBODY, 3, [0, 0, 0])


def test_passes_are_counted_from_the_turn_of_seat_zero() -> None:
    state = stuck(3)
    put(state, ply=1)
    for _ in range(4):
        state = position.advance(state, Pass())
        assert not state.over
    assert position.advance(state, Pass()).over


def test_passes_of_the_last_stage_are_counted_by_the_round_too() -> None:
    state = triggered(2, [0, 1], bag=0)
    seen = []
    while not state.over:
        state = position.advance(state, legal.neutral(state))
        seen.append((state.ply % 2, state.passes))
    assert all(passes == 0 for turn, passes in seen if turn == 0)


def test_a_purple_and_a_white_piece_of_one_shape_go_onto_any_tile() -> None:
    state = laid()
    hold(state, 0, kind(WHITE, C), kind(PURPLE, C))
    pairs = [turn for turn in legal.legal(state).placements if len(turn.pieces) == 2]
    assert sorted({turn.tile for turn in pairs}) == [A, B, C, D, E, F]
    assert len(pairs) == 10
