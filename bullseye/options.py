"""The options of a search, checked as those of the command line are."""

from collections.abc import Iterable, Iterator
from numbers import Integral, Real
from typing import Any, TypedDict, Unpack

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


#: options that are whole numbers: the least, the greatest, and what a message asks for
_WHOLE = {
    "at_most": (0, MAX_INTEGER, "an integer from 0"),
    "limit": (1, MAX_INTEGER, "a positive integer, or None for all"),
    "keep": (1, MAX_KEPT, f"an integer from 1 to {MAX_KEPT:,}"),
    "sample": (0, MAX_KEPT, f"an integer from 0 to {MAX_KEPT:,}"),
    "seed": (0, MAX_SEED, f"an integer from 0 to {MAX_SEED:,}"),
}
#: those of them that may be None
_OR_NONE = {"at_most", "limit"}


def search_options(**search: Unpack[SearchOptions]) -> Options:
    """Return the options of a search; raise BadUsage if they do not suit each other."""
    if unknown := search.keys() - SearchOptions.__optional_keys__:
        raise TypeError(f"there is no option {min(unknown)!r}")
    chosen: dict[str, Any] = {**search}
    for name, (least, most, wanted) in _WHOLE.items():
        if name not in chosen or (chosen[name] is None and name in _OR_NONE):
            continue
        if not (isinstance(chosen[name], Integral) and least <= int(chosen[name]) <= most):
            raise BadUsage(f"{name} is {chosen[name]!r}; give {wanted}")
        chosen[name] = int(chosen[name])
    timeout = chosen.get("timeout", Options().timeout)
    is_number = isinstance(timeout, Real)
    if not (is_number and 0 < timeout <= MAX_TIMEOUT_SECONDS):
        raise BadUsage(f"timeout must be more than 0 and at most {MAX_TIMEOUT_SECONDS:,} seconds")
    chosen["timeout"] = float(timeout)
    if chosen.get("weights") is not None:
        chosen["weights"] = _weights(chosen["weights"])
    counts = bool(chosen.get("sample") or chosen.get("per_option"))
    return _checked(Options(**chosen, count=counts))


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
