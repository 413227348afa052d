"""Games without a server: the same referee, any bot, nothing left behind."""
