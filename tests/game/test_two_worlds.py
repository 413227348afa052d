"""Nothing that leaves the engine depends on the order of the bag that no seat can know (docs/rules.md §8.8).

Two bags are equal in all pieces drawn so far and differ afterwards; they are put in below the deal, so that a
commitment published before the game is the same in both worlds.
"""

from collections.abc import Iterator
from random import Random

import pytest

from arena.contest import referee
from arena.contest.clock import Bank, TimeControl
from arena.contest.referee import Game, Moved, Reason
from arena.game import legal, position, rules
from arena.game.actions import River
from arena.game.packing import view_to_bytes
from arena.game.rules import State
from arena.game.view import unseen, view
from tests.game.random_games import RULES, Plan

PLANS = [
    Plan(RULES[number % 2], players, seed=number, lake_share=share)
    for players in (2, 3, 4, 5)
    for number, share in enumerate((0.0, 0.4, 0.8, 1.0))
]
TABLES = [pytest.param(plan, id=f"{plan.players} seats, {plan.lake_share}") for plan in PLANS]
CONTROL = TimeControl(bank=60, increment=0.5, cap=10)

Course = list[State]  # the position before each turn and after the last one


def course(plan: Plan, bag: list[int], plies: int) -> Course:
    """The plan's own turns played on this bag."""
    states = [rules.dealt(position.tables(plan.rules), plan.players, bag, plan.orders()[1])]
    for action in plan.actions()[:plies]:
        states.append(position.advance(states[-1], action))
    return states


def other_bag(plan: Plan, state: State) -> list[int]:
    """A bag equal to the plan's in all pieces drawn up to this position, with the rest in another order."""
    bag = list(plan.orders()[0])
    rest = bag[state.front : state.back]
    Random(state.ply).shuffle(rest)
    return [*bag[: state.front], *rest, *bag[state.back :]]


def worlds(plan: Plan) -> Iterator[tuple[Course, Course]]:
    """For each ply the game so far and the same game on a bag that differs only in what is still to come."""
    own = course(plan, list(plan.orders()[0]), plies=1000)
    for ply, state in enumerate(own):
        yield own[: ply + 1], course(plan, other_bag(plan, state), ply)


def packed(plan: Plan, states: Course) -> list[bytes]:
    return [view_to_bytes(view(state, plan.rules)) for state in states]


@pytest.mark.parametrize("plan", TABLES)
def test_packed_views_are_equal_in_both_worlds_up_to_every_ply(plan: Plan) -> None:
    for one, other in worlds(plan):
        assert packed(plan, one) == packed(plan, other)


@pytest.mark.parametrize("plan", TABLES)
def test_legal_sets_scores_and_unseen_pieces_are_equal_in_both_worlds(plan: Plan) -> None:
    for one, other in worlds(plan):
        seen, also = view(one[-1], plan.rules), view(other[-1], plan.rules)
        assert legal.legal(one[-1]) == legal.legal(other[-1])
        assert seen.legal == also.legal
        assert unseen(seen) == unseen(also)
        assert seen.scores() == also.scores()


def test_the_worlds_do_differ_in_what_is_still_to_come() -> None:
    pairs = [(one[-1], other[-1]) for plan in PLANS for one, other in worlds(plan)]
    differing = [one for one, other in pairs if one.array("bag") != other.array("bag")]
    assert len(differing) > len(pairs) / 2
    assert {one.trigger == rules.NOBODY for one in differing} == {True, False}


@pytest.mark.parametrize("plan", TABLES)
def test_views_differ_once_the_difference_is_drawn(plan: Plan) -> None:
    own = course(plan, list(plan.orders()[0]), plies=1000)
    bag = list(plan.orders()[0])
    bag[own[0].front : own[0].back] = reversed(bag[own[0].front : own[0].back])
    first = plan.actions()[0]
    assert packed(plan, [position.advance(own[0], first)]) != packed(plan, course(plan, bag, 1)[1:])


# The referee's question


def refereed(plan: Plan, bag: list[int], plies: int, leaver: int) -> Iterator[Game]:
    """The game before each turn; the seat `leaver` forfeits in the third round."""
    game = Game(plan.rules, CONTROL, course(plan, bag, 0)[0], (Bank(CONTROL.bank),) * plan.players)
    rng = Random(plan.seed)
    yield game
    while len(game.moves) < plies and not referee.is_over(game):
        if len(game.moves) >= 2 * plan.players and leaver not in referee.out(game):
            game = referee.forfeit(game, leaver, Reason.CRASH)
        else:
            took = round(rng.random(), 3)
            game = referee.hear(game, Moved(legal.neutral(game.state), took))
        yield game


def forks(plan: Plan, leaver: int) -> Iterator[tuple[list[Game], list[Game]]]:
    """For each ply the refereed game so far in both worlds."""
    own = list(refereed(plan, list(plan.orders()[0]), 1000, leaver))
    for game in own:
        other = list(refereed(plan, other_bag(plan, game.state), len(game.moves), leaver))
        yield own[: len(other)], other


LEAVERS = [pytest.param(99, id="nobody leaves"), pytest.param(1, id="seat 1 leaves")]


@pytest.mark.parametrize("leaver", LEAVERS)
@pytest.mark.parametrize("plan", TABLES[::3])
def test_the_referee_asks_the_same_in_both_worlds(plan: Plan, leaver: int) -> None:
    for one, other in forks(plan, leaver):
        assert list(map(referee.ask, one)) == list(map(referee.ask, other))


@pytest.mark.parametrize("plan", TABLES[::3])
def test_an_illegal_action_is_refused_in_the_same_words_in_both_worlds(plan: Plan) -> None:
    wrong = Moved(River((53, 53), 0, -1), took=0.1)
    for one, other in forks(plan, leaver=1):
        assert referee.hear(one[-1], wrong).forfeits == referee.hear(other[-1], wrong).forfeits
