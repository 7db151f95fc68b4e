"""`bullseye show`: one puzzle and its solution, big."""

from typing import TYPE_CHECKING, Any

import click

from cli.errors import BadUsage
from cli.options import command, database_option
from cli.output.destination import opened as opened_output
from cli.parameters import MOST, Whole, file

if TYPE_CHECKING:
    from cli.output.row import AnswerRow


@command
@click.argument("puzzle_id", metavar="ID", type=Whole(1, MOST))
@click.option("--all", "everything", is_flag=True, help="All kept solutions, not only some.")
@click.option(
    "--svg",
    "picture",
    metavar="FILE",
    shell_complete=file,
    help="Write the grid as a picture; - is stdout.",
)
@database_option
def show(puzzle_id: int, everything: bool, picture: str | None, database: str | None) -> None:
    """Show one puzzle with its solution, its score and what is known about it.

    ID is the number in the first column of `bullseye results`. Clues are bold;
    where there is no colour, the puzzle stands beside its solution.

    \b
    Examples:
      bullseye show 61
      bullseye show 61 --svg best.svg
    """
    from cli.database import opened
    from cli.drawing.puzzle import portrait
    from cli.formatting import console
    from cli.output.row import AnswerRow
    from storage import batches
    from storage.database import read
    from storage.queries.answers import find_answer, further_solutions

    with opened(database) as (_, engine), read(engine) as connection:
        answer = AnswerRow._make(find_answer(connection, puzzle_id))
        further = further_solutions(connection, puzzle_id)
        batch = batches.find(connection, answer.batch)
    if picture is not None:
        _draw(answer, batch.options, picture)
        return
    screen = console()
    for line in portrait(answer, further, batch.options, screen, everything=everything):
        screen.print(line, soft_wrap=True)


def _draw(answer: "AnswerRow", options: dict[str, Any], picture: str) -> None:
    """A grid; Misused where there is none to draw."""
    from cli.drawing.puzzle import caption, has_rings
    from cli.drawing.svg import svg

    if answer.kind == "cover" or answer.status == "invalid":
        what = "an exact cover" if answer.kind == "cover" else "no puzzle"
        raise BadUsage(f"puzzle {answer.id} is {what}: --svg draws grids only.")
    with opened_output(picture) as out:
        out.write(svg(answer, caption(answer), rings=has_rings(answer, options)))
