"""Two bots compared by many matches: mean share, and Elo difference with an interval from the spread of matches."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

from arena.contest.elo import difference
from arena.errors import BadInput


@dataclass(frozen=True, slots=True)
class Duel:
    """The first bot against the second: share of points 0..1, Elo difference with a 95 % interval, matches."""

    share: float
    elo: float
    low: float
    high: float
    superiority: float
    matches: int


def duel(shares: Sequence[float]) -> Duel:
    """The comparison from the first bot's mean share in each match; raises BadInput for fewer than two matches.

    The interval is normal on the mean share and carried to the Elo scale.
    """
    if len(shares) < 2:
        raise BadInput("a comparison needs two matches or more; play more games")
    mean, error = fmean(shares), stdev(shares) / math.sqrt(len(shares))
    reach = NormalDist().inv_cdf(0.975) * error
    ahead = NormalDist().cdf((mean - 0.5) / error) if error else float(mean > 0.5)
    return Duel(mean, difference(mean), difference(mean - reach), difference(mean + reach), ahead, len(shares))
