"""Games on this machine, without a server, by the same referee."""
