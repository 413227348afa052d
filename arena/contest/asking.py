"""How an author's function is asked: it gets the clock if it has a parameter of that name."""

import inspect
from collections.abc import Callable

from arena.contest.clock import Clock
from arena.game.actions import Action
from arena.game.view import View

Choose = Callable[..., Action]  # choose(view) or choose(view, clock)


def asked(choose: Choose, view: View, clock: Clock) -> Action:
    """What `choose` answers."""
    return choose(view, clock=clock) if takes_clock(choose) else choose(view)


def takes_clock(choose: Choose) -> bool:
    """Whether a bot wants to know its time."""
    try:
        return "clock" in inspect.signature(choose).parameters
    except (TypeError, ValueError):  # not every callable has a signature
        return False
