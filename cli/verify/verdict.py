"""Compares a solution from an input file with the answer that was found."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import chain, repeat
from math import inf
from typing import Any

from cli.formatting import count
from storage.values import AnswerRow
from worker.options import Options
from worker.sudoku.rings import ring_weights
from worker.sudoku.symbols import BOXES, VALUES


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
    numbers, options = list(map(int, given.split())), problem["options"]
    for number, uses in Counter(numbers).items():
        if not 1 <= number <= len(options):
            return f"there is no option {number}"
        if uses > 1:
            return f"option {number} occurs twice"
    if fault := _multiplicity_fault(problem, numbers, wanted):
        return fault
    cost, most = _cost(problem, given), wanted.at_most
    return f"it costs {cost}, more than {most}" if most is not None and cost > most else ""


def _multiplicity_fault(problem: dict[str, Any], numbers: list[int], wanted: Options) -> str:
    """Return which item is covered too often, or not often enough; empty if none is."""
    primary, times = problem["items"], _times(problem, numbers)
    names = problem.get("names") or range(1, primary + problem["secondary"] + 1)
    if wanted.set_cover or problem.get("set_cover", False):
        wanted_times: Iterable[tuple[int, float]] = repeat((1, inf), primary)
    else:
        wanted_times = problem.get("multiplicities") or repeat((1, 1), primary)
    primaries = zip(range(1, primary + 1), wanted_times, strict=True)
    secondaries = ((item, (0, 1)) for item in times if item > primary)
    for item, (least, greatest) in chain(primaries, secondaries):
        if not least <= times[item] <= greatest:
            return f"item {names[item - 1]} is {_count_fault(times[item], least, greatest)}"
    return ""


def _times(problem: dict[str, Any], numbers: list[int]) -> Counter[int]:
    """Return how often options cover each item; those that give it the same colour count once."""
    colours = problem.get("colours") or [[]] * len(problem["options"])
    covered: set[tuple[int, object]] = set()
    for number in numbers:
        colour_of = {item: (colour,) for item, colour in colours[number - 1]}
        covered.update(
            (item, colour_of.get(item, number)) for item in problem["options"][number - 1]
        )
    return Counter(item for item, _ in covered)


def _count_fault(times: int, least: int, greatest: float) -> str:
    """Say that an item is covered too often, or not often enough.

    >>> _count_fault(0, 1, 1), _count_fault(2, 1, 1), _count_fault(1, 2, 3)
    ('not covered', 'covered twice', 'covered 1 time, not 2 to 3')
    """
    if greatest == 1 and times > 1:
        return "covered twice"
    if times == 0 and least == 1:
        return "not covered"
    wanted = least if least == greatest else f"{least} to {greatest}"
    return f"covered {count(times, 'time')}, not {wanted}"


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
