"""A judgement that is learned: a small network says how far ahead a seat will be, and a bot follows it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from arena.errors import BadInput
from arena.game import rules
from arena.game.actions import Action
from arena.game.decisions import action_of
from arena.game.rules import OBSERVATION, State
from arena.game.view import View
from arena.learn.features import COUNT, Floats, features

HIDDEN = 32
SHAPES = {"first": (COUNT + 1, HIDDEN), "second": (HIDDEN + 1,)}  # the last row of each is added whatever comes in
SCALE = 20.0  # points


@dataclass(slots=True)
class Net:
    """Weights of one hidden layer and of what it says, in units of twenty points ahead."""

    first: Floats
    second: Floats

    def worth(self, seen: Floats) -> Floats:
        """Points ahead in the end, by features."""
        hidden = np.tanh(seen @ self.first[:-1] + self.first[-1])
        found: Floats = SCALE * (hidden @ self.second[:-1] + self.second[-1])
        return found

    def choose(self, view: View) -> Action:
        """The turn whose decisions look best one by one."""
        state, taken = State.from_view(view, 0).emptied(), []
        start = state.clone()
        while state.ply == view.ply and not state.over:
            (seen,) = looks([state], [view.seat])
            taken.append(state.legal()[int(self.worth(seen).argmax())])
            state.step(taken[-1])
        return action_of(start, taken)


def untrained(seed: int) -> Net:
    """A network that knows nothing yet."""
    dice = np.random.default_rng(seed)
    return Net(dice.normal(size=SHAPES["first"]) / np.sqrt(COUNT) / 2, np.zeros(SHAPES["second"]))


def improved(net: Net, seen: Floats, ahead: Floats, dice: np.random.Generator, rate: float) -> Net:
    """The network after one pass over decisions, in random order and small portions (stochastic gradient descent)."""
    first, second = net.first.copy(), net.second.copy()
    for part in np.array_split(dice.permutation(len(seen)), max(1, len(seen) // 64)):
        hidden = np.tanh(seen[part] @ first[:-1] + first[-1])
        error = (hidden @ second[:-1] + second[-1] - ahead[part] / SCALE) / len(part)
        back = np.outer(error, second[:-1]) * (1 - hidden**2)
        second -= rate * np.append(error @ hidden, error.sum())
        first -= rate * np.vstack([seen[part].T @ back, back.sum(axis=0)])
    return Net(first, second)


def looks(states: Iterable[State], seats: Iterable[int]) -> list[Floats]:
    """For each position the features of what each legal decision leads to, as its seat sees it, in order of the ids.

    Give positions with nothing in the bag (`State.emptied`), or what luck will bring is seen too early.
    """
    seen, counts = bytearray(), []
    for state, seat in zip(states, seats, strict=True):
        legal = state.legal()
        counts.append(len(legal))
        for decision in legal:
            after = state.clone()
            after.step(decision)
            seen += rules.observed(after, seat)
    found = features(np.frombuffer(bytes(seen), np.uint8).reshape(-1, OBSERVATION))
    return np.split(found, np.cumsum(counts)[:-1])


def saved(net: Net, file: Path) -> None:
    """Write the weights to a file of NumPy's, whole or not at all; raises BadInput where nothing can be written."""
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as out:
            np.savez(out, first=net.first, second=net.second)
        part.replace(file)
    except OSError as error:
        raise BadInput(f"cannot write {file}: {error.strerror}; name another file with --out") from None


def loaded(file: Path | str) -> Net:
    """The network of a file; raises BadInput if it holds none."""
    try:
        with Path(file).open("rb") as source, np.load(source, allow_pickle=False) as found:
            weights = {name: found[name] for name in SHAPES}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise BadInput(f"{file} holds no network ({error}); train one: python -m arena.learn.example") from None
    for name, shape in SHAPES.items():
        if weights[name].shape != shape or weights[name].dtype != np.float64 or not np.isfinite(weights[name]).all():
            raise BadInput(
                f"{file} holds other weights than this version has; train some: python -m arena.learn.example"
            )
    return Net(**weights)
