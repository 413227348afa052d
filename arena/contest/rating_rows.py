"""A board as people read it: rows with an interval and a range of ranks."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from arena.contest.rating_estimate import Estimate
from arena.contest.rating_fit import Floats
from arena.contest.rating_tally import Ints

ERROR = 0.05


@dataclass(frozen=True, slots=True)
class Row:
    """One player on one board; Elo is kept to a millionth, so that equal ratings are equal."""

    player: str
    elo: float
    low: float
    """95 % interval relative to the anchor, whose own has no width, or else to the component's mean."""
    high: float
    games: int
    forfeits: int
    rank_low: int
    """Best rank within the component that the results leave open, all comparisons at once at 95 %."""
    rank_high: int
    component: int
    """Only rows of one component may be compared; 0 is the anchor's, or else the largest."""
    bounded: bool
    """False while only the prior keeps the rating finite, as for the unbeaten."""
    provisional: bool


def rows(estimate: Estimate) -> tuple[Row, ...]:
    """The board from the top; equal ratings by name."""
    best, worst = _ranks(estimate)
    reach = NormalDist().inv_cdf(1 - ERROR / 2) * np.sqrt(estimate.covariance.diagonal())
    listed = [
        Row(
            player=player,
            elo=_kept(estimate.elo[at]),
            low=_kept(estimate.elo[at] - reach[at]),
            high=_kept(estimate.elo[at] + reach[at]),
            games=int(estimate.games[at]),
            forfeits=int(estimate.forfeits[at]),
            rank_low=int(best[at]),
            rank_high=int(worst[at]),
            component=int(estimate.links.component[at]),
            bounded=bool(estimate.links.bounded[at]),
            provisional=bool(estimate.provisional[at]),
        )
        for at, player in enumerate(estimate.players)
    ]
    return tuple(sorted(listed, key=lambda row: (-row.elo, row.player)))


def distances(elo: Floats, covariance: Floats) -> Floats:
    """The lead of each row's player over each column's, in its standard errors (`docs/statistics.md §1.5`)."""
    own = covariance.diagonal()
    error = np.sqrt(np.maximum(np.add.outer(own, own) - 2 * covariance, 0))
    lead = np.subtract.outer(elo, elo)
    certain = np.where(lead == 0, 0, np.copysign(np.inf, lead))
    return np.divide(lead, error, out=certain, where=error > 0)


def _ranks(estimate: Estimate) -> tuple[Ints, Ints]:
    best = np.ones(len(estimate.players), np.int64)
    worst = best.copy()
    for block in estimate.links.blocks():
        if len(block) > 1:
            square = np.ix_(block, block)
            leads = distances(estimate.elo[block], estimate.covariance[square]) > _critical(len(block))
            best[block] += leads.sum(axis=0)
            worst[block] = len(block) - leads.sum(axis=1)
    return best, worst


def _critical(players: int) -> float:
    """The lead, in standard errors, that proves an order among all pairs at once (Bonferroni)."""
    return NormalDist().inv_cdf(1 - ERROR / (players * (players - 1)))


def _kept(elo: float) -> float:
    return round(float(elo), 6) + 0.0
