"""Compares a solution from an input file with the answer that was found."""

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from cli.output.row import AnswerRow
from worker.options import Options
from worker.sudoku.symbols import BOXES, VALUES
from worker.sudoku.weights import ring_weights


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
        fault = _grid_fault(answer.puzzle, given)
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


def _cover_fault(puzzle: str, given: str, wanted: Options) -> str:
    """Return why these options are no cover as it is wanted; empty if they are one."""
    problem = json.loads(puzzle)
    options, items = problem["options"], problem["items"]
    overlapping = wanted.set_cover or problem.get("set_cover", False)
    names = problem.get("names") or range(1, items + problem["secondary"] + 1)
    covered: set[int] = set()
    for number in map(int, given.split()):
        if not 1 <= number <= len(options):
            return f"there is no option {number}"
        for item in options[number - 1]:
            if item in covered and not (overlapping and item <= items):
                return f"item {names[item - 1]} is covered twice"
            covered.add(item)
    missing = next((item for item in range(1, items + 1) if item not in covered), None)
    if missing is not None:
        return f"item {names[missing - 1]} is not covered"
    cost, most = _cost(problem, given), wanted.at_most
    return f"it costs {cost}, more than {most}" if most is not None and cost > most else ""


def _cost(problem: dict[str, Any], given: str) -> int:
    """Return what options cost together; without costs, every option costs 1."""
    costs: Sequence[int] = problem.get("costs") or [1] * len(problem["options"])
    return sum(costs[int(number) - 1] for number in given.split())


def _grid_fault(puzzle: str, grid: str) -> str:
    """Return the first rule that a full grid breaks as a solution of a puzzle, or empty."""
    size = round(len(grid) ** 0.5)
    changed = (cell for cell, clue in enumerate(puzzle) if clue not in {".", grid[cell]})
    if (cell := next(changed, None)) is not None:
        place = f"row {cell // size + 1}, column {cell % size + 1}"
        return f"{place} is {grid[cell]}, but the clue is {puzzle[cell]}"
    return _repetition(grid, size)


def _repetition(grid: str, size: int) -> str:
    height, width = BOXES[size]
    first: dict[tuple[str, int, str], int] = {}
    for cell, symbol in enumerate(grid):
        row, column = divmod(cell, size)
        box = row // height * height + column // width
        units = ("row", row), ("column", column), ("box", box)
        for name, number in units:
            if first.setdefault((name, number, symbol), cell) != cell:
                return f"{name} {number + 1} has {symbol} twice"
    return ""


def _score(answer: AnswerRow, given: str, options: Options, values: str) -> int:
    if answer.kind == "cover":
        return -_cost(json.loads(answer.puzzle), given)
    weights: Sequence[int] = options.weights or ring_weights(round(len(given) ** 0.5))
    numbers = (values.index(symbol) + 1 for symbol in given)
    return sum(weight * number for weight, number in zip(weights, numbers, strict=True))
