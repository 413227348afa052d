"""Answer times of bots, counted into buckets between two visits to the lobby."""

from collections import Counter

from arena.lobby.tally_names import BUCKETS, COUNT, SUM, bucket_name


class Answers:
    """Increments not yet handed to the lobby."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._seconds = 0.0

    def note(self, seconds: float) -> None:
        """Count one answer."""
        self._counts[COUNT] += 1
        self._seconds += seconds
        for limit in BUCKETS:
            if seconds <= limit:
                self._counts[bucket_name(limit)] += 1

    def taken(self) -> dict[str, float]:
        """All increments so far; they start again from zero."""
        found: dict[str, float] = dict(self._counts)
        if found:
            found[SUM] = self._seconds
        self._counts.clear()
        self._seconds = 0.0
        return found

    def put_back(self, counts: dict[str, float]) -> None:
        """Return increments that could not be handed over."""
        self._seconds += counts.get(SUM, 0.0)
        for name, amount in counts.items():
            if name != SUM:
                self._counts[name] += int(amount)
