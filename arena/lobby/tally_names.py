"""Names of the answer-time counters in the lobby: gateways add to them, the metrics read them."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
COUNT = "answer_seconds_count"
SUM = "answer_seconds_sum"


def bucket_name(limit: float) -> str:
    """The counter of answers that took at most so many seconds, cumulative as Prometheus wants it."""
    return f"answer_seconds_le_{limit:g}"
