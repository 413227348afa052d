"""The referee workers: processes that take batches of matches from a queue and play them."""
