"""Connects the bot: python -m bots.mcts"""

from arena.sdk import run
from bots.mcts import choose

run(choose, name="mcts")
