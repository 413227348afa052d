"""The history of the schema, as Alembic reads it; a step that was released is never edited."""
