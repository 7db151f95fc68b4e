"""Files as people bring them: each is read as what it is, or rejected by its name."""

import json
from collections.abc import Iterator

import pytest

from storage.values import Kind
from tests.worker.formats.reading import GRID, errors, read
from worker.formats.errors import FormatError

ROWS = [GRID[at : at + 9] for at in range(0, 81, 9)]
ZEROS = GRID.replace(".", "0")
WIDE = str.maketrans({str(digit): chr(0xFF10 + digit) for digit in range(10)} | {".": "．"})
SMALL = "1.3./4.../..2./...1"
#: the example of Knuth 4B, section 7.2.2.1, as in Wikipedia
SETS = [[3, 5, 6], [1, 4, 7], [2, 3, 6], [1, 4], [2, 7], [4, 5, 7]]


def latex(rows: list[str]) -> str:
    lines = ["|" + "|".join(row.replace(".", " ")) + "|." for row in rows]
    return "\n".join([r"\begin{sudoku}", *lines, r"\end{sudoku}", ""])


def grids() -> Iterator[tuple[str, str, str]]:
    """Yield a name, the content of a file with one grid, and its label."""
    yield "rows with slashes", "/".join(ROWS) + "\n", ""
    yield "rows with slashes and a label", "hard 7: " + "/".join(ROWS) + "\n", "hard 7"
    yield "wide digits", GRID.translate(WIDE) + "\n", ""
    yield "wide zeros", ZEROS.translate(WIDE) + "\n", ""
    yield "wide digits in rows", "\n".join(row.translate(WIDE) for row in ROWS) + "\n", ""
    yield "LaTeX", latex(ROWS), ""
    yield "LaTeX with zeros", latex(ROWS).replace(" ", "0"), ""
    yield "bars between all cells", "\n".join(map("|".join, ROWS)) + "\n", ""
    yield "bars before all cells", "\n".join("|" + "|".join(row) for row in ROWS) + "\n", ""
    yield "an HTML page with a grid", f"<html><body><pre>\n{GRID}\n</pre></body></html>\n", ""
    yield "German CSV", f"Nr;Rätsel;Lösung\n7;{GRID};\n", "7"
    yield "German CSV with a title", f"Titel;Aufgabe\nschwer;{GRID}\n", "schwer"
    yield "French CSV", f"numéro;grille\n7;{GRID}\n", "7"
    yield "Chinese CSV", f"编号,题目,答案\n7,{GRID},\n", "7"
    yield "Chinese JSON", json.dumps({"谜题": GRID, "名称": "a"}) + "\n", "a"
    yield "a date beside the grid", f"{GRID} 2026/11/27\n", "2026/11/27"
    yield "an address beside the grid", f"{GRID} http://a.b/c/d/e\n", "http://a.b/c/d/e"


GRIDS = {name: (content, label) for name, content, label in grids()}


@pytest.mark.parametrize("name", GRIDS)
def test_a_grid_is_read(name: str) -> None:
    content, label = GRIDS[name]
    assert [(one.text, one.label or "", one.error) for one in read(content)[1]] == [
        (GRID, label, None)
    ]


def test_a_german_file_in_latin_1_is_read() -> None:
    (entry,) = read(f"Nr;Rätsel;Schwierigkeit\n7;{GRID};schön\n".encode("latin-1"))[1]
    assert (entry.text, entry.label, entry.extra) == (GRID, "7", '{"Schwierigkeit":"schön"}')


def test_small_grids_have_slashes_too() -> None:
    assert [one.text for one in read(f"{SMALL}\n{SMALL}\n")[1]] == [SMALL.replace("/", "")] * 2


@pytest.mark.parametrize("indent", [None, 1])
def test_lists_of_items_are_an_exact_cover(indent: int | None) -> None:
    (entry,) = read(json.dumps(SETS, indent=indent))[1]
    assert (entry.kind, json.loads(entry.text)) == (
        Kind.COVER,
        {"items": 7, "secondary": 0, "options": SETS},
    )


@pytest.mark.parametrize(
    "lists",
    [
        [[int(cell) for cell in row] for row in [*["123456789"] * 8, "12345678"]],
        [[1, 1], [2]],
        [[0, 1], [2]],
        [[int(cell)] if cell != "." else [1, 2] for cell in GRID],
        [[int(cell)] if cell != "." else [1, 2] for cell in GRID[:9]],
    ],
    ids=["a cell is missing", "an item twice", "an item 0", "candidates", "candidates of a row"],
)
def test_other_lists_of_different_lengths_are_errors(lists: list[list[int]]) -> None:
    assert all(entry.error for entry in read(json.dumps(lists))[1])


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("c comment\np cnf 3 2\n1 -3 0\n2 3 -1 0\n", 2, "is a DIMACS file of clauses"),
        ("p cnf 3 2\n1 -3 0\n", 1, "is a DIMACS file of clauses"),
        (
            "<!DOCTYPE html>\n<html><table><tr><td>5</td></tr></table></html>\n",
            1,
            "is an HTML page",
        ),
        ("<table><tr><td>5</td></tr></table>\n", 1, "is an HTML page"),
    ],
)
def test_files_of_other_programs_are_rejected_by_name(content: str, line: int, what: str) -> None:
    with pytest.raises(FormatError, match=f"line {line}: {what}"):
        read(content)


def test_grids_that_a_spreadsheet_has_changed_are_errors_that_say_so() -> None:
    content = f"puzzle,rating\n{ZEROS},1\n8.1E+80,2\n{'1' + ZEROS[2:]},3\n{ZEROS},4\n{ZEROS},5\n"
    as_text = "format its column as text and save it again"
    assert errors(content) == [
        (3, f"column `puzzle`: a spreadsheet has rounded this number; {as_text}"),
        (
            4,
            "column `puzzle`: 80 cells, expected 81; if a spreadsheet has removed zeros before it, "
            f"{as_text}",
        ),
    ]


def test_a_table_in_which_a_spreadsheet_has_rounded_all_grids_is_rejected() -> None:
    with pytest.raises(FormatError, match="line 2: a spreadsheet has rounded the numbers"):
        read("puzzle;rating\n8,1E+80;2\n5,3E+80;3\n")
