"""`bullseye show`: one puzzle and its solution, big."""

import click

from cli.options import command, database_option


@command
@click.argument("puzzle_id", metavar="ID", type=click.IntRange(1, 2**63 - 1))
@click.option("--all", "everything", is_flag=True, help="All kept solutions, not only some.")
@database_option
def show(puzzle_id: int, everything: bool, database: str | None) -> None:
    """Show one puzzle with its solution, its score and what is known about it.

    ID is the number in the first column of `bullseye results`. Clues are bold;
    where there is no colour, the puzzle stands beside its solution.

    \b
    Example:
      bullseye show 61
    """
    from cli.answered import Answered
    from cli.portrait import portrait
    from cli.screen import console
    from cli.session import opened
    from storage import batches, queries
    from storage.database import read

    with opened(database) as (_, engine), read(engine) as connection:
        answer = Answered._make(queries.find_answer(connection, puzzle_id))
        further = queries.kept(connection, puzzle_id)
        batch = batches.find(connection, answer.batch)
    screen = console()
    for line in portrait(answer, further, batch.options, screen, everything=everything):
        screen.print(line, soft_wrap=True)
