"""`bullseye export`: writes a finished batch to Parquet files."""

from typing import TYPE_CHECKING

import click

from cli.options import command, database_option
from cli.parameters import BATCH, OUTPUT_FILE, Integer, shares
from cli.streams import notify
from storage.values import BatchKey
from worker.options import MAX_SEED

if TYPE_CHECKING:
    from pathlib import Path

    from storage.export.parts import Part

#: greatest number of equivalents of a puzzle
MAX_EQUIVALENTS = 1000


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
@click.option(
    "--split",
    callback=shares,
    metavar="SHARES",
    help="Write parts that share no class of puzzles, with these shares, such as 80,10,10.",
)
@click.option(
    "--by",
    type=click.Choice(("puzzle", "grid")),
    default="puzzle",
    show_default=True,
    help="With --split: the classes of puzzles, or those of their solutions.",
)
@click.option(
    "--augment",
    type=Integer(1, MAX_EQUIVALENTS),
    metavar="K",
    help="Also write K random equivalents of each sudoku, into its part.",
)
@click.option(
    "--seed",
    type=Integer(0, MAX_SEED),
    metavar="N",
    default=0,
    show_default=True,
    help="Another seed gives other parts and equivalents.",
)
@database_option
def export(
    batch: BatchKey,
    folder: str,
    split: tuple[int, ...] | None,
    by: str,
    augment: int | None,
    seed: int,
    database: str | None,
) -> None:
    """Write the answers of a finished batch to Parquet files, and check them.

    BATCH is a number, a name, or last. The files have the columns of results -f
    parquet, with grids as the database stores them; a file has about a million
    answers. Their metadata has the number of rows and a checksum. If the folder
    exists, its files are compared with the database.

    With --split or --augment, part-1.parquet and so on are written to the folder
    batch-N-parts. The batch must have been solved with --classes.

    \b
    Examples:
      bullseye export 7 --parquet exports
      bullseye export sunday --parquet exports && ls exports/batch-7
      bullseye export 7 --parquet data --split 80,10,10 --seed 7 --augment 5
    """
    from pathlib import Path

    from cli.output.destination import described, require

    if by != "puzzle" and not split:
        raise click.UsageError("--by needs --split.")
    require(("pyarrow",), "parquet")

    from cli.database import connect
    from storage.export import archiving, parts

    with connect(database) as (_, engine):
        if split or augment:
            from cli.output.equivalents import augmented

            column = "grid_class" if by == "grid" else "class"
            how = parts.Split(split or (1,), column, seed)
            made = parts.split(engine, batch, Path(folder), how, augmented(augment or 0, seed))
            notify("\n".join(_described(part, Path(folder)) for part in made))
            return
        found = archiving.export(engine, batch, Path(folder))
    notify(described(found) if found.is_new else f"exported before: {described(found)}")


def _described(part: "Part", folder: "Path") -> str:
    from cli.formatting import count

    path = folder / part.path.parent.name / part.path.name
    numbers = (count(part.puzzles, "puzzle"), count(part.classes, "class", "classes"))
    return f"{path}: {', '.join(numbers)}, {count(part.rows, 'row')}"
