"""Opens one input file, and checks that the options suit its puzzles."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import isqrt

from cli.errors import BadUsage
from cli.formatting import count
from cli.input.combinations import Spelling, flag
from cli.input.request import Request
from storage.values import Kind
from worker.covers.text import has_multiplicities
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


def require_scores(
    blocks: Iterable[Block], options: Options, source: str, spelling: Spelling = flag
) -> Iterator[Block]:
    """Yield the blocks; raise BadUsage at puzzles that the options do not suit."""
    for block in blocks:
        _require_no_multiplicities(block, options, source, spelling)
        if why := _without_score(block, options, spelling):
            raise BadUsage(f"{source} line {block.places[0]}: {why}")
        yield block


def _require_no_multiplicities(
    block: Block, options: Options, source: str, spelling: Spelling
) -> None:
    """Raise BadUsage at a problem with multiplicities that is to be solved as a set cover."""
    if block.kind is not Kind.COVER or not options.set_cover:
        return
    for line, text in zip(block.places, block.texts(), strict=True):
        if has_multiplicities(text):
            why = f"{spelling('set_cover')} cannot be used for a problem with multiplicities"
            raise BadUsage(f"{source} line {line}: {why}")


def _without_score(block: Block, options: Options, spelling: Spelling) -> str | None:
    """Return why the solutions of these puzzles have no score that is asked for, else None."""
    if options.set_cover and block.kind is Kind.SUDOKU:
        return f"{spelling('set_cover')} needs cover problems, not grids"
    if not options.target:
        return None
    if block.kind is Kind.COVER:
        return _without_costs(block, options.weights, spelling)
    return _without_weights(block, options.weights, spelling)


def _without_costs(block: Block, weights: tuple[int, ...] | None, spelling: Spelling) -> str | None:
    if not block.costs:
        return (
            f"{spelling('target')} needs grids or cover problems with costs; "
            "the options of this one have none"
        )
    if weights:
        return f"{spelling('weights')} applies to grids; the options of a cover have costs"
    return None


def _without_weights(
    block: Block, weights: tuple[int, ...] | None, spelling: Spelling
) -> str | None:
    if block.cells is None:  # invalid
        return None
    side = isqrt(block.cells)
    if weights is None and side != 9:
        return f"{side}x{side} grids have no default weights; give {spelling('weights')}"
    if weights is not None and len(weights) != block.cells:
        return (
            f"{spelling('weights')} has {count(len(weights), 'number')}, "
            f"but a {side}x{side} grid needs {block.cells}"
        )
    return None
