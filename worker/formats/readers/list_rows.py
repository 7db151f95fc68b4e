"""Turns the rows of a list into grids, or into an exact cover as a matrix of 0 and 1."""

from collections.abc import Iterator, Sequence
from statistics import mode
from typing import Any, NamedTuple

from storage.values import Kind
from worker.covers.text import Cover, EncodedOptions
from worker.errors import PuzzleError
from worker.formats.entry import Entry
from worker.formats.errors import quantity, quoted
from worker.formats.layout import DOUBTFUL, EXPECTED_CELLS, INVALID, SymbolTable, is_doubtful
from worker.formats.readers.objects import Tables
from worker.sudoku.symbols import EMPTY, SIDES, SYMBOLS, VALUES

#: cells of the largest row of a grid; a longer list or text is a grid of its own
MAX_ROW = max(SIDES.values())
#: how a list is read in one of two ways
CHOOSE = 'choose by writing an object: {"puzzle": ...} or {"items": ..., "options": ...}'
#: digits of a cell in quotes, with zeros before them
MAX_SYMBOL_DIGITS = 9

_TABLE = SymbolTable("0" + VALUES, MAX_ROW)


class Row(NamedTuple):
    """A list or text of cells, in the symbols of stored grids."""

    line: int
    cells: str
    error: str | None = None
    empty: frozenset[str] = frozenset()  #: symbols of its empty cells
    items: tuple[int, ...] = ()  #: of a list of different whole numbers from 1


def row_of_text(line: int, text: str, tables: Tables) -> Row:
    """Return the cells of a text; spaces are empty cells if these make it a row or a grid.

    >>> row_of_text(1, "53  7    ", {}).cells, row_of_text(1, "53. .7. ...", {}).cells
    ('53..7....', '53..7....')
    """
    has_blanks = len(text) in SIDES or len(text) in SIDES.values()
    symbols = text.replace(" ", EMPTY if has_blanks else "")
    is_row = len(symbols) <= MAX_ROW
    table = _TABLE if is_row else tables.get(len(symbols), _TABLE)
    cells = symbols.translate(table)
    if INVALID in cells:
        return Row(line, cells, f"{quoted(text)} is not a row of cells")
    empty = {symbol for symbol in set(symbols) if table[ord(symbol)] == EMPTY}
    return Row(line, cells, empty=frozenset(empty))


def row_of_values(line: int, values: Sequence[Any]) -> Row:
    """Return the cells of a list of numbers, symbols and None."""
    row = _row_of_cells(line, values, [_symbol(value) for value in values])
    are_items = all(type(value) is int and value > 0 for value in values)
    return row._replace(items=tuple(values)) if are_items and _differ(values) else row


def _differ(values: Sequence[Any]) -> bool:
    return len(set(values)) == len(values)


def _row_of_cells(line: int, values: Sequence[Any], cells: list[str]) -> Row:
    if INVALID not in cells:
        empty = [value for value, cell in zip(values, cells, strict=True) if cell == EMPTY]
        symbols = ["0" if value in {0, "0", "00"} else EMPTY for value in empty]
        return Row(line, "".join(cells), empty=frozenset(symbols))
    other = values[cells.index(INVALID)]
    return Row(line, "".join(cells), f"{quoted(str(other))} is not a cell")


def puzzles_of(rows: Sequence[Row], label: str | None) -> Iterator[Entry]:
    """Yield the grids of which these are the rows, or the matrix; or one error."""
    if _are_options(rows):
        yield _cover([row.items for row in rows], rows[0].line, label)
        return
    try:
        width = _width(rows)
        if _is_matrix(rows, width):
            yield _matrix(rows, width, label)
            return
        height = _height(rows, width)
        for at in range(0, len(rows), height):
            yield _grid(rows[at : at + height], label)
    except PuzzleError as error:
        text = " / ".join(row.cells for row in rows[:MAX_ROW])
        yield Entry.wrong(rows[0].line, text, error, label)


def _are_options(rows: Sequence[Row]) -> bool:
    """Return whether rows are the options of an exact cover.

    They are not if they can be the candidates of each cell of a grid or of a row, or the rows of a
    grid of which some have a cell too many or too few.
    """
    sizes = [len(row.items) for row in rows]
    if not all(sizes) or len(set(sizes)) == 1:
        return False
    most = max(max(row.items) for row in rows)
    side = SIDES.get(len(rows), len(rows) if len(rows) in SIDES.values() else 0)
    return most > max(side, mode(sizes))


def _symbol(value: object) -> str:
    """Return the symbol of a cell, or INVALID.

    >>> [_symbol(value) for value in (7, 0, None, "", "8", "12", 16, True, 99)]
    ['7', '.', '.', '.', '8', 'C', 'G', '!', '!']
    """
    if value is None or value in {"", " "}:
        return EMPTY
    if isinstance(value, str):
        if not value.isdecimal() or len(value) > MAX_SYMBOL_DIGITS:
            return value.translate(_TABLE) if len(value) == 1 else INVALID
        value = int(value)
    is_value = type(value) is int and 0 <= value <= MAX_ROW
    return SYMBOLS[value] if is_value else INVALID  # type: ignore[index] # it is an int


def _width(rows: Sequence[Row]) -> int:
    """Return the number of cells of all rows; raise PuzzleError if one is invalid or differs."""
    width = len(rows[0].cells)
    for number, row in enumerate(rows, 1):
        if row.error is not None or len(row.cells) != width:
            why = row.error or f"{quantity(len(row.cells), 'cell')}, but row 1 has {width}"
            raise PuzzleError(f"row {number} (line {row.line}): {why}")
    return width


def _is_matrix(rows: Sequence[Row], width: int) -> bool:
    """Return whether rows are a matrix of 0 and 1; raise PuzzleError if they can be a grid too."""
    symbols = set().union(*(row.cells for row in rows))
    if "1" not in symbols or not symbols <= {EMPTY, "1"} or width < 2:
        return False
    if width in SIDES or (width in SIDES.values() and len(rows) % width == 0):
        raise PuzzleError(f"can be grids or the rows of a matrix of 0 and 1; {CHOOSE}")
    return True


def _height(rows: Sequence[Row], width: int) -> int:
    """Return the number of rows of each grid, or raise PuzzleError."""
    are_grids = width in SIDES and all(
        set(row.cells) <= set(SYMBOLS[: SIDES[width] + 1]) for row in rows
    )
    are_rows = width in SIDES.values() and len(rows) % width == 0
    if are_grids and are_rows:
        side = SIDES[width]
        what = f"{width} grids of {side}x{side} or the rows of one of {width}x{width}"
        raise PuzzleError(f"can be {what}; {CHOOSE}")
    if width > MAX_ROW and width in SIDES:
        return 1
    if are_grids or are_rows:
        return 1 if are_grids else width
    if width in SIDES.values():
        raise PuzzleError(f"{quantity(len(rows), 'row')}, expected {width}")
    raise PuzzleError(f"{quantity(width, 'cell')}, expected {EXPECTED_CELLS}, or rows of 9")


def _grid(rows: Sequence[Row], label: str | None) -> Entry:
    if is_doubtful(frozenset().union(*(row.empty for row in rows))):
        raise PuzzleError(DOUBTFUL)
    text = "".join(row.cells for row in rows)
    valid = EMPTY + VALUES[: SIDES[len(text)]]
    for number, row in enumerate(rows, 1):
        other = set(row.cells) - set(valid)
        if other:
            where = f"row {number} (line {row.line})" if len(rows) > 1 else "the grid"
            raise PuzzleError(f"`{min(other)}` in {where} is not a cell")
    return Entry(rows[0].line, label, text, kind=Kind.SUDOKU)


def _matrix(rows: Sequence[Row], width: int, label: str | None) -> Entry:
    options = [[at for at, cell in enumerate(row.cells, 1) if cell == "1"] for row in rows]
    return _cover(options, rows[0].line, label, width)


def _cover(
    options: Sequence[Sequence[int]], line: int, label: str | None, items: int | None = None
) -> Entry:
    encoded = EncodedOptions()
    for option in options:
        encoded.add(list(option))
    most = items or max(map(max, options))
    return Entry(line, label, encoded.text(Cover(most, 0, [])), kind=Kind.COVER)
