"""The use cases on a real database."""
