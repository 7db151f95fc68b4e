"""How well each format fits the beginning of an input."""

from collections import Counter
from collections.abc import Callable
from math import isqrt

from worker.formats.detection import alphabets, rejections
from worker.formats.detection.alphabets import POSSIBLE
from worker.formats.detection.sample import Head
from worker.formats.errors import FormatError
from worker.formats.files.text import Line
from worker.formats.layout import Layout, Reading
from worker.formats.onelines import find_grid
from worker.formats.readers import rows
from worker.formats.readers.columns import Columns
from worker.sudoku.symbols import SIDES

#: sides of grids, the likeliest first
ORDER = (9, 16, 25, 4)

#: formats named after an alphabet, in any shape
NAMED = frozenset({alphabets.LETTERED, alphabets.HEXED})

#: the cells of a row of a side whose symbols these can be, or None
CellsOf = Callable[[str, int, frozenset[str]], list[str] | None]


def fit_lines(head: Head) -> Reading | None:
    """A whole grid on a line."""
    symbols_of = {side: alphabets.possible(side, head.asked) for side in ORDER}

    def fits(text: str) -> bool:
        return len(text) in SIDES and symbols_of[SIDES[len(text)]].issuperset(text)

    columns, found = _in_columns(head, fits)
    if columns is None:
        found = [grid[0] for line in head.body if (grid := find_grid(line.text, fits))]
    lines_seen = len(head.body) - (columns is not None)
    if not found or (head.asked is None and 2 * len(found) < lines_seen):
        return None
    sides = Counter(SIDES[len(grid)] for grid in found)
    large = [grid for grid in found if len(grid) > 81] or found
    if head.asked is None and set(sides) == {4} and 10 * len(found) < 9 * lines_seen:
        return None  # more likely rows of 16x16, some of them empty
    name, symbols, doubt = _alphabet(head, "lines", max(sides), set().union(*large))
    layout = Layout(
        name,
        "sudoku",
        next(iter(sides)) if len(sides) == 1 else None,
        symbols,
        shape="lines",
        counted=head.count is not None,
        ended=head.ended,
    )
    common = tuple(side for side, _ in sides.most_common())
    return Reading(layout, len(found), common, head.count, columns=columns, doubt=doubt)


def _in_columns(head: Head, fits: Callable[[str], bool]) -> tuple[Columns | None, list[str]]:
    """The columns that the first line names, and the grids in the puzzle's."""
    numbers = {line.number for line in head.content}
    first, *rest = (line.text for line in head.lines if line.number in numbers)
    columns = None if find_grid(first, fits) else Columns.of(first)
    if columns is None:
        return None, []
    grids = [grid for line in rest if fits(grid := columns.puzzle_of(columns.fields(line)))]
    return (columns, grids) if grids else (None, [])


def fit_rows(head: Head) -> Reading | None:
    """Rows of n characters."""
    return _best_side(head, "rows", _packed)


def fit_spaced(head: Head) -> Reading | None:
    """Rows of n cells apart."""
    return _best_side(head, "spaced", _apart)


def _packed(text: str, side: int, possible: frozenset[str]) -> list[str] | None:
    groups = text.replace("|", " ").split()
    cells = "".join(groups)
    if len(cells) != side or len(groups) not in {1, isqrt(side)}:
        return None
    return list(cells) if possible.issuperset(cells) else None


def _apart(text: str, side: int, possible: frozenset[str]) -> list[str] | None:
    cells = rows.spaced_cells(text)
    if len(cells) != side or not all(c in possible or _small(c, side) for c in cells):
        return None
    return cells


def _small(cell: str, side: int) -> bool:
    return cell.isascii() and cell.isdecimal() and len(cell) <= 2 and int(cell) <= side


def _best_side(head: Head, name: str, cells_of: CellsOf) -> Reading | None:
    readings = [_of_side(head, name, cells_of, side) for side in ORDER]
    return max((r for r in readings if r), key=lambda r: r.good, default=None)


def _of_side(head: Head, shape: str, cells_of: CellsOf, side: int) -> Reading | None:
    possible = alphabets.possible(side, head.asked)
    counted = head.count is not None and not cells_of(head.content[0].text, side, possible)
    body = head.body if counted else head.content
    body = [line for line in body if not rows.is_separator(line.text, side, ruled=False)]
    cells = [row for line in body if (row := cells_of(line.text, side, possible))]
    if not cells or (head.asked is None and 2 * len(cells) < len(body)):
        return None
    seen = set().union(*cells)
    whole = head.complete and len(body) % 16 == 0
    if head.asked is None and side == 16 and POSSIBLE[4] >= seen and not whole:
        return None  # 4x4, one a line
    name, symbols, doubt = _alphabet(head, shape, side, {cell for cell in seen if len(cell) == 1})
    long = max(map(len, seen)) > 1  # 10 and more
    numbers = name == "spaced" and (long or not any(map(str.isalpha, seen - {"x", "X"})))
    announced = head.count if counted else None
    ruled, mixed = _ruled(head, side, body, announced)
    layout = Layout(
        name,
        "sudoku",
        side,
        None if numbers else symbols,
        shape=shape,
        counted=counted,
        ended=head.ended,
        apart=_apart_blocks(head, side) > 1,
        banded=_banded(head, side),
        ruled=ruled,
    )
    return Reading(layout, len(cells), (side,), announced, doubt=mixed or (None if long else doubt))


def _ruled(
    head: Head, side: int, body: list[Line], announced: int | None
) -> tuple[bool, FormatError | None]:
    """Whether lines of n dashes are rules: the reading that leaves whole grids is right."""
    dashes = [line for line in body if line.text == "-" * side]
    if not dashes:
        return False, None
    if not head.complete:
        return not any("-" in line.text for line in body if line not in dashes), None
    wanted = None if announced is None else announced * side
    as_rows, as_rules = (
        number > 0 and number % side == 0 and wanted in {None, number}
        for number in (len(body), len(body) - len(dashes))
    )
    doubt = rejections.rule_or_row(head, dashes[0].number, side) if as_rows and as_rules else None
    return as_rules and not as_rows, doubt


def _blocks(head: Head, side: int) -> list[int]:
    """How many rows stand between two blank lines or rules."""
    blocks = [0]
    for line in head.lines:
        text = line.text.strip()
        if rows.is_separator(text, side, ruled=False):
            blocks.append(0)
        elif not text.startswith("#"):
            blocks[-1] += 1
    return [size for size in blocks if size]


def _apart_blocks(head: Head, side: int) -> int:
    return sum(size >= side for size in _blocks(head, side))


def _banded(head: Head, side: int) -> bool:
    return set(_blocks(head, side)) == {isqrt(side)}


def _alphabet(
    head: Head, shape: str, side: int, seen: set[str]
) -> tuple[str, str, FormatError | None]:
    """The format's name, the symbols of its cells, and what speaks against guessing them."""
    fitting = alphabets.alphabets(side, seen)
    name, doubt = fitting[0], None
    if head.asked in NAMED:
        name = head.asked
    elif head.asked in {"lines", "rows"}:
        name = alphabets.DIGITAL
    elif len(fitting) > 1:
        first, second = (shape if name == alphabets.DIGITAL else name for name in fitting[:2])
        doubt = rejections.two_alphabets(head, side, first, second)
    symbols = alphabets.symbols_of(name, side, seen)
    kept = name == alphabets.DIGITAL or (shape == "spaced" and head.asked not in NAMED)
    return (shape if kept else name), symbols, doubt
