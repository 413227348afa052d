"""Bradley-Terry strengths from points, and how sure they are, by Newton's method with Cholesky factors."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, log_expit

Floats: TypeAlias = NDArray[np.float64]

STEPS = 100
STRIDE = 3.0
"""Log-odds that one step may move anybody: beyond, one-sided records make the information singular."""
CLOSE = 1e-10
"""Log-odds; the step after one this small would change no digit."""
ROUGH = 1e-5
"""Below this a step that is not half the one before is rounding, as with millions of games and a faint prior."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """The points of one connected group, and what holds its level (`docs/statistics.md §1.3`)."""

    points: Floats
    """Weighted points that the row's player took from the column's."""
    prior: float
    """Virtual draws of each player against a ghost of strength 0."""
    pinned: int | None = None
    """The player held at strength 0; without one the ghost fixes the level, without prior the mean."""


def strengths(problem: Problem) -> Floats:
    """The log-odds strengths of highest likelihood; each must have won and lost something, or prior > 0."""
    theta = np.zeros(len(problem.points))
    before = np.inf
    for _ in range(STEPS):
        step = _step(problem, theta)
        size = float(np.abs(step).max())
        theta = _climbed(problem, theta, step)
        if size < CLOSE or before <= 2 * size < ROUGH:
            return theta
        before = size
    raise ArithmeticError(f"Newton's method did not settle in {STEPS} steps for {len(theta)} players")


def likelihood(problem: Problem, theta: Floats) -> float:
    """The penalised log-likelihood that `strengths` maximises."""
    games = problem.points * log_expit(np.subtract.outer(theta, theta))
    ghost = problem.prior / 2 * (log_expit(theta) + log_expit(-theta))
    return float(games.sum() + ghost.sum())


def information(problem: Problem, theta: Floats) -> Floats:
    """The Fisher information of the games alone, without the prior: a Laplacian."""
    gaps = np.subtract.outer(theta, theta)
    met = (problem.points + problem.points.T) * expit(gaps) * expit(-gaps)
    return np.diag(met.sum(axis=1)) - met


def prior_information(problem: Problem, theta: Floats) -> Floats:
    """What the ghost adds to the diagonal of the information."""
    return np.asarray(problem.prior * expit(theta) * expit(-theta))


def covariance(problem: Problem, theta: Floats) -> Floats:
    """Of the strengths relative to the pinned player or, without one, to the group's mean.

    A lone player has no mean to be compared with: its variance is the prior's.
    """
    if len(theta) == 1 and problem.pinned is None:
        return np.full((1, 1), 4 / problem.prior if problem.prior else np.inf)
    inverse = _inverse(_definite(problem, theta))
    if problem.pinned is None:
        return _centred(inverse)
    inverse[problem.pinned, problem.pinned] = 0
    return inverse


def pseudo_inverse(laplacian: Floats) -> Floats:
    """The Moore-Penrose inverse of a connected graph's Laplacian."""
    return _centred(_inverse(laplacian + _level(laplacian)))


def _step(problem: Problem, theta: Floats) -> Floats:
    step = np.asarray(cho_solve(cho_factor(_definite(problem, theta)), _gradient(problem, theta)))
    return np.asarray(step * min(1, STRIDE / max(np.abs(step).max(), STRIDE)))


def _gradient(problem: Problem, theta: Floats) -> Floats:
    flow = problem.points * expit(np.subtract.outer(theta, theta).T)
    pull = flow.sum(axis=1) - flow.sum(axis=0) + problem.prior * (0.5 - expit(theta))
    if problem.pinned is not None:
        pull[problem.pinned] = 0
    return np.asarray(pull)


def _definite(problem: Problem, theta: Floats) -> Floats:
    """The information with its level held, so that it has a Cholesky factor."""
    held = information(problem, theta) + np.diag(prior_information(problem, theta))
    if problem.pinned is not None:
        held[problem.pinned, :] = held[:, problem.pinned] = 0
        held[problem.pinned, problem.pinned] = 1
    elif not problem.prior:
        held += _level(held)
    return held


def _level(laplacian: Floats) -> Floats:
    """Makes moving everybody together cost as much as moving apart; leaves differences alone."""
    return np.full_like(laplacian, np.trace(laplacian) / len(laplacian) ** 2)


def _climbed(problem: Problem, theta: Floats, step: Floats) -> Floats:
    """The next point; the step is halved until the likelihood does not fall (beyond rounding)."""
    now = likelihood(problem, theta)
    while likelihood(problem, theta + step) < now - 1e-12 * abs(now):
        step = step / 2
    return theta + step


def _inverse(definite: Floats) -> Floats:
    inverse = np.asarray(cho_solve(cho_factor(definite), np.eye(len(definite))))
    return (inverse + inverse.T) / 2


def _centred(matrix: Floats) -> Floats:
    across = matrix - matrix.mean(axis=0)
    return np.asarray(across - across.mean(axis=1)[:, None])
