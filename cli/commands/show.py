"""`bullseye show`: draws one puzzle and its solution."""

import click

from cli.options import command, database_option
from cli.parameters import OUTPUT_FILE, Integer
from storage.values import MAX_INTEGER


@command
@click.argument("puzzle_id", metavar="ID", type=Integer(1, MAX_INTEGER))
@click.option(
    "--all", "show_all", is_flag=True, help="Show every kept solution, or node of the tree."
)
@click.option("--tree", is_flag=True, help="Draw the search by Algorithm X: items and options.")
@click.option(
    "--svg",
    "picture",
    metavar="FILE",
    type=OUTPUT_FILE,
    help="Write the grid, or the tree, as an SVG picture; - is stdout.",
)
@database_option
def show(
    puzzle_id: int, show_all: bool, tree: bool, picture: str | None, database: str | None
) -> None:
    """Draw one puzzle and its solution, with its score and statistics.

    ID is the first column of `bullseye results`. Clues are bold and found cells
    blue; without colours the puzzle is drawn beside its solution. --tree draws
    up to 200 nodes of the search instead, and says how many are left out.

    \b
    Examples:
      bullseye show 61
      bullseye show 61 --svg best.svg
    """
    if tree:
        _show_tree(puzzle_id, picture, database, every_node=show_all)
    else:
        _show_puzzle(puzzle_id, picture, database, all_solutions=show_all)


def _show_puzzle(
    puzzle_id: int, picture: str | None, database: str | None, *, all_solutions: bool
) -> None:
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


def _show_tree(
    puzzle_id: int, picture: str | None, database: str | None, *, every_node: bool
) -> None:
    from cli.database import reading
    from cli.tree import print_tree, tree_of, write_tree
    from storage import batches
    from storage.queries.answers import find_answer
    from worker.options import Options

    with reading(database, archived=True) as connection:
        answer = find_answer(connection, puzzle_id)
        options = Options.from_json(batches.find(connection, answer.batch).options)
    rows = tree_of(answer, options, every_node=every_node)
    if picture is not None:
        write_tree(answer, rows, picture)
    else:
        print_tree(rows)
