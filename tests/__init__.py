"""Claims about the arena, checked against real services."""
