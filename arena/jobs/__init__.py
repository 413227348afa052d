"""Redis and its queues: the server we bring along, a connection we accept, batches on their way to workers."""
