"""What a bot author needs: a bot is a function `choose(view) -> action`, and `run(choose)` connects it.

One that wants to know its time is `choose(view, clock)`.
"""

from arena.contest.clock import Clock
from arena.game.actions import Action, Lake, Pass, River
from arena.game.rules import State
from arena.game.view import View, imagined, shown, unseen
from arena.sdk.running import run

__all__ = ["Action", "Clock", "Lake", "Pass", "River", "State", "View", "imagined", "run", "shown", "unseen"]
