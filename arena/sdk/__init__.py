"""What a bot author needs: a bot is a function `choose(view) -> action`, and `run(choose)` connects it."""

from arena.game.actions import Action, Lake, Pass, River
from arena.game.rules import State
from arena.game.view import View, imagined, shown, unseen
from arena.sdk.running import run

__all__ = ["Action", "Lake", "Pass", "River", "State", "View", "imagined", "run", "shown", "unseen"]
