"""OpenSpiel, PettingZoo and RLCard, as far as they are installed: the same work on their games."""

import importlib
import random
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from arena.bench.rows import Probe, each, per_decision

GAMES = {"mancala": 2.0, "connect_four": None, "tic_tac_toe": None, "breakthrough": None}
"""What is played, with the ratio that is promised for the one that was fastest per decision."""


def probes() -> Mapping[str, Probe]:
    """Their probes by name; none of those that are missing."""
    return {**_spiel(), **_zoo(), **_rlcard()}


def _spiel() -> Mapping[str, Probe]:
    if find_spec("pyspiel") is None:
        return {}
    spiel = importlib.import_module("pyspiel")
    found = {f"OpenSpiel {name}": _driven(spiel.load_game(name)) for name in GAMES}
    game = spiel.load_game("connect_four")
    four = game.new_initial_state()
    return {
        "OpenSpiel connect_four clone+apply": each(20_000, lambda: four.clone().apply_action(3)),
        "OpenSpiel connect_four in C++": _rollouts(spiel, game),
        **found,
    }


def _rollouts(spiel: Any, game: Any) -> Probe:
    """Nanoseconds per move of random games played inside its C++, as the playouts of one simulation of its MCTS."""
    start, games = game.new_initial_state(), 3_000
    moves = sum(_played(game) for _ in range(300)) / 300

    def probe() -> float:
        evaluator = spiel.RandomRolloutEvaluator(games, 7)
        bot = spiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, 7, False)  # noqa: FBT003 - it takes no names
        began = time.perf_counter()
        bot.step(start)
        return (time.perf_counter() - began) / games / moves * 1e9

    return probe


def _zoo() -> Mapping[str, Probe]:
    if find_spec("pettingzoo") is None or find_spec("pygame") is None:
        return {}
    four = importlib.import_module("pettingzoo.classic.connect_four_v3")
    return {"PettingZoo connect_four": per_decision(lambda number: walked(four.env(), number), games=10)}


def walked(env: Any, seed: int) -> int:
    """A random game in an environment of PettingZoo's; says how many decisions it took."""
    count = 0
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
        count += not over
    return count


def _rlcard() -> Mapping[str, Probe]:
    if find_spec("rlcard") is None:
        return {}
    cards, agents = importlib.import_module("rlcard"), importlib.import_module("rlcard.agents")
    table = cards.make("limit-holdem")
    table.set_agents([agents.RandomAgent(num_actions=table.num_actions) for _ in range(table.num_players)])
    return {"RLCard limit-holdem": per_decision(lambda _: sum(len(one) // 2 for one in table.run()[0]))}


def _driven(game: Any) -> Probe:
    """Nanoseconds per decision of random games played from Python."""
    return per_decision(lambda _: _played(game))


def _played(game: Any) -> int:
    """A random game played from Python; says how many decisions it took."""
    state, count = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice([action for action, _ in state.chance_outcomes()]))  # noqa: S311
        else:
            state.apply_action(random.choice(state.legal_actions()))  # noqa: S311
        count += 1
    return count
