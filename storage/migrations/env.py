"""Alembic's way in: it works on the connection that `storage.migrate` hands over."""

from alembic import context

from storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,  # the transaction is the caller's
)
context.run_migrations()
