"""Outcomes of puzzles for tests, and brute-force completions of small grids."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from storage.values import Kind
from tests.sudoku import SYMBOLS, box_of
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search

SECOND = 1_000_000_000  #: nanoseconds
P1074 = (
    "7..9....11....59.....2...8...5.2...3......648413........7..2.9.2.1.6.8.4.8.5.4.12",
    "...7.24539....8...74...5.1.195.8.....7.....25.3.5791.8...6.1....6.9....1........6",
)


def every(texts: Sequence[str], options: Options, slice_seconds: float = 0.25) -> list[Outcome]:
    """The outcomes of puzzles of any kind, in the order of the texts."""
    return [
        outcome
        for kind, some in groupby(texts, kind_of)
        for few in search(kind, list(some), options, slice_seconds)
        for outcome in few.rows()
    ]


def kind_of(text: str) -> Kind:
    """The kind of a puzzle of the tests."""
    return Kind.COVER if text.startswith("{") else Kind.SUDOKU


def one(text: str, options: Options) -> Outcome:
    """The outcome of one text."""
    (outcome,) = every([text], options)
    return outcome


def longer(seconds: float) -> tuple[float, ...]:
    """A time limit, and longer ones to try next if other programs take the processors meanwhile."""
    return seconds, 4 * seconds, 16 * seconds, 64 * seconds


def keeps_its_limit(
    text: str, asked: Options, timeout: float = 0.1, stated: float | None = 0.6
) -> None:
    """Fail unless a search ends at most a second after its time limit.

    The time that it states must also be this share of what it took, unless that is None.
    """
    began = time.thread_time_ns()
    outcome = one(text, replace(asked, timeout=timeout))
    took = time.thread_time_ns() - began  # CPU time: other programs may use the machine
    assert outcome.detail is None or outcome.timed_out
    assert took < (timeout + 1) * SECOND
    assert stated is None or outcome.ns > stated * took - 0.05 * SECOND  # what `show` says


def completions(puzzle: str) -> Iterator[str]:
    """Every completion of a small grid, cell by cell."""
    if "." not in puzzle:
        yield puzzle
        return
    size = round(len(puzzle) ** 0.5)
    row, column = divmod(puzzle.index("."), size)
    seen = {
        puzzle[r * size + c]
        for r in range(size)
        for c in range(size)
        if r == row or c == column or box_of(size, r, c) == box_of(size, row, column)
    }
    for symbol in SYMBOLS[:size]:
        if symbol not in seen:
            yield from completions(puzzle.replace(".", symbol, 1))


def is_consistent(puzzle: str) -> bool:
    """No clue is twice in a row, column or box."""
    size = round(len(puzzle) ** 0.5)
    places = [
        (unit, symbol)
        for at, symbol in enumerate(puzzle)
        if symbol != "."
        for unit in (("r", at // size), ("c", at % size), ("b", box_of(size, *divmod(at, size))))
    ]
    return len(places) == len(set(places))


def weighed(solution: str, weights: Sequence[int]) -> int:
    """The sum of weight times value."""
    return sum(w * (SYMBOLS.index(s) + 1) for w, s in zip(weights, solution, strict=True))
