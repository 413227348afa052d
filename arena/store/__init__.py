"""The database: what must be played and what was played, on SQLite or PostgreSQL."""
