"""Checks that the options of a batch suit its puzzles."""

from collections.abc import Iterable, Iterator
from math import isqrt

from storage.values import Kind
from worker.covers.text import has_multiplicities
from worker.errors import BadUsage
from worker.formats.entry import Block
from worker.formats.errors import quantity
from worker.options import Options, Spelling


def suited(
    blocks: Iterable[Block], options: Options, source: str, spelling: Spelling
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
            f"{spelling('weights')} has {quantity(len(weights), 'number')}, "
            f"but a {side}x{side} grid needs {block.cells}"
        )
    return None
