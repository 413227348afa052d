"""One game as a PettingZoo environment: agents take one decision at a time.

    from arena.learn import glassworks_v0

    env = glassworks_v0.env(players=3)

Observations are {"observation": (270,) uint8, "action_mask": (134,) int8}; docs/learning.md says what they mean. The
reward comes at the end: the mean over the rivals of 1 for more points than theirs, -1 for fewer, 0 for as many.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena.errors import BadInput
from arena.game import position, rules, ruleset
from arena.game.deal import all_kinds
from arena.game.rules import DECISIONS, OBSERVATION, WORD, Batch, State
from arena.game.ruleset import RuleSet
from arena.learn.drawing import drawn
from arena.learn.rewards import rewards

Observation = dict[str, np.ndarray[Any, Any]]
MODES = ("ansi", "human")


def env(**settings: Any) -> Any:
    """The game as most libraries want it: an illegal decision ends it with a reward of -1 for who took it."""
    inner = raw_env(**settings)
    illegal = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(illegal))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo, which is untyped, looks for this name
    """The game without wrappers: an illegal decision raises IllegalAction and changes nothing."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "glassworks_v0",
        "render_modes": list(MODES),
        "is_parallelizable": False,
    }

    def __init__(self, players: int = 2, *, rules: RuleSet | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            raise BadInput(f"there is no way to render {render_mode!r}; take one of {', '.join(MODES)}")
        self.render_mode = render_mode
        self._rules = rules or ruleset.named()
        self._state = self._dealt(players, 0)
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        sees = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (OBSERVATION,), np.uint8),
                "action_mask": spaces.Box(0, 1, (DECISIONS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, sees)
        self.action_spaces = {agent: spaces.Discrete(DECISIONS) for agent in self.possible_agents}
        self._dice = np.random.default_rng()

    def _dealt(self, players: int, seed: int) -> State:
        kinds = all_kinds(self._rules, players)
        return Batch(position.tables(self._rules), players, kinds, seed, 1).state(0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The ids of decisions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; equal seeds (0 to 2^32 - 1) are equal games, without one each is another."""
        del options
        if seed is not None:
            self._dice = np.random.default_rng(seed)
        self._state = self._dealt(len(self.possible_agents), int(self._dice.integers(WORD, endpoint=True)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._state.seat]

    def observe(self, agent: str) -> Observation:
        """What the agent sees; only the one to act has decisions to take."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(DECISIONS, np.int8)
        if seat == self._state.seat:
            mask[list(self._state.legal())] = 1
        seen = np.frombuffer(rules.observed(self._state, seat), np.uint8)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take a decision."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._state.step(action)  # type: ignore[arg-type]  # None is refused by name
        if self._state.over:
            points = position.scores(self._state)
            self.rewards = dict(zip(self.agents, rewards(points), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.agents[self._state.seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The position as text, returned or printed."""
        text = drawn(self._state)
        if self.render_mode == "human":
            print(text)  # noqa: T201 - what the mode is for
            return None
        return text

    def close(self) -> None:
        """Nothing is held."""
