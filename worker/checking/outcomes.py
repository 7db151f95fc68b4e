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


class Columns(Protocol):
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


def faults(kind: Kind, puzzles: Sequence[str], options: Options, found: Columns) -> dict[int, str]:
    """Return what is wrong with the outcomes of puzzles of one kind, by index.

    Solutions are checked against the puzzle, scores recomputed, and the number of solutions, the
    order of the scores and the bound compared with what is kept.
    """
    wrong = dict(_contradictions(options, found))
    suspects = range(len(puzzles)) if kind is Kind.COVER else _suspects(puzzles, options, found)
    for k in suspects:
        if why := fault(kind, puzzles[k], options, _kept(found, k)):
            wrong[k] = why
    return wrong


def fault(kind: Kind, puzzle: str, options: Options, kept: Sequence[Kept]) -> str | None:
    """Return what is wrong with solutions of one puzzle; None if nothing is."""
    if not kept:
        return None
    if kind is Kind.COVER:
        return covers.fault(puzzle, kept, set_cover=options.set_cover)
    for text, score in kept:
        if why := grids.fault(puzzle, text):
            return f"{text}: {why}"
        if score is not None:
            (expected,) = grids.scores([text], _weights(options, len(puzzle)))
            if score != expected:
                return f"{text}: its score is {score} instead of {expected}"
    return None


def _kept(found: Columns, k: int) -> list[Kept]:
    return list(zip(found.texts[k], found.scores[k] or repeat(None), strict=False))


def _weights(options: Options, cells: int) -> Sequence[int]:
    return options.weights or grids.ring_weights(isqrt(cells))


def _suspects(puzzles: Sequence[str], options: Options, found: Columns) -> Iterable[int]:
    """Return the indexes of grids that may have a wrong solution or score."""
    texts = list(chain.from_iterable(found.texts))
    places: Sequence[int] = range(len(puzzles))
    given = puzzles
    if set(map(len, found.texts)) != {1}:
        places = [k for k, some in enumerate(found.texts) for _ in some]
        given = [puzzles[k] for k in places]
    sizes = {*map(len, given), *map(len, texts)}
    if len(sizes) != 1:  # none, or of several sizes: these are checked one by one
        return places
    wrong = set(grids.wrong(given, texts))
    if any(found.scores):
        scores = grids.scores(texts, _weights(options, sizes.pop()))
        differ = map(ne, chain.from_iterable(found.scores), scores)
        wrong |= set(compress(range(len(texts)), differ))
    return {places[i] for i in wrong}


def _contradictions(options: Options, found: Columns) -> Iterator[tuple[int, str]]:
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
