"""Settings and logging, read and set up by entry points only."""
