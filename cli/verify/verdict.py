"""Compares a solution from an input file with the answer that was found."""

import json
from collections.abc import Sequence
from enum import StrEnum
from math import isqrt

from storage.values import AnswerRow
from worker.checking import covers
from worker.options import Options
from worker.sudoku.symbols import VALUES, ring_weights


class Verdict(StrEnum):
    """The kinds of verdict, in the order in which they are reported."""

    AGREES = "agrees"  #: it is the solution that was found
    OTHER = "other"  #: another valid solution of a puzzle with several
    WRONG = "wrong"
    UNKNOWN = "unknown"  #: no answer to compare with: timeout, failed or invalid


def judge_solution(
    answer: AnswerRow, given: str, options: Options, values: str = VALUES
) -> tuple[Verdict, str]:
    """Return the verdict on a given solution, and why it is wrong (else an empty string).

    `values` are the symbols of 1, 2, ... in grids.
    """
    if given in {answer.solution, _sorted_options(answer)}:
        return Verdict.AGREES, ""
    if answer.status in {"timeout", "failed", "invalid"}:
        return Verdict.UNKNOWN, ""
    if answer.kind == "cover":
        fault = _cover_fault(answer.puzzle, given, options)
    else:
        from worker.checking.grids import fault as grid_fault  # imports NumPy

        fault = grid_fault(answer.puzzle, given, values)
    if fault:
        unsolvable = "the puzzle has no solution; in the given one, "
        return Verdict.WRONG, (unsolvable if answer.status == "none" else "") + fault
    if answer.status == "none" or (answer.solutions == 1 and answer.complete):
        return Verdict.WRONG, "it is valid, but was not found: please report this as a bug"
    if answer.score is not None:
        score = _score(answer, given, options, values)
        if score != answer.score:
            return Verdict.WRONG, f"its score is {score}, the best is {answer.score}"
    return Verdict.OTHER, ""


def _sorted_options(answer: AnswerRow) -> str | None:
    """Return the option numbers of a cover's solution in ascending order, as files give them."""
    if answer.kind != "cover" or answer.solution is None:
        return None
    return " ".join(map(str, sorted(map(int, answer.solution.split()))))


def _cover_fault(puzzle: str, given: str, wanted: Options) -> str | None:
    """Return why these options are no cover as it is wanted; None if they are one."""
    problem, numbers = json.loads(puzzle), list(map(int, given.split()))
    if fault := covers.cover_fault(problem, numbers, set_cover=wanted.set_cover):
        return fault
    if wanted.at_most is None or "distances" in problem:  # its own `at_most` counts options
        return None
    cost = -covers.score_of(problem, numbers, set_cover=wanted.set_cover)
    return f"it costs {cost}, more than {wanted.at_most}" if cost > wanted.at_most else None


def _score(answer: AnswerRow, given: str, options: Options, values: str) -> int:
    if answer.kind == "cover":
        numbers = list(map(int, given.split()))
        return covers.score_of(json.loads(answer.puzzle), numbers, set_cover=options.set_cover)
    weights: Sequence[int] = options.weights or ring_weights(isqrt(len(given)))
    digits = (values.index(symbol) + 1 for symbol in given)
    return sum(weight * digit for weight, digit in zip(weights, digits, strict=True))
