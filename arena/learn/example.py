"""A worked example: a small network learns from its own games how far ahead a seat will be, then plays house bots.

    python -m arena.learn.example --minutes 2 --out learned.npz

Each round plays a thousand games by the network so far, with some random decisions among them, and trains it on how
they ended. What it learns is docs/learning.md's subject, how it learns is fifty lines below.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np

from arena.errors import ArenaError
from arena.game import position, ruleset
from arena.game.actions import Action
from arena.game.view import View, view
from arena.learn.features import Floats
from arena.learn.net import Net, improved, looks, saved, untrained
from arena.learn.vector import VectorEnv

GAMES = 64  # at the same time
ROUND = 1000  # games between two trainings
CURIOUS = 0.08  # how often a decision is taken at random
RATE = 0.05  # of learning, at first
KEPT = 5  # rounds whose games are learned from

Choose = Callable[[View], Action]


def learned(seed: int, seconds: float, told: Callable[[int, float], None]) -> Iterator[Net]:
    """The network after each round, until the time is over."""
    net, env, dice = untrained(seed), VectorEnv(GAMES, 2, seed=seed), np.random.default_rng(seed)
    rounds: list[tuple[Floats, Floats]] = []
    began, spent = time.monotonic(), 0.0
    while not rounds or spent < seconds:
        rounds = [*rounds[1 - KEPT :], experience(env, net, dice, ROUND)]
        seen, ahead = (np.concatenate(part) for part in zip(*rounds, strict=True))
        net = improved(net, seen, ahead, dice, RATE * (1 - 0.9 * min(1.0, spent / max(seconds, 1e-9))))
        told(len(seen), float(np.sqrt(np.mean((net.worth(seen) - ahead) ** 2))))
        yield net
        spent = time.monotonic() - began


def experience(env: VectorEnv, net: Net, dice: np.random.Generator, games: int) -> tuple[Floats, Floats]:
    """Features after the decisions of so many games, and how far ahead in the end the seat was that took them."""
    under_way: list[list[tuple[Floats, int]]] = [[] for _ in range(env.games)]
    seen: list[Floats] = []
    ahead: list[int] = []
    finished = 0
    while finished < games:
        states = [env.state(game).emptied() for game in range(env.games)]
        taken = np.empty(env.games, np.int64)
        for game, found in enumerate(looks(states, env.seat)):
            at = int(dice.integers(len(found)) if dice.random() < CURIOUS else net.worth(found).argmax())
            taken[game] = np.flatnonzero(env.mask[game])[at]
            under_way[game].append((found[at], int(env.seat[game])))
        for game in np.flatnonzero(env.step(taken)).tolist():
            margin = 2 * env.points[game] - env.points[game].sum()
            seen += [found for found, _ in under_way[game]]
            ahead += [margin[seat] for _, seat in under_way[game]]
            under_way[game] = []
            finished += 1
    return np.array(seen), np.array(ahead, float)


def duel(ours: Choose, theirs: Choose, deals: int) -> tuple[float, float]:
    """Share of the games won, draws one half, and half the width of its 95 % interval; each deal is played twice."""
    shares = [(_won(ours, theirs, deal, 0) + _won(ours, theirs, deal, 1)) / 2 for deal in range(deals)]
    return float(np.mean(shares)), 1.96 * float(np.std(shares, ddof=1)) / math.sqrt(deals)


def _won(ours: Choose, theirs: Choose, deal: int, seat: int) -> float:
    rules = ruleset.named()
    state = position.opened(rules, 2, sha256(f"example {deal}".encode()).digest())
    while not state.over:
        choose = ours if state.seat == seat else theirs
        position.apply(state, choose(view(state, rules)))
    points = position.scores(state)
    return 0.5 + 0.5 * ((points[seat] > points[1 - seat]) - (points[seat] < points[1 - seat]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn for as long as the command line says, keep the weights, and play the house bots."""
    given = _parser().parse_args(arguments)
    net = untrained(given.seed)
    try:
        for net in learned(given.seed, given.minutes * 60, _told):
            saved(net, given.out)
    except KeyboardInterrupt:
        _say("stopped; what was learned so far is kept")
    except OSError as error:
        _say(f"error: cannot write {given.out}: {error.strerror}; name another file with --out")
        return 2
    results = {name: duel(net.choose, _house(name), given.deals) for name in ("random", "greedy")}
    if given.json:
        lines = [
            json.dumps({name: {"share": share, "plus_minus": width} for name, (share, width) in results.items()})
        ]
    else:
        games = 2 * given.deals
        lines = [
            f"against {name}: {share:.1%} ± {width:.1%} of {games} games" for name, (share, width) in results.items()
        ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m arena.learn.example", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=2.0, help="time to learn; at least one round (default 2)")
    parser.add_argument("--deals", type=int, default=200, help="deals against each house bot, two games each")
    parser.add_argument("--seed", type=int, default=1, help="of the games and of the network")
    parser.add_argument("--out", type=Path, default=Path("learned.npz"), help="where the weights go")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


def _told(decisions: int, error: float) -> None:
    _say(f"trained on {decisions} decisions; off by {error:.1f} points")


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def _house(name: str) -> Choose:
    (point,) = entry_points(group="glassworks.bots", name=name)
    found: Choose = point.load()
    return found


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ArenaError as error:
        sys.exit(f"error: {error}")
