"""Games with bots that sit behind a gateway: the worker's end of the relay."""
