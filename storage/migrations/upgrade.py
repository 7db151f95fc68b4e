"""Creates and upgrades the tables by Alembic's migrations, one process at a time."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from storage.driver_errors import display_name
from storage.errors import DatabaseUnreachable
from storage.summaries.scan import rebuild
from storage.tables import VIEWS, metadata
from storage.values import UpgradeProgress

#: key of the PostgreSQL advisory lock that a migration holds
ADVISORY_LOCK = 0x62756C6C
#: the tables and views of this program
_OUR_NAMES = {*metadata.tables, *VIEWS}


def upgrade(connection: Connection, progress: UpgradeProgress | None = None) -> None:
    """Run the missing migrations in the caller's write transaction.

    It is undone if the process dies; the next one begins again.  `progress` is called with the
    number of steps that are done, and that of all.  Other processes wait: for SQLite's write lock,
    or for an advisory lock of PostgreSQL.  Raises DatabaseUnreachable if the database has tables of
    another program with the same names.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": ADVISORY_LOCK})
    _check_owner(connection)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    config.attributes["progress"] = progress
    command.upgrade(config, "head")
    rebuild(connection, progress)


def _check_owner(connection: Connection) -> None:
    if MigrationContext.configure(connection).get_current_revision() is not None:
        return
    found = inspect(connection)
    if foreign := sorted(_OUR_NAMES.intersection(found.get_table_names() + found.get_view_names())):
        raise DatabaseUnreachable(
            f"{display_name(connection.engine.url)} belongs to another program (it has a table "
            f"{foreign[0]})",
            "choose another database",
        )
