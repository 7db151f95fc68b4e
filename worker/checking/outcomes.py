"""What is wrong with the outcomes of a search: in its solutions, or in what is said about them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, count, islice, repeat
from math import isqrt
from operator import ne
from typing import Any, Protocol

from storage.values import Kind
from worker.checking import covers, grids
from worker.options import Options

#: the text of a solution, and its score, if it has one
Kept = covers.Kept


class Claims(Protocol):
    """The outcomes of many puzzles, as `worker.outcome.Outcomes` defines them."""

    @property
    def solutions(self) -> Sequence[int | None]:
        """The numbers of solutions found."""

    @property
    def complete(self) -> Sequence[bool]:
        """Whether each search was exhaustive."""

    @property
    def timed_out(self) -> Sequence[bool]:
        """Whether each search ended at its time limit."""

    @property
    def texts(self) -> Sequence[tuple[str, ...]]:
        """The solutions that are kept."""

    @property
    def scores(self) -> Sequence[tuple[int | None, ...]]:
        """Their scores; empty without a target."""

    @property
    def bound(self) -> Sequence[int | None]:
        """The upper bounds on the scores."""

    @property
    def rest(self) -> Sequence[Any]:
        """What is left of each search that has not ended."""


def faults(kind: Kind, puzzles: Sequence[str], options: Options, found: Claims) -> dict[int, str]:
    """Return what is wrong with the outcomes of puzzles of one kind, by index.

    Solutions are checked against the puzzle, scores recomputed, and the number of solutions, the
    order of the scores and the bound compared with what is kept.
    """
    wrong = dict(_contradictions(options, found))
    if kind is Kind.COVER:
        for k, puzzle in enumerate(puzzles):
            kept = list(zip(found.texts[k], found.scores[k] or repeat(None), strict=False))
            if why := fault(kind, puzzle, options, kept):
                wrong[k] = why
        return wrong
    places = [k for k, texts in enumerate(found.texts) for _ in texts]
    given = [puzzles[k] for k in places]
    texts, scores = list(chain.from_iterable(found.texts)), list(chain.from_iterable(found.scores))
    return wrong | {places[i]: why for i, why in _wrong_grids(options, given, texts, scores)}


def fault(kind: Kind, puzzle: str, options: Options, kept: Sequence[Kept]) -> str | None:
    """Return what is wrong with solutions of one puzzle; None if nothing is."""
    if not kept:
        return None
    if kind is Kind.COVER:
        return covers.fault(puzzle, kept, set_cover=options.set_cover)
    texts = [text for text, _ in kept]
    scores = [score for _, score in kept if score is not None]
    wrong = _wrong_grids(options, [puzzle] * len(kept), texts, scores)
    return next((why for _, why in wrong), None)


def _wrong_grids(
    options: Options, puzzles: Sequence[str], texts: Sequence[str], scores: Sequence[int | None]
) -> Iterator[tuple[int, str]]:
    """Yield the indexes of grids that are wrong, or have a wrong score, with the reason.

    `scores` is empty without a target.
    """
    sizes = {*map(len, puzzles), *map(len, texts)}
    suspects: Iterable[int] = range(len(texts))
    if len(sizes) == 1:  # grids of several sizes are checked one by one
        right = grids.scores(texts, _weights(options, len(texts[0]))) if scores else ()
        differ = map(ne, scores, right)
        suspects = sorted({*grids.wrong(puzzles, texts), *compress(count(), differ)})
    for i in suspects:
        if why := _grid_fault(options, puzzles[i], texts[i], next(iter(scores[i : i + 1]), None)):
            yield i, f"{texts[i]}: {why}"


def _grid_fault(options: Options, puzzle: str, text: str, score: int | None) -> str | None:
    if why := grids.fault(puzzle, text):
        return why
    expected = score
    if score is not None:
        (expected,) = grids.scores([text], _weights(options, len(text)))
    return None if score == expected else f"its score is {score} instead of {expected}"


def _weights(options: Options, cells: int) -> Sequence[int]:
    return options.weights or grids.ring_weights(isqrt(cells))


def _contradictions(options: Options, found: Claims) -> Iterator[tuple[int, str]]:
    """Yield outcomes whose numbers, scores or bound contradict each other, with the reason."""
    kept = list(map(len, found.texts))
    columns = (found.solutions, found.complete, found.timed_out, kept)
    # Where all columns are constant, as usual, the first row stands for all.
    rows = zip(*columns, strict=True)
    is_constant = all(len(set(column)) == 1 for column in columns)
    alike = set(islice(rows, 1) if is_constant else rows)
    bad = {one: why for one in alike if (why := _contradiction(options, *one))}
    for k, one in enumerate(zip(*columns, strict=True)) if bad else ():
        if one in bad and not found.rest[k]:
            yield k, bad[one]
    # A single score that equals the bound is right, as usual.
    usual = zip(found.bound) if any(found.scores) else found.scores
    for k in compress(count(), map(ne, found.scores, usual)):
        if why := _wrong_order(found.scores[k], found.complete[k], found.bound[k]):
            yield k, why
    for k, texts in enumerate(found.texts) if max(kept, default=0) > 1 else ():
        if len(set(texts)) < len(texts) and not options.sample:
            yield k, "a solution is kept twice"


def _contradiction(
    options: Options, solutions: int | None, complete: bool, timed_out: bool, kept: int
) -> str | None:
    """Return what is wrong with the number of solutions; None if nothing is."""
    if kept > max(options.keep, options.sample):
        return f"{kept} solutions are kept"
    if complete and timed_out:
        return "its search is complete and timed out"
    return None if solutions is None else _wrong_number(options, solutions, complete, kept)


def _wrong_number(options: Options, solutions: int, complete: bool, kept: int) -> str | None:
    """Return why the number of solutions cannot be right; None if it can."""
    if solutions < kept and not options.sample:
        return f"{kept} solutions are kept, {solutions} were found"
    if complete and solutions > 0 and not kept:
        return f"{solutions} solutions were found, none is kept"
    if options.limit and solutions > options.limit and not (options.target or options.set_cover):
        return f"{solutions} solutions were found, the limit is {options.limit}"
    return None


def _wrong_order(scores: Sequence[int | None], complete: bool, bound: int | None) -> str | None:
    """Return what is wrong with the scores of kept solutions; None if nothing is."""
    known = [score for score in scores if score is not None]
    if known != sorted(known, reverse=True):
        return "a worse solution is kept before a better one"
    if known and bound is not None and (bound < known[0] or (complete and bound != known[0])):
        return f"its best score is {known[0]}, its bound {bound}"
    return None
