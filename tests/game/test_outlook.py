"""What a position promises: the same compiled and interpreted, points once all is over, and nothing of the bag."""

from random import Random

import pytest

from arena.bench.interpreted import own_tables, pure
from arena.game import outlook, position, rules, ruleset
from arena.game.deal import all_kinds
from arena.game.outlook import Outlook
from tests.game.positions import A, B, C, D, fill_lake, hold, kind, laid, own, pile

TABLES = position.tables(ruleset.named())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_engines_hope_for_the_same(players: int) -> None:
    native, plain, rng = Outlook(), pure("outlook").Outlook(), Random(players)
    bag = all_kinds(ruleset.named(), players)
    both = [rules.dealt(TABLES, players, bag, range(6)), pure().dealt(own_tables(TABLES), players, bag, range(6))]
    for state in both:
        state.reseed(players)
    while not both[0].over:
        assert native.hopes(both[0]) == plain.hopes(both[1])
        decision = rng.choice(both[0].legal())
        for state in both:
            state.step(decision)
    assert native.hopes(both[0]) == plain.hopes(both[1])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_finished_game_promises_its_points(players: int) -> None:
    state = laid(players)
    state.playout()
    assert Outlook().hopes(state) == position.scores(state)


def test_the_order_of_the_bag_changes_no_hope() -> None:
    state = laid(3)
    while not state.over:
        other = state.clone()
        other.reseed(99)
        assert Outlook().hopes(other) == Outlook().hopes(state)
        state.step(state.legal()[-1])


def test_a_good_haul_in_reach_is_hoped_for_and_more_by_who_is_to_move() -> None:
    state = laid()
    for seat in (0, 1):
        own(state, seat, 1, 1, 1)
        hold(state, seat, kind(8, A))
    for shape in (A, B, C, D):
        pile(state, shape)
    poor = Outlook().hopes(state)
    pile(state, B, kind(0), kind(1), kind(2))
    rich = Outlook().hopes(state)
    assert rich[0] > poor[0]
    assert rich[1] > poor[1]
    assert rich[0] - poor[0] > rich[1] - poor[1]


def test_a_pair_is_worth_more_than_two_single_pieces() -> None:
    state = laid()
    for shape in range(6):
        pile(state, shape)
    fill_lake(state)
    hold(state, 0, kind(0, A), kind(1, A))
    hold(state, 1, kind(0, A), kind(1, B))
    mine, theirs = Outlook().hopes(state)
    assert mine - theirs == pytest.approx(outlook.PAIR)
