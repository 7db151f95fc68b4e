"""Answers, or rows of any columns, as a table for people, fitted to the terminal's width."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, islice
from typing import Any, NamedTuple, TextIO

import click
from rich.cells import cell_len

from cli.formatting import milliseconds, pad, shorten
from cli.output.rows import Row
from cli.streams import Colour, coloured, has_colour, is_terminal, page, terminal_columns
from storage.view import AnswerRow

#: answers that are read before the first is written, to choose columns and their widths
LOOK_AHEAD_ROWS = 500
#: terminal columns between two columns of the table
GAP = 2
#: terminal columns of a long label if a solution or a detail needs the rest of the line
MIN_LABEL_COLUMNS = 16
#: terminal columns below which the detail is left out
MIN_DETAIL_COLUMNS = 9
#: digits by which ids may grow if there are more answers than were read
ID_GROWTH = 3
#: width of a table that is not shown on a terminal
UNLIMITED = 1 << 20
#: terminal columns to which a wide column may shrink
MIN_WIDTH = 8
#: letters of the rows by which columns are laid out, from which no further ones are read
LOOK_AHEAD_LETTERS = 1 << 20
#: types whose values are aligned to the right
NUMBERS = (int, float, Decimal)
#: the statuses that stand out
STATUS_COLOURS = {
    "none": Colour.BLUE,
    "timeout": Colour.ORANGE,
    "invalid": Colour.RED,
    "failed": Colour.RED,
}


class Column(NamedTuple):
    """A column of the table."""

    title: str
    side: str  #: `<` or `>`
    written: Callable[[AnswerRow], str] | None = None  #: None: the column of that name, as it is
    cut: bool = False  #: whether a long text is cut; otherwise it shortens the next such column

    def text(self, answer: AnswerRow) -> str:
        """Return the cell of an answer."""
        if self.written is not None:
            return self.written(answer)
        value = answer.value(self.title)
        return "" if value is None else str(value)


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


ID = Column("id", ">")
LABEL = Column("label", "<", cut=True)
STATUS = Column("status", "<")
TABLE_COLUMNS = (
    ID,
    Column("batch", ">"),
    LABEL,
    Column("size", ">"),
    Column("clues", ">"),
    STATUS,
    Column("solutions", ">", _solutions),
    Column("score", ">", _score),
    Column("ms", ">", lambda answer: milliseconds(answer.ms)),
)
#: the last column if every solution fits, and if one does not
SOLUTION = Column("solution", "<", lambda answer: answer.solution or answer.detail or "", cut=True)
DETAIL = Column("detail", "<", cut=True)
#: columns left out if all answers have the same value
_LEFT_OUT_IF_EQUAL = {"batch", "size"}

#: the columns of a table with their widths in terminal columns
ColumnWidths = Sequence[tuple[Column, int]]


def write_table(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write a table of answers, which fits the width of a terminal; nothing if there are none."""
    columns = terminal_columns(out) if is_terminal(out) else UNLIMITED
    _write(table_lines(answers, columns, in_colour=has_colour(out)), out)


def write_listing(rows: Iterable[Row], out: TextIO, columns: Sequence[str]) -> None:
    """Write a table of any rows; on a terminal, the widest columns are cut to fit."""
    _write(listing_lines(rows, columns, terminal_columns(out) if is_terminal(out) else None), out)


def _write(lines: Iterable[str], out: TextIO) -> None:
    if is_terminal(out):
        page(lines)
    else:
        out.writelines(lines)


def table_lines(
    answers: Iterable[AnswerRow], columns: int, *, in_colour: bool = False
) -> Iterator[str]:
    """Yield the lines of a table that is at most `columns` wide."""
    answers = iter(answers)
    first = list(islice(answers, LOOK_AHEAD_ROWS))
    if not first:
        return
    layout = choose_layout(first, columns)
    header = _line(layout, [column.title for column, _ in layout])
    yield (click.style(header, bold=True) if in_colour else header) + "\n"
    for answer in chain(first, answers):
        colour = STATUS_COLOURS.get(answer.status) if in_colour else None
        yield _line(layout, [column.text(answer) for column, _ in layout], colour) + "\n"


def choose_layout(first: Sequence[AnswerRow], columns: int) -> ColumnWidths:
    """Return the columns that have information in the first answers.

    Labels get the room that the other columns leave.  Solutions are shown whole or not at all.
    """
    widths = {column: _width(column, first) for column in TABLE_COLUMNS if _shown(column, first)}
    if len(first) == LOOK_AHEAD_ROWS:
        widths[ID] += ID_GROWTH
    label = widths.get(LABEL, 0)
    room = columns - sum(width + GAP for column, width in widths.items() if column is not LABEL)
    last, needed = _last_column(first, room - _with_gap(min(label, MIN_LABEL_COLUMNS)))
    if label:
        widths[LABEL] = max(len(LABEL.title), min(label, room - _with_gap(needed)))
        room -= _with_gap(widths[LABEL])
    return [*widths.items(), *([(last, room)] if needed else [])]


def _last_column(first: Sequence[AnswerRow], room: int) -> tuple[Column, int]:
    """Return the column of the solutions if they fit, else of the details; and its width, or 0."""
    solution = max(cell_len(answer.solution or "") for answer in first)
    if 0 < solution <= room:
        return SOLUTION, max(solution, len(SOLUTION.title))
    if room < MIN_DETAIL_COLUMNS or not _shown(DETAIL, first):
        return DETAIL, 0
    return DETAIL, min(_width(DETAIL, first), room)


def _with_gap(width: int) -> int:
    """Return the width of a column with a gap; 0 for a column that is left out."""
    return width + GAP if width else 0


def _shown(column: Column, answers: Sequence[AnswerRow]) -> bool:
    values = {column.text(answer) for answer in answers} - {""}
    return len(values) > (1 if column.title in _LEFT_OUT_IF_EQUAL else 0)


def _width(column: Column, answers: Sequence[AnswerRow]) -> int:
    return max(cell_len(text) for text in (column.title, *map(column.text, answers)))


def _line(layout: ColumnWidths, texts: Sequence[str], colour: Colour | None = None) -> str:
    """Return the texts side by side, with the status in a colour."""
    excess = sum(
        max(0, cell_len(text) - width)
        for (column, width), text in zip(layout, texts, strict=True)
        if not column.cut
    )
    cells = []
    for (column, width), text in zip(layout, texts, strict=True):
        if column.cut:
            short = shorten(text, width - excess)
            cell = pad(short, column.side, width - excess) if column is LABEL else short
            excess = 0
        else:
            cell = pad(text, column.side, width)
        if column is STATUS:
            cell = coloured(text, colour) + cell[len(text) :]
        cells.append(cell)
    return (" " * GAP).join(cells).rstrip()


# --- rows of any columns ---


def listing_lines(
    rows: Iterable[Row], columns: Sequence[str], room: int | None = None
) -> Iterator[str]:
    """Yield the lines of a table that is at most `room` wide; without `room`, no cell is cut."""
    rows = iter(rows)
    first = list(_ahead(rows))
    sides = [_side([row[place] for row in first]) for place in range(len(columns))]
    texts = [columns, *(list(map(_text, row)) for row in first)]
    widths = [max(map(cell_len, column)) for column in zip(*texts, strict=True)]
    if room is not None:
        widths = fitted(widths, room)
    for cells in chain(texts, (list(map(_text, row)) for row in rows)):
        cut = cells if room is None else map(_cut, cells, sides, widths)
        yield (" " * GAP).join(map(pad, cut, sides, widths)).rstrip() + "\n"


def _ahead(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows by which columns are laid out; few if they are large."""
    letters = 0
    for row in islice(rows, LOOK_AHEAD_ROWS):
        yield row
        letters += sum(len(value) for value in row if isinstance(value, str | bytes))
        if letters > LOOK_AHEAD_LETTERS:
            return


def _cut(text: str, side: str, width: int) -> str:
    """Return the text cut to the width; a number, which stands at the right side, is not cut."""
    return text if side == ">" else shorten(text, width)


def fitted(widths: Sequence[int], room: int) -> list[int]:
    """Return widths that fit into `room` with their gaps: the widest columns lose most.

    >>> fitted([2, 81, 81], 80)
    [2, 37, 37]
    """
    found = list(widths)
    excess = sum(found) + GAP * (len(found) - 1) - room
    while excess > 0 and max(found) > MIN_WIDTH:
        found[found.index(max(found))] -= 1
        excess -= 1
    return found


def _side(values: Sequence[Any]) -> str:
    """Return `>` for numbers, `<` for text."""
    known = [value for value in values if value is not None]
    return ">" if known and all(isinstance(value, NUMBERS) for value in known) else "<"


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else " ".join(str(value).split())
