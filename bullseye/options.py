"""The options of a search, checked as those of the command line are."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from cli.errors import BadUsage
from cli.input.request import MAX_KEPT
from cli.parameters import MAX_INTEGER, MAX_TIMEOUT_SECONDS
from storage.values import Kind
from worker.errors import PuzzleError
from worker.formats.block import Block
from worker.options import Options

#: cells of the grids that have weights by default
WEIGHTED_CELLS = 81


def options_of(
    *,
    limit: int | None,
    target: bool,
    weights: Sequence[int] | None,
    every: bool,
    keep: int,
    timeout: float,
) -> Options:
    """Return the options of a search; raise BadUsage if they do not suit each other."""
    per_cell = None if weights is None else tuple(int(weight) for weight in weights)
    options = Options(limit, target, per_cell, every, keep, timeout)
    if options.limit is not None and not 1 <= options.limit <= MAX_INTEGER:
        raise BadUsage(f"limit is {options.limit}; give a positive integer, or None for all")
    if not 1 <= options.keep <= MAX_KEPT:
        raise BadUsage(f"keep is {options.keep}; give an integer from 1 to {MAX_KEPT:,}")
    if not 0 < options.timeout <= MAX_TIMEOUT_SECONDS:
        raise BadUsage(f"timeout must be more than 0 and at most {MAX_TIMEOUT_SECONDS:,} seconds")
    if options.target and options.limit != Options().limit:
        raise BadUsage("limit cannot be combined with target, which has to consider every solution")
    for name in ("weights", "every"):
        if getattr(options, name) and not options.target:
            raise BadUsage(f"{name} needs target=True")
    return options


def checked(name: str, blocks: Iterable[Block], options: Options) -> Iterator[Block]:
    """Yield the blocks of a source.

    Raises PuzzleError at one that is not of puzzles, and BadUsage at one without the weights or
    costs that `target` needs.
    """
    for block in blocks:
        place = f"{name} line {block.places[0]}"
        if block.errors:
            raise PuzzleError(f"{place}: {block.errors[0]}")
        if options.target:
            _check_scores(place, block, options.weights)
        yield block


def _check_scores(place: str, block: Block, weights: tuple[int, ...] | None) -> None:
    if block.kind is Kind.COVER:
        if weights:
            raise BadUsage(f"{place}: weights apply to grids; the options of a cover have costs")
        if not block.costs:
            raise BadUsage(f"{place}: target needs costs, and this exact cover has none")
        return
    cells = block.cells or 0
    side = int(sqrt(cells))
    if weights is None and cells != WEIGHTED_CELLS:
        raise BadUsage(f"{place}: {side}x{side} grids have no default weights; give weights")
    if weights is not None and len(weights) != cells:
        raise BadUsage(f"{place}: {len(weights)} weights, but a {side}x{side} grid needs {cells}")
