"""What a rating means: the score a difference promises, and what one pair of seats weighs."""

from math import log, tanh

PER_LOGIT = 400 / log(10)
"""Elo points in one unit of log-odds (`docs/statistics.md §1.3`)."""


def expected(difference: float) -> float:
    """The score, from 0 to 1, of a player rated this many Elo above the other (`docs/statistics.md T1`)."""
    return (1 + tanh(difference / PER_LOGIT / 2)) / 2


def weight(players: int) -> float:
    """What one pair counts at a table of this many, in independent duels (`docs/statistics.md §1.3, T21`)."""
    return 3 / (players + 1)
