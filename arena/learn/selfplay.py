"""Self-play: rounds of games by a network, and the better network that each of them makes."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from arena.learn.features import Floats
from arena.learn.net import Net, improved, looks, untrained
from arena.learn.vector import VectorEnv

GAMES = 64  # at the same time
ROUND = 1000  # games between two trainings
CURIOUS = 0.08  # how often a decision is taken at random
KEPT = 5  # rounds whose games are learned from
RATE = 0.05  # of learning, at first
SLOWING = 10  # rounds after which the rate is half of that


def learned(seed: int, told: Callable[[int, float], None]) -> Iterator[Net]:
    """The network after each round, without end; the same for the same seed, however long a round takes."""
    net, env, dice = untrained(seed), VectorEnv(GAMES, 2, seed=seed), np.random.default_rng(seed)
    rounds: deque[tuple[Floats, Floats]] = deque(maxlen=KEPT)
    for number in count(1):
        rounds.append(experience(env, net, dice, ROUND))
        seen, ahead = (np.concatenate(part) for part in zip(*rounds, strict=True))
        net = improved(net, seen, ahead, dice, RATE / (1 + number / SLOWING))
        told(number, float(np.sqrt(np.mean((net.worth(seen) - ahead) ** 2))))
        yield net


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
