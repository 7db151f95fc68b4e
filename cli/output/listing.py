"""Rows of any columns as a table for people, fitted to the terminal's width."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, islice
from typing import Any, TextIO

from rich.cells import cell_len

from cli.formatting import pad, shorten
from cli.output.rows import Row
from cli.output.table import GAP, LOOK_AHEAD_ROWS
from cli.streams import is_terminal, page, terminal_columns

#: terminal columns to which a wide column may shrink
MIN_WIDTH = 8
#: letters of the rows by which columns are laid out, from which no further ones are read
LOOK_AHEAD_LETTERS = 1 << 20
#: types whose values are aligned to the right
NUMBERS = (int, float, Decimal)


def write_listing(rows: Iterable[Row], out: TextIO, columns: Sequence[str]) -> None:
    """Write a header and a line for each row; nothing if there are none.

    On a terminal, the widest columns are cut to fit, and a long table goes through a pager.
    """
    on_terminal = is_terminal(out)
    lines = table_lines(rows, columns, terminal_columns(out) if on_terminal else None)
    if on_terminal:
        page(lines)
    else:
        out.writelines(lines)


def table_lines(
    rows: Iterable[Row], columns: Sequence[str], room: int | None = None
) -> Iterator[str]:
    """Yield the lines of a table that is at most `room` wide; without `room`, no cell is cut."""
    rows = iter(rows)
    first = list(_ahead(rows))
    if not first:
        return
    sides = [_side(column) for column in zip(*first, strict=True)]
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
