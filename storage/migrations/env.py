"""Alembic's environment: runs the migrations on the connection that `upgrade` gives."""

from alembic import context

from storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,  # in the caller's transaction
)
context.run_migrations()
