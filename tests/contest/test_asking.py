"""A bot that has a parameter `clock` knows its time, and no other bot is disturbed by it."""

from arena.contest.asking import asked
from arena.contest.clock import Clock
from arena.game import legal, ruleset
from arena.game.actions import Action
from arena.game.view import View, shown, view
from tests.game.positions import laid

CLOCK = Clock(limit=2.0, left=9.0, increment=0.5)
VIEW = view(laid(), ruleset.named())
FIRST, *_, LAST = legal.actions(shown(VIEW))


def by_time(view: View, clock: Clock) -> Action:
    return FIRST if clock == CLOCK else LAST


def by_depth(view: View, depth: int = 3) -> Action:
    return FIRST if depth == 3 else LAST


def test_a_bot_that_names_the_clock_gets_it() -> None:
    assert asked(by_time, VIEW, CLOCK) == FIRST


def test_a_second_parameter_of_another_name_keeps_its_default() -> None:
    assert asked(by_depth, VIEW, CLOCK) == FIRST


def test_a_callable_without_a_signature_is_asked_by_the_view_alone() -> None:
    assert asked({VIEW: FIRST}.__getitem__, VIEW, CLOCK) == FIRST
