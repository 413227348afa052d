"""The tree: each walk guesses the bag anew, and every seat takes the turn that promises it most."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.game import rules
from arena.game.outlook import Outlook
from arena.game.rules import NOBODY, TRIGGER
from arena.sdk import State
from bots.mcts.turns import Turn, play, replies

INNER = 8  # turns of later seats that it keeps, best first
CURIOSITY = 1.0  # how much the tree tries what it has not tried
SHARPNESS = 0.1  # how fast a turn that looks worse loses interest, in chances
SPREAD = 3.5  # points that make a difference when a game is about to end; grows with the root of what is left


@dataclass(slots=True)
class Branch:
    """A turn in the tree: how interesting it looked, its first judgement, and what came of it, for who takes it."""

    turn: Turn
    prior: float
    first: float
    visits: int = 0
    sum: float = 0.0
    nodes: dict[bytes, "Node"] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Chances by all there is to go by."""
        return (self.sum + self.first) / (self.visits + 1)


@dataclass(slots=True)
class Node:
    """A position, but for luck that nobody has seen yet: who has what in the satchel is seen."""

    visits: int = 0
    branches: list[Branch] = field(default_factory=list)


def walk(root: Node, state: State, outlook: Outlook) -> None:
    """Go down the tree to a position that is not in it yet, and tell all on the way what it promises."""
    node, path = root, []
    while node.branches and not state.over:
        branch = tempting(node)
        path.append((node, branch, state.seat))
        play(state, branch.turn)
        node = branch.nodes.setdefault(sight(state), Node())
    chances = expand(node, state, outlook, tuple(replies(state)), INNER)
    for node, branch, seat in path:
        node.visits += 1
        branch.visits += 1
        branch.sum += chances[seat]


def tempting(node: Node) -> Branch:
    """The branch to walk: chances, and curiosity about what has been tried little."""
    curiosity = CURIOSITY * math.sqrt(node.visits + 1)
    return max(node.branches, key=lambda one: one.mean + curiosity * one.prior / (1 + one.visits))


def expand(node: Node, state: State, outlook: Outlook, offered: Sequence[Turn], most: int) -> Sequence[float]:
    """Judge the turns and keep the best; returns the chances of all seats after the best of them."""
    if state.over:
        return chances(state, outlook)
    seat, calm, found = state.seat, state.emptied(), []
    for turn in offered:
        after = calm.clone()
        play(after, turn)
        found.append((chances(after, outlook), turn))
    found.sort(key=lambda one: -one[0][seat])
    best = found[0][0]
    kept = found[:most]
    looks = [math.exp((after[seat] - best[seat]) / SHARPNESS) for after, _ in kept]
    total = sum(looks)
    node.branches = [Branch(turn, look / total, after[seat]) for (after, turn), look in zip(kept, looks, strict=True)]
    return best


def sight(state: State) -> bytes:
    """What luck has shown the seat to act: its satchel, and whether the last stage is on."""
    if state.over:
        return b""
    return bytes((state.trigger != NOBODY,)) + rules.in_satchel(state, state.seat)


def chances(state: State, outlook: Outlook) -> Sequence[float]:
    """For each seat the mean chance to end before another."""
    hopes, rivals = outlook.hopes(state), state.players - 1
    if state.over:
        return standings(hopes)
    scale = SPREAD * math.sqrt(length(state) + 0.15)
    return [(sum(1 / (1 + math.exp((one - own) / scale)) for one in hopes) - 0.5) / rivals for own in hopes]


def standings(points: Sequence[float]) -> list[float]:
    """For each seat the share of the others that it ends before, a tie counting as half."""
    return [(sum((own > one) + 0.5 * (own == one) for one in points) - 0.5) / (len(points) - 1) for own in points]


def length(state: State) -> float:
    """Rounds that are still to come, roughly."""
    if state.trigger != NOBODY:
        return (state.end - state.ply) / state.players
    return 1.5 + 0.5 * max(1, TRIGGER - max(state.array("placed")))
