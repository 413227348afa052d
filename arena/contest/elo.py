"""What a rating means: the score a difference promises, and what one pair of seats weighs."""

from math import inf, log, log10, tanh

PER_LOGIT = 400 / log(10)
"""Elo points in one unit of log-odds (`docs/statistics.md §1.3`)."""


def expected(difference: float) -> float:
    """The score, from 0 to 1, of a player rated this many Elo above the other (`docs/statistics.md T1`)."""
    return (1 + tanh(difference / PER_LOGIT / 2)) / 2


def difference(score: float) -> float:
    """The Elo difference at which this score is expected, the inverse of `expected`; unbounded at 0 and 1."""
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return 400 * log10(score / (1 - score))


def pair_score(own: int, other: int) -> float:
    """What a place scores against another: 1 for the better, one half each for equals (`docs/statistics.md §1.3`)."""
    return 1.0 if own < other else 0.5 if own == other else 0.0


def weight(players: int) -> float:
    """What one pair counts at a table of this many, in independent duels (`docs/statistics.md §1.3, T21`)."""
    return 3 / (players + 1)
