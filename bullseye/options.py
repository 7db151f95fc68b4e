"""The options of a search, checked as those of the command line are."""

from collections.abc import Iterable, Iterator
from numbers import Integral, Real
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from storage.values import MAX_INTEGER
from worker.errors import BadUsage, PuzzleError
from worker.formats.entry import Block
from worker.intake.spool import suited
from worker.options import (
    MAX_KEPT,
    MAX_SEED,
    MAX_TIMEOUT_SECONDS,
    OPTIONS,
    Options,
    conflict,
    with_limit,
)
from worker.sudoku.symbols import SIDES
from worker.sudoku.weights import refusal


class SearchOptions(TypedDict, total=False):
    """The options of a search, which `bullseye.solve` describes; each may be left out."""

    limit: int | None
    target: bool
    weights: ArrayLike | None
    every: bool
    keep: int
    timeout: float
    set_cover: bool
    at_most: int | None
    sample: int
    seed: int
    per_option: bool


def search_options(
    *,
    limit: int | None = Options().limit,
    target: bool = False,
    weights: ArrayLike | None = None,
    every: bool = False,
    keep: int = 1,
    timeout: float = Options().timeout,
    set_cover: bool = False,
    at_most: int | None = None,
    sample: int = 0,
    seed: int = 0,
    per_option: bool = False,
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
    return _checked(
        Options(
            limit if limit is None else int(limit),
            target,
            None if weights is None else _weights(weights),
            every,
            int(keep),
            float(timeout),
            set_cover=set_cover,
            at_most=None if at_most is None else int(at_most),
            count=sample > 0 or per_option,
            sample=int(sample),
            seed=int(seed),
            per_option=per_option,
        )
    )


def _checked(options: Options) -> Options:
    """Check that options can be combined; with `at_most` a search stops at the first cover."""
    given = {name for name in OPTIONS if getattr(options, name) != getattr(Options(), name)}
    if options.count:
        if options.limit is not None:
            raise BadUsage(f"{'sample' if options.sample else 'per_option'} needs limit=None")
        given.remove("limit")
    if why := conflict(given, str):
        raise BadUsage(why)
    return with_limit(options, given)


def _is_whole(value: object, most: int, least: int = 1) -> bool:
    return isinstance(value, Integral) and least <= int(value) <= most


def _is_number(value: object) -> bool:
    return isinstance(value, Real)


def _weights(weights: ArrayLike) -> tuple[int, ...]:
    given = tuple(np.asarray(weights).ravel().tolist())
    if not all(type(weight) is int for weight in given):
        raise BadUsage("weights must be whole numbers, one for each cell")
    if len(given) in SIDES and (why := refusal(given)):
        raise BadUsage(why)
    return given


def checked(name: str, blocks: Iterable[Block], options: Options) -> Iterator[Block]:
    """Yield the blocks of a source.

    Raises PuzzleError at one that is not of puzzles, and BadUsage at one without the weights or
    costs that `target` needs.
    """
    for block in suited(blocks, options, name, str):
        if block.errors:
            raise PuzzleError(f"{name} line {block.places[0]}: {block.errors[0]}")
        yield block
