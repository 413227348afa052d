"""Many games at the same time as NumPy arrays: one decision in each per step, and finished games start again."""

import numpy as np
import numpy.typing as npt

from arena.errors import BadInput, IllegalAction
from arena.game import position, ruleset
from arena.game.deal import all_kinds
from arena.game.rules import DECISIONS, OBSERVATION, WORD, Batch, State
from arena.game.ruleset import RuleSet

Bytes = npt.NDArray[np.uint8]


class VectorEnv:
    """`games` games of `players`; equal seeds and decisions are equal games. The arrays change with each step.

    observation: (games, 270) uint8, what the seat to act sees; docs/learning.md has the table.
    mask: (games, 134) bool, which decisions it may take.
    seat: (games,) uint8, the seat to act.
    done: (games,) bool, whether the last step has ended the game; all else shows the next one already.
    reward: (games, players) float32 by seat, 0 until a game is done, then the mean over the rivals of 1 for more
    points than theirs, -1 for fewer, 0 for as many.
    points: (games, players) int16 by seat, of the game that is done; 0 elsewhere.
    """

    def __init__(self, games: int, players: int = 2, *, seed: int = 0, rules: RuleSet | None = None) -> None:
        if not 0 <= seed <= WORD:
            raise BadInput(f"a seed is a number from 0 to {WORD}, not {seed}")
        chosen = rules or ruleset.named()
        self._batch = Batch(position.tables(chosen), players, all_kinds(chosen, players), seed, games)
        self.games, self.players = games, players
        self.observation = _shown(self._batch.observation).reshape(games, OBSERVATION)
        self.mask = _shown(self._batch.mask).view(np.bool_).reshape(games, DECISIONS)
        self.seat = _shown(self._batch.seats)
        self._ended: list[int] = []  # games that the last step has ended
        self.done = np.zeros(games, np.bool_)
        self.reward = np.zeros((games, players), np.float32)
        self.points = np.zeros((games, players), np.int16)

    def step(self, decisions: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Take one decision in each game and return `done`; raises IllegalAction before anything has changed."""
        given = np.asarray(decisions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise IllegalAction(f"a step takes {self.games} whole numbers, not {given.dtype} of shape {given.shape}")
        if given.dtype != np.uint8:  # bytes are compared with what is legal as they are
            if given.min() < 0 or given.max() >= DECISIONS:
                raise IllegalAction(f"decisions are numbers from 0 to {DECISIONS - 1}")
            given = given.astype(np.uint8)
        ended = self._batch.step(given.tobytes())
        self.done[self._ended], self.reward[self._ended], self.points[self._ended] = False, 0, 0
        self._ended = [game for game, _ in ended]
        if ended:
            points = np.array([points for _, points in ended], np.int16)
            ahead = np.sign(points[:, :, None] - points[:, None, :]).sum(axis=2)
            self.done[self._ended], self.points[self._ended] = True, points
            self.reward[self._ended] = ahead / (self.players - 1)
        return self.done

    def sample(self) -> Bytes:
        """A random decision for each game, each that may be taken as likely as any other."""
        return np.frombuffer(self._batch.pick(), np.uint8)

    def state(self, game: int) -> State:
        """A copy of one game, to search in: its bag has no order yet, so there is nothing in it to peek at."""
        return self._batch.state(game)


def _shown(memory: bytearray) -> Bytes:
    """The memory of the batch as an array that only the batch writes to."""
    array = np.frombuffer(memory, np.uint8)
    array.flags.writeable = False
    return array
