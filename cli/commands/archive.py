"""`bullseye archive`: moves the answers of a finished batch to Parquet files."""

import click

from cli.options import command, database_option, vacuum_option
from cli.parameters import BATCH, OUTPUT_FILE
from cli.streams import notify
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH)
@click.option(
    "--parquet",
    "folder",
    metavar="DIR",
    type=OUTPUT_FILE,
    help="Write to the folder batch-N in DIR.  [default: archive beside an SQLite file]",
)
@vacuum_option
@database_option
def archive(batch: BatchKey, folder: str | None, vacuum: bool, database: str | None) -> None:
    """Move the answers of a finished batch from the database to Parquet files.

    BATCH is a number, a name, or last. The batch is exported, and the files are
    compared with the database, before its answers are deleted there. Commands
    that read answers then read the files, which must stay where they are; status
    and stats read summaries in the database. The answers do not change any more.
    The file of the database does not shrink before --vacuum.

    \b
    Examples:
      bullseye archive 7
      bullseye archive 7 --parquet /data/archive --vacuum
    """
    from pathlib import Path

    from cli.output.destination import described, require

    require(("duckdb", "pyarrow"), "archive")

    from cli import deletion
    from cli.database import connect
    from storage.export import archiving
    from worker.errors import BadUsage

    with connect(database) as (_, engine):
        if folder is None and engine.dialect.name != "sqlite":
            raise BadUsage("name the folder for the files with --parquet DIR")
        parent = Path(folder) if folder else Path(engine.url.database or "").parent / "archive"
        found = archiving.archive(engine, batch, parent)
        notify(f"archived{'' if found.is_new else ' before'}: {described(found)}")
        if vacuum:
            deletion.vacuum(engine)
