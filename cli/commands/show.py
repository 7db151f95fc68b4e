"""`bullseye show`: draws one puzzle and its solution."""

import click

from cli.options import command, database_option
from cli.parameters import OUTPUT_FILE, Integer
from storage.values import MAX_INTEGER


@command
@click.argument("puzzle_id", metavar="ID", type=Integer(1, MAX_INTEGER))
@click.option("--all", "all_solutions", is_flag=True, help="Show every kept solution.")
@click.option(
    "--svg",
    "picture",
    metavar="FILE",
    type=OUTPUT_FILE,
    help="Write the grid as an SVG picture; - is stdout.",
)
@database_option
def show(puzzle_id: int, all_solutions: bool, picture: str | None, database: str | None) -> None:
    """Draw one puzzle and its solution, with its score and statistics.

    ID is the first column of `bullseye results`. Clues are bold and found cells
    blue; without colours the puzzle is drawn beside its solution.

    \b
    Examples:
      bullseye show 61
      bullseye show 61 --svg best.svg
    """
    from cli.database import reading
    from cli.drawing import print_puzzle, write_picture
    from cli.output.answers import find_solutions
    from storage import batches
    from storage.queries.searches import find_work

    with reading(database, archived=True) as connection:
        answer, further = find_solutions(connection, puzzle_id)
        work = find_work(connection, puzzle_id)
        options = batches.find(connection, answer.batch).options
    if picture is not None:
        write_picture(answer, options, picture)
    else:
        print_puzzle(answer, further, options, work, all_solutions=all_solutions)
