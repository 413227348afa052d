"""One board as numbers: every player's rating with the covariance of all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import isfinite

import numpy as np

from arena.contest.elo import PER_LOGIT, weight
from arena.contest.ledger import SIZES
from arena.contest.rating_effect import design_effect
from arena.contest.rating_fit import Floats, Problem, covariance, information, prior_information, strengths
from arena.contest.rating_links import Links, links
from arena.contest.rating_tally import Bools, Ints, Tally
from arena.errors import BadInput

ENOUGH = 30
"""Fewer independent duels than this leave a rating provisional (`docs/statistics.md §1.3`)."""
PRIOR_SHARE = 0.05
"""So does a prior that holds this much of the information."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What an event or ladder decides about its ratings (`docs/statistics.md §1.3`)."""

    anchor: str | None
    """The version held at `level` wherever it played."""
    prior: float = 1.0
    """Virtual draws of every player against a ghost at `level`."""
    level: float = 1500.0
    sizes: tuple[int, ...] = SIZES
    """The table sizes whose mean is the overall rating."""

    def __post_init__(self) -> None:
        if not (isfinite(self.prior) and isfinite(self.level) and self.prior >= 0):
            raise BadInput(f"prior {self.prior} and level {self.level} must be finite, the prior not negative")
        if len(set(self.sizes)) != len(self.sizes) or not set(self.sizes) <= set(SIZES):
            raise BadInput(f"table sizes {self.sizes} must be different numbers from 2 to 5")


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Ratings in Elo, players in sorted order; entries of two components must not be compared."""

    players: tuple[str, ...]
    elo: Floats
    covariance: Floats
    links: Links
    games: Ints
    forfeits: Ints
    provisional: Bools


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """One component: who is in it, what they scored, and how strong that makes them."""

    members: Ints
    problem: Problem
    theta: Floats


def estimate(board: Tally, settings: Settings) -> tuple[Estimate, float]:
    """The ratings of one table size from its games alone, and the board's design effect."""
    anchor = board.players.index(settings.anchor) if settings.anchor in board.players else None
    found = links(board.halves, anchor)
    _check_finite(board, found, settings=settings)
    groups = [_group(board, block, anchor=anchor, prior=settings.prior) for block in found.blocks()]
    theta = np.zeros(len(board.players))
    for group in groups:
        theta[group.members] = group.theta
    effect = design_effect(board, theta, found.blocks())
    return Estimate(
        players=board.players,
        elo=settings.level + PER_LOGIT * theta,
        covariance=PER_LOGIT**2 * _spread(groups, len(theta), effect=effect),
        links=found,
        games=board.games,
        forfeits=board.forfeits,
        provisional=_provisional(board, groups),
    ), effect


def overall(estimates: Mapping[int, Estimate], sizes: Sequence[int]) -> Estimate:
    """The mean rating over these sizes, for players rated at all of them (`docs/statistics.md §1.1`)."""
    parts = [estimates[size] for size in sorted(sizes)]
    everywhere = reduce(set.intersection, (set(part.players) for part in parts))
    players = tuple(sorted(everywhere))
    rows = [np.array([part.players.index(name) for name in players], np.int64) for part in parts]
    each = list(zip(parts, rows, strict=True))
    covered = [part.covariance[np.ix_(row, row)] for part, row in each]
    return Estimate(
        players=players,
        elo=np.mean([part.elo[row] for part, row in each], axis=0),
        covariance=np.sum(covered, axis=0) / len(parts) ** 2,
        links=_joint([part.links for part in parts], rows),
        games=np.sum([part.games[row] for part, row in each], axis=0),
        forfeits=np.sum([part.forfeits[row] for part, row in each], axis=0),
        provisional=np.any([part.provisional[row] for part, row in each], axis=0),
    )


def _check_finite(board: Tally, found: Links, *, settings: Settings) -> None:
    met = (board.halves + board.halves.T).any(axis=1)
    endless = [board.players[player] for player in np.flatnonzero(met & ~found.bounded)]
    if endless and not settings.prior:
        names = ", ".join(endless[:5])
        raise BadInput(
            f"no finite rating at {board.size} seats for {names}: without a prior everybody must, through "
            f"others, both win and lose something; set prior above 0 or play more games"
        )


def _group(board: Tally, members: Ints, *, anchor: int | None, prior: float) -> _Group:
    points = weight(board.size) * board.halves[np.ix_(members, members)] / 2
    pinned = np.flatnonzero(members == anchor).tolist() if anchor is not None else []
    problem = Problem(points, prior, pinned[0] if pinned else None)
    alone = len(members) == 1
    return _Group(members, problem, np.zeros(1) if alone else strengths(problem))


def _spread(groups: Sequence[_Group], count: int, *, effect: float) -> Floats:
    """V_phi of `docs/statistics.md §1.5`, by component; the prior of a lone player has no effect."""
    spread = np.zeros((count, count))
    for group in groups:
        scale = effect if len(group.members) > 1 else 1.0
        spread[np.ix_(group.members, group.members)] = scale * covariance(group.problem, group.theta)
    return spread


def _provisional(board: Tally, groups: Sequence[_Group]) -> Bools:
    early = weight(board.size) * (board.halves + board.halves.T).sum(axis=1) / 2 < ENOUGH
    for group in groups:
        ghost = prior_information(group.problem, group.theta)
        early[group.members] |= ghost > PRIOR_SHARE * (ghost + information(group.problem, group.theta).diagonal())
        if group.problem.pinned is not None:
            early[group.members[group.problem.pinned]] = False
    return np.asarray(early)


def _joint(parts: Sequence[Links], rows: Sequence[Ints]) -> Links:
    """Together only if together at every size; 0 stays the anchor's component, or the largest."""
    each = list(zip(parts, rows, strict=True))
    paths = list(zip(*(part.component[row].tolist() for part, row in each), strict=True))
    number = {path: index for index, path in enumerate(sorted({(0,) * len(parts), *paths}))}
    component = np.array([number[path] for path in paths], np.int64)
    return Links(component, np.all([part.bounded[row] for part, row in each], axis=0))
