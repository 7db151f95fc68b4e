"""Opens one input file, and checks that its puzzles suit `--target` and `--set-cover`."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import isqrt

from cli.errors import BadUsage
from cli.input.request import Request
from cli.options import Flag
from storage.values import Kind
from worker.formats.block import Block
from worker.formats.source import Source, open_source
from worker.options import Options

#: columns of an invalid line that a message quotes
QUOTED_COLUMNS = 72


@contextmanager
def open_input(request: Request, file: str) -> Iterator[Source]:
    """Open a path, `-` or a literal puzzle.

    Raises FormatError if it cannot be read.
    """
    stdin = sys.stdin.buffer if file == "-" else None
    with open_source(file, request.format, stdin) as source:
        yield source


def require_scores(blocks: Iterable[Block], options: Options, source: str) -> Iterator[Block]:
    """Yield the blocks; raise BadUsage at puzzles that `--target` or `--set-cover` cannot score."""
    for block in blocks:
        if options.set_cover and block.kind is Kind.SUDOKU:
            place = f"{source} line {block.places[0]}"
            raise BadUsage(f"{place}: {Flag.SET_COVER} needs cover problems, not grids.")
        if options.target and (why := _without_score(block, options.weights)):
            raise BadUsage(f"{source}{why}")
        yield block


def _without_score(block: Block, weights: tuple[int, ...] | None) -> str | None:
    """Return the end of the message for puzzles whose solutions have no score, else None."""
    if block.kind is Kind.COVER:
        if not block.costs:
            return (
                f" line {block.places[0]}: {Flag.TARGET} needs grids or cover problems with costs; "
                "the options of this one have none."
            )
        if weights:
            return f": {Flag.WEIGHTS} applies to grids; the options of a cover have costs."
    elif block.cells is not None:
        size = isqrt(block.cells)
        if weights is None and size != 9:
            return (
                f": {size}x{size} grids have no default weights; "
                f"give {Flag.WEIGHTS} FILE with {Flag.TARGET}."
            )
        if weights and len(weights) != block.cells:
            return (
                f": the weights file has {len(weights)} weights, "
                f"but a {size}x{size} grid needs {block.cells}."
            )
    return None
