"""A gallery of bots: each file is one bot, exactly as its author would submit it."""
