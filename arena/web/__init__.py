"""Pages and metrics: they read the record and the lobby, and change nothing."""
