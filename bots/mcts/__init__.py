"""The bot that grows a tree: each walk guesses the bag anew, and every seat does what promises it most.

Turns are judged by the hopes of all seats (arena.game.outlook), read as chances to end before each of the others.
With a clock it takes a share of its time, without one a fixed number of walks, so that the same view gets the same
answer. The last two turns of a game are not guessed but worked out.
"""

from collections.abc import Callable
from random import Random
from time import monotonic

from arena.game.decisions import decisions_of
from arena.game.outlook import Outlook
from arena.game.packing import view_to_bytes
from arena.sdk import Action, Clock, State, View
from bots.mcts.ending import is_near, worked_out
from bots.mcts.tree import Node, expand, walk
from bots.mcts.turns import turns

WALKS = 200  # without a clock
TO_COME = 12  # turns of one's own that a fair share of the bank reckons with
MOST = 0.9  # seconds for a turn
MARGIN = 0.05  # seconds kept for the way
ROOT = 12  # turns that the tree starts with, best first


def choose(view: View, clock: Clock | None = None) -> Action:
    """The turn that was walked most, or the best where the end is near."""
    enough = until(clock)
    now, rng, outlook = State.from_view(view, 0), Random(view_to_bytes(view)), Outlook()
    offered = {decisions_of(now, turn): turn for turn in turns(view)}
    root = Node()
    expand(root, now, outlook, tuple(offered), len(offered) if is_near(now) else ROOT)
    if is_near(now):
        return offered[worked_out(now, [branch.turn for branch in root.branches], enough)]
    while len(root.branches) > 1 and not enough(root.visits):
        now.reseed(rng.getrandbits(64))
        walk(root, now.clone(), outlook)
    return offered[max(root.branches, key=lambda branch: (branch.visits, branch.mean)).turn]


def until(clock: Clock | None) -> Callable[[int], bool]:
    """Whether so many tries are enough."""
    if clock is None:
        return lambda tries: tries >= WALKS
    end = monotonic() + budget(clock)
    return lambda _: monotonic() >= end


def budget(clock: Clock) -> float:
    """Seconds for this turn: a share of the bank, and what comes back for it."""
    share = clock.left / TO_COME + 0.8 * clock.increment
    return max(0.0, min(MOST, share, 0.8 * clock.limit) - MARGIN)
