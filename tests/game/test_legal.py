"""The legal set is whole, without repeats and in one fixed order, and a refusal cites the paragraph it rests on."""

from itertools import islice

import pytest
from hypothesis import given, settings

from arena.errors import IllegalAction
from arena.game import legal, position, rules, ruleset
from arena.game.actions import Action, Lake, Pass, River
from arena.game.legal import Placement
from arena.game.rules import State
from tests.game.positions import (
    BLACK,
    ORANGE,
    PURPLE,
    WHITE,
    YELLOW,
    A,
    B,
    C,
    fill_lake,
    hold,
    kind,
    laid,
    own,
    pile,
    put,
    shorten,
)
from tests.game.random_games import Plan, plans

laws = settings(max_examples=60, deadline=None)
Order = tuple[int, ...]
W, P = kind(WHITE, A), kind(PURPLE, A)


@laws
@given(plans())
def test_no_legal_turn_is_listed_twice(plan: Plan) -> None:
    for state, _, _ in plan.steps():
        listed = list(islice(legal.actions(state), 500))
        assert len(set(listed)) == len(listed) > 0


@laws
@given(plans())
def test_the_neutral_player_takes_the_first_legal_turn(plan: Plan) -> None:
    for state, _, _ in plan.steps():
        assert legal.neutral(state) == next(legal.actions(state))


@laws
@given(plans())
def test_the_pass_is_the_only_turn_where_there_is_one(plan: Plan) -> None:
    for state, _, _ in plan.steps():
        if rules.must_pass(state):
            assert list(legal.actions(state)) == [Pass()]


@laws
@given(plans())
def test_a_finished_game_offers_nothing(plan: Plan) -> None:
    *_, (_, _, end) = plan.steps()
    assert legal.legal(end) == legal.Legal((), (), 0, must_pass=False)


def test_branching_stays_small_before_orders_and_discards() -> None:
    counts = [len(legal.legal(state).placements) for seed in range(20) for state in positions(seed)]
    assert max(counts) <= 75  # §9, smoke ranges


def positions(seed: int) -> list[State]:
    return [state for state, _, _ in Plan(ruleset.named(), 4, seed, 0.3).steps()]


@pytest.mark.parametrize(
    ("new", "room", "orders"),
    [
        pytest.param((), 3, [()], id="nothing new"),
        pytest.param((6,), 3, [()], id="one new"),
        pytest.param((6, 7), 0, [()], id="no room"),
        pytest.param((6, 7), 1, [(6,), (7,)], id="two for one"),
        pytest.param((6, 7), 2, [(6, 7), (7, 6)], id="two for two"),
        pytest.param((6, 7), 7, [(6, 7), (7, 6)], id="two for seven"),
        pytest.param((5, 6, 7), 1, [(5,), (6,), (7,)], id="three for one"),
        pytest.param((5, 6, 7), 2, [(5, 6), (5, 7), (6, 5), (6, 7), (7, 5), (7, 6)], id="three for two"),
    ],
)
def test_an_order_is_given_only_where_it_matters(new: Order, room: int, orders: list[Order]) -> None:
    assert list(legal.orders(Placement((0,), 0, 1, new, room))) == orders


# Refusals


def table() -> State:
    """Seat 0 holds a white and a purple A and a white C; the second tile has two new colours for one column."""
    state = laid(5)
    own(state, 0, *[1] * 6)
    hold(state, 0, W, P, kind(WHITE, C))
    pile(state, B, kind(ORANGE), kind(YELLOW), kind(WHITE), kind(BLACK))
    fill_lake(state, 0, 1, 2, 3, 4)
    return state


LAKE = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        pytest.param(River((), A, 1), r"not 0 \(§3.1\)", id="no piece"),
        pytest.param(River((W, P, W), A, 1), r"not 3 \(§3.1\)", id="three pieces"),
        pytest.param(River((W,), 6, -1), r"tile 6 has no neighbour at -1 \(§3.2\)", id="no such tile"),
        pytest.param(River((W,), -1, 1), r"\(§3.2\)", id="tile -1"),
        pytest.param(River((W,), A, -1), r"tile 0 has no neighbour at -1 \(§3.2\)", id="left of the river"),
        pytest.param(River((W,), A, 0), r"\(§3.2\)", id="no side"),
        pytest.param(River((W,), A, 2), r"\(§3.2\)", id="two steps"),
        pytest.param(River((kind(ORANGE),), A, 1), r"does not hold these pieces \(§3.1\)", id="not held"),
        pytest.param(River((W, W), A, 1), r"does not hold these pieces \(§3.1\)", id="held once"),
        pytest.param(River((W, kind(WHITE, C)), A, 1), r"same shape \(§3.1\)", id="two shapes"),
        pytest.param(River((W,), C, 1), r"tile that shows its shape \(§3.1\)", id="wrong tile"),
        pytest.param(River((W,), A, 1), r"give their order \(§5.5\)", id="no order"),
        pytest.param(River((W,), A, 1, (WHITE,)), r"give their order \(§5.5\)", id="owned colours only"),
        pytest.param(Lake((0, 1, 2), ()), r"take exactly 4 lake pieces, not 3 \(§4.1\)", id="three of the lake"),
        pytest.param(Lake((0, 1, 2, 3, 4), ()), r"not 5 \(§4.1\)", id="five of the lake"),
        pytest.param(Lake((0, 0, 1, 2), (0, 0)), r"lake does not hold these pieces \(§4.1\)", id="piece twice"),
        pytest.param(Lake(LAKE, (0,)), r"give up exactly 2 pieces, not 1 \(§4.2\)", id="one given up"),
        pytest.param(Lake(LAKE, (0, 1, 2)), r"give up exactly 2 pieces, not 3 \(§4.2\)", id="three given up"),
        pytest.param(Lake(LAKE, (4, 0)), r"to give up \(§4.2\)", id="given up what is not held"),
        pytest.param(Pass(), r"no voluntary pass \(§3\)", id="pass"),
    ],
)
def test_a_refusal_names_the_paragraph(action: Action, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        position.canonical(table(), action)
    with pytest.raises(IllegalAction, match=reason):
        position.advance(table(), action)


def test_a_closed_lake_is_refused_by_its_paragraph() -> None:
    state = table()
    put(state, trigger=1, end=10)
    with pytest.raises(IllegalAction, match=r"closed or empty \(§6.3, §8.2\)"):
        position.advance(state, Lake(LAKE, (0, 1)))


def test_an_empty_lake_is_refused_by_its_paragraph() -> None:
    state = table()
    shorten(state, 0)
    fill_lake(state)
    with pytest.raises(IllegalAction, match=r"closed or empty \(§6.3, §8.2\)"):
        position.advance(state, Lake((), ()))


@pytest.mark.parametrize("action", [River((W,), A, 1), Lake(LAKE, (0, 1)), Pass()], ids=["river", "lake", "pass"])
def test_nothing_is_played_after_the_end(action: Action) -> None:
    state = table()
    put(state, over=True)
    with pytest.raises(IllegalAction, match="the game is over"):
        position.advance(state, action)


def test_an_order_may_name_colours_that_have_a_column() -> None:
    spelled = position.canonical(table(), River((W,), A, 1, (WHITE, ORANGE)))
    assert spelled == River((W,), A, 1, (ORANGE,))


def test_an_order_may_be_a_preference_list_of_all_colours() -> None:
    preferred = tuple(range(8, -1, -1))
    assert position.canonical(table(), River((W,), A, 1, preferred)) == position.canonical(
        table(), River((W,), A, 1, tuple(colour for colour in preferred if colour in (6, 7, 8)))
    )
