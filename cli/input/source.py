"""Opens one input file and checks that its puzzles suit `--target`."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from cli.errors import BadUsage
from cli.input.request import Request
from cli.options import Flag
from storage.values import Kind
from worker.formats.block import Block
from worker.formats.layout import Layout
from worker.formats.source import Source, open_source
from worker.options import Options

#: columns of an invalid line that a message quotes
QUOTED_COLUMNS = 72


@contextmanager
def open_input(request: Request, file: str) -> Iterator[Source]:
    """Open a path, `-` or a literal puzzle.

    Raises FormatError if it cannot be read, BadUsage if `--target` cannot score its puzzles.
    """
    stdin = sys.stdin.buffer if file == "-" else None
    with open_source(file, request.format, stdin) as source:
        if request.options.target:
            _check_weights(request.options.weights, source.name, source.layout)
        yield source


def _check_weights(weights: tuple[int, ...] | None, source: str, layout: Layout) -> None:
    size = layout.size
    if layout.kind == "cover":
        if weights:
            raise BadUsage(
                f"{source}: {Flag.WEIGHTS} applies to grids; the options of a cover have costs."
            )
    elif weights is None and size not in {9, None}:
        raise BadUsage(
            f"{source}: {size}x{size} grids have no default weights; "
            f"give {Flag.WEIGHTS} FILE with {Flag.TARGET}."
        )
    elif weights and size and len(weights) != size * size:
        raise BadUsage(
            f"{source}: the weights file has {len(weights)} weights, "
            f"but a {size}x{size} grid needs {size * size}."
        )


def require_scores(blocks: Iterable[Block], options: Options, source: str) -> Iterator[Block]:
    """Yield the blocks; raise BadUsage at a cover problem without costs under `--target`."""
    for block in blocks:
        if options.target and block.kind is Kind.COVER and not block.costs:
            raise BadUsage(
                f"{source} line {block.places[0]}: {Flag.TARGET} needs grids or cover problems "
                "with costs; the options of this one have none."
            )
        yield block
