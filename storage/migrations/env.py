"""Alembic's environment: runs the migrations on the connection that `upgrade` gives."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=False,  # in the caller's transaction
)
context.run_migrations()
