"""The bot that grows a tree: at home on any clock, and exact in the last two turns of a game."""

import time
from dataclasses import replace
from itertools import permutations

import pytest

from arena.game import position, ruleset
from arena.game.actions import Action
from arena.game.decisions import decisions_of
from arena.game.rules import State
from arena.game.view import View, view
from arena.sdk import Clock
from bots import greedy, mcts
from bots.mcts.ending import endings, refills, worked_out, worth
from bots.mcts.turns import turns
from tests.bots.views import some_views, views


def last_views(turns: int) -> list[View]:
    """Views of seats with so many turns to go in the game, their own included."""
    games = [views(players, seed) for players in (2, 3) for seed in range(4)]
    return [seen for game in games for seen in game if seen.end is not None and seen.end - seen.ply == turns]


@pytest.mark.parametrize("number", range(8))
def test_the_last_turn_is_the_best_there_is(number: int) -> None:
    seen = last_views(1)[number]

    def outcome(turn: Action) -> tuple[float, float]:
        return result(position.advance(State.from_view(seen, 0), turn), seen.seat)

    assert outcome(mcts.choose(seen)) == max(map(outcome, seen.actions()))


def test_refills_are_all_there_may_be_and_their_chances_add_up() -> None:
    for seen in last_views(2):
        now = State.from_view(seen, 0)
        for stones in (0, 1, 2):
            found = refills(now, stones)
            assert sum(refill.chance for refill in found) == pytest.approx(1)
            assert all(
                sorted(one.state.array("bag")[: one.state.back]) == sorted(now.array("bag")[: now.back])
                for one in found
            )
    colours = len({kind // 6 for kind in now.array("bag")[now.front : now.back]})
    assert len(refills(now, 1)) == colours


def test_what_a_turn_is_worth_is_what_a_thousand_guesses_come_to() -> None:
    seen = last_views(2)[0]
    now = State.from_view(seen, 0)
    luck = [refills(now, stones) for stones in range(3)]
    turn = decisions_of(now, greedy.choose(seen))
    total = 0.0
    for number in range(1500):
        after = now.clone()
        after.reseed(number)
        for decision in turn:
            after.step(decision)
        last = max(endings(after), key=lambda end: result(end, after.seat))
        total += result(last, seen.seat)[0]
    assert worth(now, turn, luck)[0] == pytest.approx(total / 1500, abs=0.04)


def result(state: State, seat: int) -> tuple[float, float]:
    """Share of the others that a seat ends before, and how far it is ahead."""
    points = position.scores(state)
    own = points[seat]
    share = (sum((own > one) + 0.5 * (own == one) for one in points) - 0.5) / (len(points) - 1)
    return share, own - sum(points) / len(points)


def test_the_order_in_which_turns_are_offered_changes_nothing() -> None:
    seen = last_views(2)[1]
    now = State.from_view(seen, 0)
    offered = [decisions_of(now, turn) for turn in turns(seen)][:3]
    luck = [refills(now, stones) for stones in range(3)]
    chosen = {worth(now, worked_out(now, order, lambda _: False), luck) for order in permutations(offered)}
    assert len(chosen) == 1


@pytest.mark.parametrize(
    ("clock", "most"),
    [
        (Clock(limit=10, left=60, increment=0.5), mcts.MOST),
        (Clock(limit=1, left=3, increment=0), 0.25),
        (Clock(limit=0.2, left=60, increment=1), 0.16),
        (Clock(limit=0.01, left=0.01, increment=0), 0),
        (Clock(limit=86400, left=86400, increment=0), mcts.MOST),
    ],
    ids=["usual", "blitz", "short cap", "no time left", "a day"],
)
def test_it_takes_a_share_of_its_time_and_never_all_of_it(clock: Clock, most: float) -> None:
    assert 0 <= mcts.budget(clock) <= most
    assert mcts.budget(clock) < clock.limit


def test_more_time_is_more_walks_and_none_is_an_answer_all_the_same() -> None:
    seen = some_views(1, seed=3)[0]
    for left in (0.0, 0.5):
        began = time.monotonic()
        assert mcts.choose(seen, Clock(limit=left, left=left, increment=0)) in set(seen.actions())
        assert time.monotonic() - began < 30  # an answer at all; how fast is for `arena strength --clock`


def test_a_rule_set_without_refills_at_the_end_is_played_too() -> None:
    rules = replace(ruleset.named(), name="dry", refill_in_last_stage=False)
    state = position.opened(rules, 2, bytes(32))
    while not state.over:
        seen = view(state, rules)
        turn = mcts.choose(seen) if seen.end is not None else greedy.choose(seen)
        position.apply(state, turn)
    assert state.over
