"""`bullseye export`: writes a finished batch to Parquet files."""

import click

from cli.options import command, database_option
from cli.parameters import BATCH, OUTPUT_FILE
from cli.streams import notify
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH)
@click.option(
    "--parquet",
    "folder",
    metavar="DIR",
    required=True,
    type=OUTPUT_FILE,
    help="Write to the folder batch-N in DIR.",
)
@database_option
def export(batch: BatchKey, folder: str, database: str | None) -> None:
    """Write the answers of a finished batch to Parquet files, and check them.

    BATCH is a number, a name, or last. The files have the columns of results -f
    parquet, with grids as the database stores them; a file has about a million
    answers. Their metadata has the number of rows and a checksum. If the folder
    exists, its files are compared with the database.

    \b
    Examples:
      bullseye export 7 --parquet exports
      bullseye export sunday --parquet exports && ls exports/batch-7
    """
    from pathlib import Path

    from cli.output.destination import described, require

    require(("pyarrow",), "parquet")

    from cli.database import connect
    from storage.export import archiving

    with connect(database) as (_, engine):
        found = archiving.export(engine, batch, Path(folder))
    notify(described(found) if found.is_new else f"exported before: {described(found)}")
