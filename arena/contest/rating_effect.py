"""The design effect: how much more, or less, the games vary than independent duels would."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.special import expit

from arena.contest.elo import weight
from arena.contest.rating_fit import Floats, Problem, information, pseudo_inverse
from arena.contest.rating_tally import Ints, Tally

FEW = 30
"""With fewer deals the effect is not trusted to be below 1 (`docs/statistics.md §1.5`)."""


def design_effect(board: Tally, theta: Floats, blocks: Sequence[Ints]) -> float:
    """The board's phi: the variance of scores clustered by deal over the variance the model expects."""
    freedom = len(theta) - len(blocks)
    deals = len(np.unique(board.pairs.deal))
    if freedom == 0 or deals < 2:
        return 1.0
    spread = meat(board, theta)
    phi = sum(_trace(board, theta, spread=spread, block=block) for block in blocks) / freedom
    return phi if deals >= FEW else max(phi, 1.0)


def meat(board: Tally, theta: Floats) -> Floats:
    """M of `docs/statistics.md §1.5`: the outer products of each deal's surprises, summed over deals."""
    pairs = board.pairs
    gap = theta[pairs.left] - theta[pairs.right]
    surprise = weight(board.size) * (pairs.halves / 2 - expit(gap))
    by_deal = coo_array(
        (
            np.append(surprise, -surprise),
            (np.append(pairs.deal, pairs.deal), np.append(pairs.left, pairs.right)),
        ),
        shape=(int(pairs.deal.max(initial=-1)) + 1, len(theta)),
    ).tocsr()
    deals = len(np.unique(pairs.deal))
    return np.asarray((by_deal.T @ by_deal).toarray() * deals / (deals - 1))


def _trace(board: Tally, theta: Floats, *, spread: Floats, block: Ints) -> float:
    if len(block) == 1:
        return 0.0
    square = np.ix_(block, block)
    points = weight(board.size) * board.halves[square] / 2
    expected = information(Problem(points, prior=0), theta[block])
    return float((pseudo_inverse(expected) * spread[square]).sum())
