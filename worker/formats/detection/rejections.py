"""Inputs that are refused rather than guessed: where, why, and the flag that decides."""

from worker.formats.detection.sample import Head
from worker.formats.errors import FormatError
from worker.formats.excerpt import excerpt
from worker.formats.layout import FORMATS
from worker.formats.readers import covers, rows
from worker.formats.symbols import EMPTY_SYMBOLS

#: characters of a line that is quoted
QUOTED = 40


def two_readings(head: Head, first: str, second: str) -> FormatError:
    """Two formats fit."""
    flags = " or ".join(f"--from {name} ({FORMATS[name]})" for name in (first, second))
    line = head.body[0]
    return FormatError(
        head.name,
        f"`{excerpt(line.text)[:QUOTED]}` can be read in two ways",
        line=line.number,
        cure=f"say {flags}",
        candidates=(first, second),
    )


def two_alphabets(head: Head, side: int, first: str, second: str) -> FormatError:
    """Grids beyond 9x9 whose symbols belong to two alphabets."""
    return FormatError(
        head.name,
        f"the symbols of these {side}x{side} grids have two meanings",
        line=head.body[0].number,
        cure=f"say {_flag(first)} or {_flag(second)}",
        candidates=(first, second),
    )


def _flag(name: str) -> str:
    return f"--from {name} ({VALUES.get(name, VALUES['rows'])})"


#: how the values of large grids are written
VALUES = {
    "rows": "values 1-9A-P, 0 is empty",
    "letters": "values A to Y",
    "hex": "values 0 to F",
}


def rule_or_row(head: Head, line: int, side: int) -> FormatError:
    """A line of dashes as wide as the grid."""
    return FormatError(
        head.name,
        f"{side} dashes can be an empty row or a rule between two grids",
        line=line,
        cure="write . for empty cells or ==== for rules, and --from rows reads it",
        candidates=("rows",),
    )


def candidates(head: Head) -> FormatError | None:
    """Pencil marks where the cells should be, as Simple Sudoku and SadMan write them, too."""
    lines = [line for line in head.content if not rows.is_separator(line.text, 9, ruled=False)]
    cells = [cell for line in lines for cell in rows.spaced_cells(line.text)]
    if not cells or len(cells) % 81 or max(map(len, cells)) == 1 or not all(map(_marks, cells)):
        return None
    return FormatError(
        head.name,
        "81 groups of digits are pencil marks, not a puzzle",
        line=lines[0].number,
        cure="save the puzzle itself, a digit or an empty cell in each place",
    )


def _marks(cell: str) -> bool:
    """Whether these can be the digits that a cell may still have."""
    return set(cell) <= set("123456789") and list(cell) == sorted(set(cell))


def not_understood(head: Head, *, numeric_cover: bool) -> FormatError:
    """No format fits."""
    line = head.content[0]
    if numeric_cover:
        return FormatError(
            head.name,
            "items that are numbers could be cells as well",
            line=line.number,
            cure="say --from dlx if this is an exact cover",
            candidates=("dlx",),
        )
    if (fault := _announced_otherwise(head) or _bare_matrix(head)) is not None:
        return fault
    cells = "".join(rows.spaced_cells(line.text))
    what = f"no puzzle is known that begins `{excerpt(line.text)[:QUOTED]}`"
    if set(cells) <= set("0123456789" + EMPTY_SYMBOLS):
        what = f"{len(cells)} cells, expected 81 (or 16, 256, 625), or rows of 9 (4, 16, 25)"
    return FormatError(head.name, what, line=line.number, cure=f"--from takes {', '.join(FORMATS)}")


def _bare_matrix(head: Head) -> FormatError | None:
    """A matrix without a line that announces its rows and columns."""
    rows = [covers.matrix_row(line.text) for line in head.content]
    entries = set().union(*rows)
    if len({len(row) for row in rows}) > 1 or not entries <= {"0", "1"} or len(rows[0]) < 2:
        return None
    return FormatError(
        head.name,
        f"rows of {len(rows[0])} entries 0 and 1, and no line before them that says how many",
        line=head.content[0].number,
        cure="say --from matrix if this is an exact cover",
        candidates=("matrix",),
    )


def _announced_otherwise(head: Head) -> FormatError | None:
    """A matrix whose rows are none of those that its first line announces."""
    first, *rest = head.content
    header = covers.matrix_header(first.text)
    row = covers.matrix_row(rest[0].text) if rest else []
    if header is None or not row or not {"0", "1"}.issuperset(row):
        return None
    what = f"{len(row)} entries in this row, but line {first.number} announces {header[1]}"
    return FormatError(head.name, what, line=rest[0].number, cure="correct one of them")
