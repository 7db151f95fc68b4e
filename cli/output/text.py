"""Answers as csv, jsonl, lines or grids, written one by one."""

import csv
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring
from typing import Any, TextIO

from cli.output.row import COLUMNS, AnswerRow

#: how a value is written as JSON, by its type
_JSON: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    float: float.__repr__,
    str: encode_basestring,
    type(None): lambda _: "null",
}
#: a line of jsonl, with a place for each column
_OBJECT = "{" + ", ".join(f'"{name}": %s' for name in COLUMNS) + "}\n"
#: kinds of puzzles that are grids
_GRID_KINDS = frozenset({"sudoku", "target"})


def write_csv(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write a header and all columns; null is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(answers)


def write_jsonl(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write a JSON object with all columns per line.

    A format string takes a third of the time of `json.dumps` for each row.
    """
    for answer in answers:
        out.write(_OBJECT % tuple([_JSON[type(value)](value) for value in answer]))


def write_grid(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write a comment with id, label, status and score, then the grid's rows, for each answer.

    Without a solution the puzzle is written.  Grids can be read again as format `rows`; a cover
    is one line.
    """
    for answer in answers:
        label = f" {answer.label}" if answer.label else ""
        score = "" if answer.score is None else f" · score {answer.score}"
        out.write(f"# {answer.id}{label} · {answer.status}{score}\n")
        out.writelines(f"{row}\n" for row in _rows(answer))
        out.write("\n")


def _rows(answer: AnswerRow) -> list[str]:
    text = answer.solution or answer.puzzle
    if answer.kind not in _GRID_KINDS or answer.size is None:
        return [answer.solution or answer.status]
    return [text[at : at + answer.size] for at in range(0, len(text), answer.size)]


def write_lines(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write the solution of each answer as a line; without a solution, the status."""
    for answer in answers:
        out.write(f"{answer.solution or answer.status}\n")
