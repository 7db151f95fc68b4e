"""Answers as csv, jsonl or lines: streamed, one line each."""

import csv
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring
from typing import Any, TextIO

from cli.output.row import COLUMNS, AnswerRow

#: how JSON writes the values of a column, by their type
_JSON: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    float: float.__repr__,
    str: encode_basestring,
    type(None): lambda _: "null",
}
#: kinds of puzzles that have rows
GRIDS = frozenset({"sudoku", "target"})
_OBJECT = "{" + ", ".join(f'"{name}": %s' for name in COLUMNS) + "}\n"


def write_csv(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """All columns, with a header even where nothing follows; absent is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(answers)


def write_jsonl(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """An object a line with all columns; numbers are numbers, absent is null.

    In one go for each line: `json` takes three times as long, setting itself up for every object.
    """
    for answer in answers:
        out.write(_OBJECT % tuple([_JSON[type(value)](value) for value in answer]))


def write_grid(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """A comment that names the puzzle, then the rows of its grid, or what stands for a solution.

    Grids alone can be read again, as `rows`.
    """
    for answer in answers:
        name = f" {answer.label}" if answer.label else ""
        score = "" if answer.score is None else f" · score {answer.score}"
        out.write(f"# {answer.id}{name} · {answer.status}{score}\n")
        out.writelines(f"{row}\n" for row in _rows(answer))
        out.write("\n")


def _rows(answer: AnswerRow) -> list[str]:
    """Those of the solution, of the puzzle where there is none; a cover's are one line."""
    text = answer.solution or answer.puzzle
    if answer.kind not in GRIDS or answer.size is None:
        return [answer.solution or answer.status]
    return [text[at : at + answer.size] for at in range(0, len(text), answer.size)]


def write_lines(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """The solution alone; a puzzle without one gives its status."""
    for answer in answers:
        out.write(f"{answer.solution or answer.status}\n")
