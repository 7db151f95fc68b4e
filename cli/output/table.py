"""Answers as a table for people: the columns that say something, in the width there is."""

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from typing import NamedTuple, TextIO

import click

from cli.formatting import WIDTH, milliseconds, shorten
from cli.output.destination import is_terminal
from cli.output.row import AnswerRow

#: answers looked at before the first is written, to find the columns and their widths
LOOK_AHEAD = 500
#: the least columns that a solution is worth
SOLUTION = 9


class Column(NamedTuple):
    """A column of the table."""

    title: str
    side: str  #: `>` or `<`
    of: Callable[[AnswerRow], str]
    most: int = 10  #: columns of the terminal it may take


def _solutions(answer: AnswerRow) -> str:
    """How many; `+` where there may be more."""
    if answer.solutions is None:
        return ""
    return f"{answer.solutions:,}" + ("" if answer.complete else "+")


def _score(answer: AnswerRow) -> str:
    """The score; where a better one may exist, also what none exceeds."""
    if answer.score is None:
        return ""
    if answer.complete or answer.bound is None:
        return str(answer.score)
    return f"{answer.score}≤{answer.bound}"


def _plain(name: str) -> Callable[[AnswerRow], str]:
    def of(answer: AnswerRow) -> str:
        value = getattr(answer, name)
        return "" if value is None else str(value)

    return of


COLUMNS = (
    Column("id", ">", _plain("id"), 19),
    Column("batch", ">", _plain("batch"), 19),
    Column("label", "<", _plain("label"), 16),
    Column("size", ">", _plain("size")),
    Column("clues", ">", _plain("clues")),
    Column("status", "<", _plain("status")),
    Column("solutions", ">", _solutions, 12),
    Column("score", ">", _score, 12),
    Column("ms", ">", lambda answer: milliseconds(answer.ms)),
)
#: left out where all answers say the same
_DULL = {"batch", "size"}


def write_table(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """A header and a line for each answer; nothing at all where there are no answers."""
    answers = iter(answers)
    first = list(islice(answers, LOOK_AHEAD))
    if not first:
        return
    layout = [(column, _width(column, first)) for column in COLUMNS if _tells(column, first)]
    room = _screen_width() - sum(width + 2 for _, width in layout)
    header = [f"{column.title:{column.side}{width}}" for column, width in layout]
    out.write(_bold(_line(header, "solution", room), out) + "\n")
    for answer in chain(first, answers):
        cells = [
            f"{shorten(column.of(answer), width):{column.side}{width}}" for column, width in layout
        ]
        out.write(_line(cells, answer.solution or answer.detail or "", room) + "\n")


def _tells(column: Column, answers: Sequence[AnswerRow]) -> bool:
    """Whether a column says anything that is not the same for all."""
    values = {column.of(answer) for answer in answers}
    return len(values) > 1 if column.title in _DULL else values != {""}


def _width(column: Column, answers: Sequence[AnswerRow]) -> int:
    widest = max(len(column.of(answer)) for answer in answers)
    return max(len(column.title), min(widest, column.most))


def _line(cells: Sequence[str], last: str, room: int) -> str:
    """The cells, and as much of the last one as fits."""
    more = [shorten(last, room)] if room >= SOLUTION else []
    return "  ".join([*cells, *more]).rstrip()


def _screen_width() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns


def _bold(line: str, out: TextIO) -> str:
    coloured = is_terminal(out) and not os.environ.get("NO_COLOR")
    return click.style(line, bold=True) if coloured else line
