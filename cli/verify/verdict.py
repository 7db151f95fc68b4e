"""What a given solution is, beside what was found."""

import json
from enum import StrEnum
from typing import Any

from cli.output.row import AnswerRow
from worker.options import Options


class Verdict(StrEnum):
    """The kinds."""

    AGREES = "agrees"
    OTHER = "other"  #: another valid one: the puzzle has several
    WRONG = "wrong"
    UNKNOWN = "unknown"  #: nothing was found in time


def judged(answer: AnswerRow, given: str, options: Options) -> tuple[Verdict, str]:
    """What a given solution is worth, and why it is wrong."""
    if given in {answer.solution, _in_order(answer)}:
        return Verdict.AGREES, ""
    if answer.status in {"timeout", "failed", "invalid"}:
        return Verdict.UNKNOWN, ""
    fault_in = _cover_fault if answer.kind == "cover" else _grid_fault
    if fault := fault_in(answer.puzzle, given):
        none = "the puzzle has no solution; in the one given, "
        return Verdict.WRONG, (none if answer.status == "none" else "") + fault
    if answer.status == "none" or (answer.solutions == 1 and answer.complete):
        return Verdict.WRONG, "it is valid, but was not found: please report this"
    if options.target and answer.score is not None:
        score = _score(given, options) if answer.kind != "cover" else -_cost(answer.puzzle, given)
        if score != answer.score:
            return Verdict.WRONG, f"it scores {score}, the best {answer.score}"
    return Verdict.OTHER, ""


def _in_order(answer: AnswerRow) -> str | None:
    """The options that were found for a cover, as files give them: in their order."""
    if answer.kind != "cover" or answer.solution is None:
        return None
    return " ".join(map(str, sorted(map(int, answer.solution.split()))))


def _cover_fault(puzzle: str, given: str) -> str:
    """What keeps these options from being an exact cover; empty if nothing does."""
    told = json.loads(puzzle)
    options, items = told["options"], told["items"]
    names = told.get("names") or [str(item) for item in range(1, items + told["secondary"] + 1)]
    covered: set[int] = set()
    for number in map(int, given.split()):
        if not 1 <= number <= len(options):
            return f"there is no option {number}"
        for item in options[number - 1]:
            if item in covered:
                return f"item {names[item - 1]} is covered twice"
            covered.add(item)
    bare = next((item for item in range(1, items + 1) if item not in covered), None)
    return "" if bare is None else f"item {names[bare - 1]} is not covered"


def _grid_fault(puzzle: str, grid: str) -> str:
    """The first rule that a whole grid breaks as a solution of a puzzle; empty if none."""
    side = round(len(grid) ** 0.5)
    box = round(side**0.5)
    changed = (at for at, clue in enumerate(puzzle) if clue not in {".", grid[at]})
    if (at := next(changed, None)) is not None:
        return f"row {at // side + 1}, column {at % side + 1} is {grid[at]}, the clue {puzzle[at]}"
    places: dict[tuple[str, int, str], int] = {}
    for at, symbol in enumerate(grid):
        row, column = divmod(at, side)
        units = ("row", row), ("column", column), ("box", row // box * box + column // box)
        for name, number in units:
            if places.setdefault((name, number, symbol), at) != at:
                return f"{name} {number + 1} has {symbol} twice"
    return ""


def _score(grid: str, options: Options) -> int:
    from worker.sudoku.symbols import VALUES
    from worker.sudoku.target import rings

    weights: Any = options.weights or rings(round(len(grid) ** 0.5)).tolist()
    return sum(
        weight * (VALUES.index(symbol) + 1) for weight, symbol in zip(weights, grid, strict=True)
    )


def _cost(puzzle: str, given: str) -> int:
    """What the options of a cover cost."""
    costs = json.loads(puzzle)["costs"]
    return sum(costs[int(number) - 1] for number in given.split())
