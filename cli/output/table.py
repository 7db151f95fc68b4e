"""Answers as a table for people: the columns with information, cut to the terminal's width."""

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from typing import NamedTuple, TextIO

import click

from cli.formatting import milliseconds, shorten
from cli.output.row import AnswerRow
from cli.terminal import DEFAULT_COLUMNS, is_terminal

#: answers that are read before the first is written, to choose columns and their widths
LOOK_AHEAD_ROWS = 500
#: the solution is left out if fewer terminal columns are left for it
MIN_SOLUTION_COLUMNS = 9


class Column(NamedTuple):
    """A column of the table."""

    title: str
    side: str  #: `<` or `>`
    text: Callable[[AnswerRow], str]
    max_width: int = 10  #: in terminal columns


def _solutions(answer: AnswerRow) -> str:
    """Return the number of solutions, followed by `+` if there may be more."""
    if answer.solutions is None:
        return ""
    return f"{answer.solutions:,}" + ("" if answer.complete else "+")


def _score(answer: AnswerRow) -> str:
    """Return the score, followed by the upper bound if it is not proven optimal."""
    if answer.score is None:
        return ""
    if answer.complete or answer.bound is None:
        return str(answer.score)
    return f"{answer.score}≤{answer.bound}"


def _value(name: str) -> Callable[[AnswerRow], str]:
    def text(answer: AnswerRow) -> str:
        value = getattr(answer, name)
        return "" if value is None else str(value)

    return text


TABLE_COLUMNS = (
    Column("id", ">", _value("id"), 19),
    Column("batch", ">", _value("batch"), 19),
    Column("label", "<", _value("label"), 16),
    Column("size", ">", _value("size")),
    Column("clues", ">", _value("clues")),
    Column("status", "<", _value("status")),
    Column("solutions", ">", _solutions, 12),
    Column("score", ">", _score, 12),
    Column("ms", ">", lambda answer: milliseconds(answer.ms)),
)
#: columns left out if all answers have the same value
_LEFT_OUT_IF_EQUAL = {"batch", "size"}


def write_table(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write a header and a line for each answer; nothing if there are none."""
    answers = iter(answers)
    first = list(islice(answers, LOOK_AHEAD_ROWS))
    if not first:
        return
    layout = [(column, _width(column, first)) for column in TABLE_COLUMNS if _shown(column, first)]
    room = _terminal_columns() - sum(width + 2 for _, width in layout)
    titles = [f"{column.title:{column.side}{width}}" for column, width in layout]
    out.write(_bold(_line(titles, "solution", room), out) + "\n")
    for answer in chain(first, answers):
        cells = [
            f"{shorten(column.text(answer), width):{column.side}{width}}"
            for column, width in layout
        ]
        out.write(_line(cells, answer.solution or answer.detail or "", room) + "\n")


def _shown(column: Column, answers: Sequence[AnswerRow]) -> bool:
    values = {column.text(answer) for answer in answers}
    return len(values) > 1 if column.title in _LEFT_OUT_IF_EQUAL else values != {""}


def _width(column: Column, answers: Sequence[AnswerRow]) -> int:
    widest = max(len(column.text(answer)) for answer in answers)
    return max(len(column.title), min(widest, column.max_width))


def _line(cells: Sequence[str], solution: str, room: int) -> str:
    """Return the cells and as much of the solution as `room` columns hold."""
    last = [shorten(solution, room)] if room >= MIN_SOLUTION_COLUMNS else []
    return "  ".join([*cells, *last]).rstrip()


def _terminal_columns() -> int:
    return shutil.get_terminal_size((DEFAULT_COLUMNS, 24)).columns


def _bold(line: str, out: TextIO) -> str:
    coloured = is_terminal(out) and not os.environ.get("NO_COLOR")
    return click.style(line, bold=True) if coloured else line
