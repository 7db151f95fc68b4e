"""Answers as lines or grids, written one by one."""

from collections.abc import Iterable
from typing import TextIO

from storage.values import AnswerRow

#: kinds of puzzles that are grids
_GRID_KINDS = frozenset({"sudoku", "target"})


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
