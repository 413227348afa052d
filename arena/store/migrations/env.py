"""Run by Alembic for every upgrade, inside the transaction that `arena.store.migration` opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
