"""`bullseye canon`: the canonical forms of sudokus, without solving them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from cli.input.request import files_argument, files_of, from_option
from cli.options import command
from cli.parameters import OUTPUT_FILE

if TYPE_CHECKING:
    from worker.formats.entry import Block
    from worker.formats.source import Source


@command
@files_argument
@from_option
@click.option("--distinct", is_flag=True, help="Write each form once, where it is found first.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=OUTPUT_FILE,
    help="Write to FILE; .gz or .zst at its end compresses.",
)
def canon(
    *, files: Sequence[str], input_format: str | None, distinct: bool, output: str | None
) -> None:
    """Write the canonical form of each sudoku: its least text up to symmetry.

    FILE is a path, a folder, a pattern in quotes, - for stdin, or a puzzle written
    as one line. Two sudokus have the same form if renaming digits, permuting
    bands, the rows of a band, stacks and the columns of a stack, and exchanging
    rows and columns turn one into the other. Forms have one line each, in the
    order of the input. Nothing is solved or stored. Grids are 4x4 to 25x25.

    \b
    Examples:
      bullseye canon puzzles.txt -o forms.txt
      bullseye canon --distinct collection.txt more.txt | wc -l
    """
    from cli.output.destination import open_output

    forms = _forms(chain.from_iterable(map(files_of, files)), input_format)
    with open_output(output) as out:
        out.writelines(f"{form}\n" for form in (_first(forms) if distinct else forms))


def _forms(files: Iterable[str], input_format: str | None) -> Iterator[str]:
    from worker.formats.source import open_source

    for file in files:
        with open_source(file, input_format) as source:
            for block in source.blocks():
                yield from _forms_of_block(source, block)


def _forms_of_block(source: "Source", block: "Block") -> list[str]:
    """Return the forms of a block; raise BadInput if it has no sudokus that have one."""
    from storage.values import Kind
    from worker.errors import BadInput, PuzzleError
    from worker.symmetry.texts import least_texts

    place = f"{source.name} line {block.places[0]}"
    if block.kind is None:
        raise BadInput(f"{place}: {next(iter(block.entries())).error}")
    if block.kind is not Kind.SUDOKU:
        raise BadInput(f"{place}: an exact cover has no canonical form")
    try:
        return least_texts(block.texts())
    except PuzzleError as error:
        raise BadInput(f"{place}: {error}") from error


def _first(forms: Iterable[str]) -> Iterator[str]:
    """Yield each form once; all of them are held in memory."""
    found = set[str]()
    for form in forms:
        if form not in found:
            found.add(form)
            yield form
