"""What a finished game is worth to its seats."""

from collections.abc import Sequence


def rewards(points: Sequence[int]) -> tuple[float, ...]:
    """For each seat the mean over its rivals of 1 for more points than theirs, -1 for fewer, 0 for as many."""
    return tuple(sum((own > other) - (own < other) for other in points) / (len(points) - 1) for own in points)
