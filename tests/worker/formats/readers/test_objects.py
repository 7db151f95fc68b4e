"""JSON Lines: every form of a grid or cover problem, and errors."""

import json
from math import isqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sudoku import BOXES
from tests.worker.formats.reading import errors, read, texts
from worker.formats.layout import LETTERS
from worker.sudoku.symbols import VALUES

EMPTY = "." * 81


def grids(side: int) -> st.SearchStrategy[str]:
    cells = "." * side + VALUES[:side]
    return st.text(cells, min_size=side**2, max_size=side**2)


def values(grid: str) -> list[int]:
    return [0 if cell == "." else VALUES.index(cell) + 1 for cell in grid]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(BOXES)).flatmap(grids))
def test_a_grid_is_read_from_a_text_or_from_lists(grid: str) -> None:
    side = isqrt(len(grid))
    numbers = values(grid)
    rows = [numbers[at : at + side] for at in range(0, len(grid), side)]
    nulls = [value or None for value in numbers]
    written = [grid, list(grid), numbers, nulls, rows, [["".join(grid)]]]
    content = "".join(json.dumps({"puzzle": way}) + "\n" for way in written)
    assert texts(content) == [grid] * len(written)


def test_the_label_is_the_first_of_label_name_title_and_id() -> None:
    objects: list[dict[str, object]] = [
        {"id": 7, "name": "x"},
        {"id": 7, "label": None},
        {"label": "ä"},
        {},
    ]
    content = "\n".join(json.dumps({**one, "puzzle": EMPTY}) for one in objects)
    assert [entry.label for entry in read(content)[1]] == ["x", "7", "ä", None]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 5), st.integers(0, 3), st.data())
def test_a_stored_cover_problem_is_read_unchanged(
    items: int, secondary: int, data: st.DataObject
) -> None:
    numbers = st.integers(1, items + secondary)
    options = data.draw(st.lists(st.lists(numbers, unique=True), max_size=5))
    cover: dict[str, object] = {"items": items, "secondary": secondary, "options": options}
    if data.draw(st.booleans()) and options:
        cost = st.integers(0, 10**9)
        size = len(options)
        cover["costs"] = data.draw(st.lists(cost, min_size=size, max_size=size))
    hue = st.sampled_from(["", "A", '"'])
    drawn = [[[item, data.draw(hue)] for item in some if item > items] for some in options]
    colours = [[pair for pair in some if pair[1]] for some in drawn]
    if any(colours):
        cover["colours"] = colours
    whole = json.dumps(cover)
    layout, entries = read(f"{whole}\n{json.dumps({'puzzle': whole})}\n")
    assert layout.kind == "cover"
    assert [json.loads(entry.text) for entry in entries] == [cover, cover]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[1]", "the JSON is not an object"),
        ("{", "the JSON cannot be read"),
        ('{"a":' * 100_000, "the JSON cannot be read"),
        ('{"a": 1}', "no puzzle; its key is one of board, "),
        ('{"puzzle": 12}', "neither a text nor a list"),
        ('{"puzzle": "12"}', "2 cells, expected 81"),
        ('{"puzzle": [77]}', "77 is not a cell"),
        ('{"puzzle": [true]}', "True is not a cell"),
        (json.dumps({"puzzle": LETTERS[9] * 81}), "`J` at cell 1 is not a cell"),
        (json.dumps({"puzzle": '{"puzzle": "1"}'}), "1 cell, expected 81"),
        ('{"items": 0, "options": []}', "no primary item, so nothing to cover"),
        ('{"items": 1, "secondary": -1, "options": []}', "`secondary` must be a whole number"),
        ('{"items": 1, "options": [["a"]]}', "must be a list of item numbers"),
        ('{"items": 1, "options": [[2]]}', "has an item outside 1 to 1"),
        ('{"items": 1, "options": [[1, 1]]}', "has an item twice"),
        (
            '{"items": 1, "options": [[1]], "colours": []}',
            "must be a list with a list for each option (1)",
        ),
        ('{"items": 1, "options": [[1]], "colours": [[[1, "A"]]]}', "has a colour without"),
        ('{"items": 1, "options": [[1]], "colours": [[1]]}', "must be pairs"),
        (
            '{"items": 1, "options": [[1]], "costs": []}',
            "must be a list with a number for each option (1)",
        ),
        (
            '{"items": 1, "options": [[1]], "costs": 3}',
            "must be a list with a number for each option (1)",
        ),
        (
            '{"items": 1, "options": [[1]], "costs": [-1000000001]}',
            "the cost of option 1",
        ),
        (
            '{"items": 1, "options": [[1]], "costs": [1.0]}',
            "the cost of option 1",
        ),
        (
            '{"items": 1, "options": [[1]], "costs": [null]}',
            "the cost of option 1",
        ),
        (
            '{"items": 1, "options": [[1]], "costs": [1000000001]}',
            "from -1,000,000,000 to 1,000,000,000",
        ),
        (
            '{"items": 1, "options": [[1]], "names": []}',
            "`names` must be a list with a text for each item (1)",
        ),
    ],
)
def test_a_line_without_a_puzzle_is_an_error_and_the_others_are_read(line: str, what: str) -> None:
    content = f'{{"puzzle": "{EMPTY}"}}\n{line}\n'
    ((number, error),) = errors(content)
    assert number == 2
    assert what in error
    assert "\n" not in error
