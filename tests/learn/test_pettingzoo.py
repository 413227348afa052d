"""The PettingZoo environment passes PettingZoo's own checks."""

import warnings
from typing import Any

import numpy as np
import pytest

from arena.errors import BadInput, IllegalAction
from arena.learn import glassworks_v0


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably")  # it knows its own games with a mask
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_passes_the_api_test(players: int) -> None:
    from pettingzoo.test import api_test

    api_test(glassworks_v0.env(players=players), num_cycles=400)


def test_it_passes_the_seed_test() -> None:
    from pettingzoo.test import seed_test

    seed_test(glassworks_v0.env, num_cycles=200)


def test_it_passes_the_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import render_test

    render_test(glassworks_v0.env, custom_tests={"ansi": lambda text: "lake" in text and "seat 0" in text})
    assert "> seat" in capsys.readouterr().out


def played(env: Any, seed: int) -> dict[str, float]:
    """Total rewards of a random game."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return total


def test_what_one_seat_gains_the_others_lose() -> None:
    totals = [played(glassworks_v0.env(players=3), seed) for seed in range(10)]
    assert all(sum(total.values()) == pytest.approx(0) for total in totals)
    assert any(max(total.values()) == 1 for total in totals)


def test_an_illegal_decision_loses_in_the_wrapped_game_and_raises_in_the_raw_one() -> None:
    env = glassworks_v0.env()
    env.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(133)
    assert env.terminations["seat_0"]
    assert env.rewards["seat_0"] == -1
    raw = glassworks_v0.raw_env()
    raw.reset(seed=1)
    with pytest.raises(IllegalAction, match="133 is no decision here"):
        raw.step(133)
    assert raw.agent_selection == "seat_0"


def test_rendering_in_an_unknown_way_is_refused() -> None:
    with pytest.raises(BadInput, match="no way to render 'rgb'"):
        glassworks_v0.env(render_mode="rgb")
