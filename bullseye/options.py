"""The options of a search, checked as those of the command line are."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isqrt
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike

from cli.errors import BadUsage
from cli.input.request import MAX_KEPT, MAX_SEED
from cli.parameters import MAX_INTEGER, MAX_TIMEOUT_SECONDS
from storage.values import Kind
from worker.errors import PuzzleError
from worker.formats.block import Block
from worker.options import Options
from worker.sudoku.weights import MAX_WEIGHT

#: cells of the grids that have weights by default
WEIGHTED_CELLS = 81
#: NumPy's kinds of whole numbers
WHOLE_NUMBERS = "iu"


def options_of(
    *,
    limit: int | None,
    target: bool,
    weights: ArrayLike | None,
    every: bool,
    keep: int,
    timeout: float,
    set_cover: bool,
    at_most: int | None,
    sample: int,
    seed: int,
) -> Options:
    """Return the options of a search; raise BadUsage if they do not suit each other."""
    if at_most is not None and not _is_whole(at_most, MAX_INTEGER, least=0):
        raise BadUsage(f"at_most is {at_most!r}; give an integer from 0")
    if limit is not None and not _is_whole(limit, MAX_INTEGER):
        raise BadUsage(f"limit is {limit!r}; give a positive integer, or None for all")
    if not _is_whole(keep, MAX_KEPT):
        raise BadUsage(f"keep is {keep!r}; give an integer from 1 to {MAX_KEPT:,}")
    for name, value, most in (("sample", sample, MAX_KEPT), ("seed", seed, MAX_SEED)):
        if value != 0 and not _is_whole(value, most):
            raise BadUsage(f"{name} is {value!r}; give an integer from 0 to {most:,}")
    if not (_is_number(timeout) and 0 < timeout <= MAX_TIMEOUT_SECONDS):
        raise BadUsage(f"timeout must be more than 0 and at most {MAX_TIMEOUT_SECONDS:,} seconds")
    options = Options(
        limit if limit is None else int(limit),
        target,
        None if weights is None else _weights(weights),
        every,
        int(keep),
        float(timeout),
        set_cover=set_cover,
        at_most=None if at_most is None else int(at_most),
        count=sample > 0,
        sample=int(sample),
        seed=int(seed),
    )
    if options.count and (options.limit is not None or options.target or options.keep > 1):
        raise BadUsage("sample needs limit=None, and neither target nor keep")
    if options.target and options.limit != Options().limit:
        raise BadUsage("limit cannot be combined with target, which has to consider every solution")
    for name in ("weights", "every"):
        if getattr(options, name) and not options.target:
            raise BadUsage(f"{name} needs target=True")
    return _checked_cover(options)


def _checked_cover(options: Options) -> Options:
    """Check the options for set covers; with `at_most` a search stops at the first cover."""
    default = options.limit == Options().limit
    if options.at_most is not None and not options.set_cover:
        raise BadUsage("at_most needs set_cover=True")
    if options.set_cover and options.target:
        raise BadUsage("set_cover cannot be combined with target; it finds the lowest cost")
    if options.set_cover and options.at_most is None and not default:
        raise BadUsage("limit with set_cover needs at_most")
    return replace(options, limit=1) if options.at_most is not None and default else options


def _is_whole(value: object, most: int, least: int = 1) -> bool:
    return isinstance(value, Integral) and least <= int(value) <= most


def _is_number(value: object) -> bool:
    return isinstance(value, Real)


def _weights(weights: ArrayLike) -> tuple[int, ...]:
    array = np.asarray(weights)
    if array.dtype.kind not in WHOLE_NUMBERS:
        raise BadUsage("weights must be whole numbers, one for each cell")
    if array.size and np.abs(array).max() > MAX_WEIGHT:
        raise BadUsage(f"a weight is outside the range -{MAX_WEIGHT:,} to {MAX_WEIGHT:,}")
    return tuple(array.ravel().tolist())


def checked(name: str, blocks: Iterable[Block], options: Options) -> Iterator[Block]:
    """Yield the blocks of a source.

    Raises PuzzleError at one that is not of puzzles, and BadUsage at one without the weights or
    costs that `target` needs.
    """
    for block in blocks:
        place = f"{name} line {block.places[0]}"
        if block.errors:
            raise PuzzleError(f"{place}: {block.errors[0]}")
        if options.set_cover and block.kind is Kind.SUDOKU:
            raise BadUsage(f"{place}: set_cover needs exact covers, not grids")
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
    side = isqrt(cells)
    if weights is None and cells != WEIGHTED_CELLS:
        raise BadUsage(f"{place}: {side}x{side} grids have no default weights; give weights")
    if weights is not None and len(weights) != cells:
        raise BadUsage(f"{place}: {len(weights)} weights, but a {side}x{side} grid needs {cells}")
