"""Lists of lists, of texts and of objects, as JSON, Python, NumPy and C write them."""

import json
import pprint
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sudoku import BOXES
from tests.worker.formats.reading import GRID, errors, flags, read, texts
from tests.worker.formats.writing import DIGITS, rows
from worker.formats.errors import FormatError
from worker.formats.variants import is_region_map

OTHER = GRID[::-1]
FULL = "123456789" * 9  # no solution of the other two


def numbers(grid: str, empty: int | None = 0) -> list[list[int | None]]:
    """The rows of a grid as lists of numbers."""
    return [[DIGITS.index(c) + 1 if c != "." else empty for c in row] for row in rows(grid)]


def braces(value: object) -> str:
    return json.dumps(value).replace("[", "{").replace("]", "}")


#: ways to write one value
WRITE: dict[str, Callable[[object], str]] = {
    "json": json.dumps,
    "indented": lambda value: json.dumps(value, indent=2),
    "python": repr,
    "pretty": lambda value: pprint.pformat(value, width=40),
    "named": lambda value: f"import numpy as np\ngrid = np.array({value!r}, dtype=int)\n",
    "C": lambda value: f"int grid = {braces(value)};",
}
grids = st.sampled_from(sorted(BOXES)).flatmap(
    lambda side: st.lists(
        st.text("." + DIGITS[:side], min_size=side**2, max_size=side**2).filter(
            lambda grid: (  # not 4x4, a matrix, a solution
                DIGITS[side - 1] in grid and "." in grid and not is_region_map(grid)
            )
        ),
        min_size=1,
        max_size=3,
    )
)


@settings(max_examples=60, deadline=None)
@given(grids, st.sampled_from(list(WRITE)), st.booleans())
def test_lists_of_lists_are_read_as_they_were_written(
    some: list[str], way: str, alone: bool
) -> None:
    if alone:
        some = some[:1]
    values = [numbers(grid) for grid in some]
    assert texts(WRITE[way](values[0] if alone else values), "json") == some


@pytest.mark.parametrize("empty", [0, None, "", " ", ".", "x", "?"])
@pytest.mark.parametrize("way", ["json", "indented", "python", "pretty"])
def test_cells_can_be_numbers_symbols_and_none(empty: object, way: str) -> None:
    cells = [[empty if cell == "." else cell for cell in row] for row in rows(GRID)]
    assert texts(WRITE[way](cells)) == [GRID]


@pytest.mark.parametrize("way", [way for way in WRITE if way != "C"])
def test_texts_are_rows_or_grids(way: str) -> None:
    assert texts(WRITE[way](rows(GRID))) == [GRID]
    assert texts(WRITE[way]([GRID, OTHER, FULL])) == [GRID, OTHER, FULL]
    assert texts(WRITE[way]([rows(GRID), rows(OTHER)])) == [GRID, OTHER]


def test_arrays_are_read_as_numpy_prints_them() -> None:
    array = np.array([numbers(GRID), numbers(OTHER)])
    for content in (str(array), repr(array), repr(array.astype(float)), repr(list(array))):
        assert texts(content) == [GRID, OTHER]


@pytest.mark.parametrize("indent", [None, 1])
def test_objects_in_an_array_are_read_like_lines_of_json(indent: int | None) -> None:
    some = [{"puzzle": GRID, "name": "a"}, {"grid": numbers(OTHER, None), "solution": FULL[::-1]}]
    for value in (some, {"puzzles": some, "source": "a book"}):
        entries = read(json.dumps(value, indent=indent))[1]
        assert [(one.label, one.text, one.solution) for one in entries] == [
            ("a", GRID, None),
            (None, OTHER, FULL[::-1]),
        ]


def test_names_before_a_list_or_a_grid_are_labels() -> None:
    content = f"hard = {rows(GRID)!r}\neasy = {rows(OTHER)!r}\ngrid = {rows(FULL)!r}\n"
    assert [entry.label for entry in read(content)[1]] == ["hard", "easy", None]
    content = repr({"hard": GRID, "easy": OTHER})
    assert [(e.label, e.text) for e in read(content)[1]] == [("hard", GRID), ("easy", OTHER)]


def test_rows_need_no_list_around_them() -> None:
    content = ",\n".join(map(json.dumps, numbers(GRID) + numbers(OTHER)))
    assert texts(content) == [GRID, OTHER]


def test_tuples_are_lists_but_not_the_items_of_a_cover() -> None:
    assert texts("\n".join(str(tuple(row)) for row in numbers(GRID))) == [GRID]
    layout, _ = read("(0,0) (0,1) (1,0)\n(0,0) (0,1)\n(1,0)\n")
    assert layout.format == "dlx"


def test_a_list_of_rows_of_0_and_1_that_is_no_grid_is_a_matrix() -> None:
    (text,) = texts("[[0, 1, 1], [1, 0, 0]]")
    assert json.loads(text) == {"items": 3, "secondary": 0, "options": [[2, 3], [1]]}


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([[0] * 8 + [1]] * 9, "can be grids or the rows of a matrix of 0 and 1; choose by"),
        (["1234" * 4] * 16, "can be 16 grids of 4x4 or the rows of one of 16x16; choose by"),
        ([numbers(GRID), numbers(GRID)[1:]], "8 rows, expected 9"),
        ([*numbers(GRID)[:8], [1] * 8], "row 9 (line 2): 8 cells, but row 1 has 9"),
        ([*numbers(GRID)[:8], [10] * 9], "`A` in row 9 (line 2) is not a cell"),
        ([*numbers(GRID)[:8], [26] * 9], "row 9 (line 2): `26` is not a cell"),
        ([*rows(GRID)[:8], "one two 3"], "row 9 (line 2): `one two 3` is not a row of cells"),
        ([GRID[1:]], "80 cells, expected 81 (or 16, 36, 64"),
        ([*rows(GRID), 7], "rows and cells in one list"),
        ([{"puzzle": GRID, "clues": FULL}], "`clues` has a second grid"),
        ({"easy": [{"puzzle": 1}]}, "the puzzle is neither a text nor a list"),
    ],
)
def test_what_is_no_puzzle_is_an_error(value: object, what: str) -> None:
    content = json.dumps([rows(OTHER)]) + "\n" + json.dumps(value)
    found = errors(content)
    assert [what in error for _, error in found] == [True]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (f"[[{GRID!r}, {OTHER!r}", "`[` is not closed; add what is missing"),
        (f"[{GRID!r})]", "`)` closes nothing; check the brackets"),
        (f'[{{"puzzle": "{GRID}", "puzzle": "{OTHER}"}}]', "the key `puzzle` occurs twice"),
        (f"[{GRID!r}, 1, puzzle]", "`puzzle` is not a cell"),
        ("[[xX, 3, 1, 2], [1, 2, 3, 4], [_, _, _, _], [_, _, _, _]]", "`xX` is not a cell"),
        ('{"puzzle": [[xX, 3, 1], [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0]]}', "xX is not a cell"),
        ('{"puzzle": [[a, 0, 3, 1, 2], [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0]]}', "a is not a"),
    ],
)
def test_a_damaged_list_is_an_error(content: str, what: str) -> None:
    assert any(what in error for _, error in errors(content))


def test_a_list_that_is_too_large_is_rejected() -> None:
    with pytest.raises(FormatError, match=r"line 6: a list of more than .* one puzzle per line"):
        read(f"{rows(GRID)}\n" + f"[1{' ' * 900_000}\n" * 9, "json")


def test_lists_that_are_nested_too_deeply_are_an_error() -> None:
    assert errors(f"{rows(GRID)}\n{'[' * 40}\n{']' * 40}\n")[0] == (
        2,
        "lists are nested too deeply",
    )


def test_texts_beyond_9x9_have_the_alphabet_of_their_file() -> None:
    hexes = "0123456789ABCDEF"
    grid = "".join(hexes[(at * 7 + at // 16) % 16] if at % 3 else "." for at in range(256))
    stored = grid.translate(str.maketrans(hexes, DIGITS[:16]))
    for value in ([grid, grid], [{"puzzle": grid}], {"puzzles": [grid]}):
        assert set(texts(json.dumps(value))) == {stored}


def test_a_zero_beside_another_empty_cell_beyond_9x9_is_an_error() -> None:
    lines = ["0123.56789ABCDEF"] * 16
    ((_, why),) = errors(json.dumps(lines))
    assert "0 can be a value here" in why


def test_ambiguous_texts_beyond_9x9_are_rejected_unless_from_names_the_alphabet() -> None:
    content = json.dumps({"puzzle": "ABC" + "." * 253})
    with pytest.raises(FormatError) as refusal:
        read(content)
    assert flags(refusal.value) == ("jsonl", "letters")
    assert texts(content, "jsonl") == ["ABC" + "." * 253]
    assert texts(content, "letters") == ["123" + "." * 253]
