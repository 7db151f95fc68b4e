"""Exact covers as matrices of 0 and 1 and in Knuth's text format, and limits on memory."""

import json
import tracemalloc

import pytest

from tests.worker.formats.reading import errors, flags, read, texts
from worker.formats.errors import FormatError


def test_an_empty_row_is_an_option_without_items() -> None:
    (text,) = texts("3 2\n1 0\n0 0\n0 1\n")
    assert json.loads(text)["options"] == [[1], [], [2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("2 2\n1 0\n", "the matrix has 1 of 2 announced rows"),
        ("2 2\n1 0\n1\n", "line 3: 1 entry, expected 2"),
        ("2 2\n1 0\n1 2\n", "line 3: `2` is neither 0 nor 1"),
        ("0 0\n", "no columns, so nothing to cover"),
    ],
)
def test_an_invalid_matrix_is_reported(content: str, message: str) -> None:
    found = [error for _, error in errors(content, "matrix")]
    assert message in found[0]


def test_a_matrix_without_a_size_line_is_read_with_from_matrix() -> None:
    (text,) = texts("0 1 1\n1 0 0\n", "matrix")
    assert json.loads(text) == {"items": 3, "secondary": 0, "options": [[2, 3], [1]]}


def test_a_matrix_written_by_numpy_savetxt_is_read_with_from_matrix() -> None:
    zero, one = "0.000000000000000000e+00", "1.000e+00"
    (text,) = texts(f"{zero} {one}\n{one},{zero}\n", "matrix")
    assert json.loads(text) == {"items": 2, "secondary": 0, "options": [[2], [1]]}


@pytest.mark.parametrize(
    "rows",
    ["0 1 1\n1 0 0\n", "011\n100\n", "0,1,1\n1,0,0\n", "0 0 1 0\n1 1 0 1\n", "# a\n01010\n10101\n"],
)
def test_rows_of_0_and_1_that_cannot_be_a_grid_are_a_matrix(rows: str) -> None:
    layout, (entry,) = read(rows)
    assert (layout.format, entry.error) == ("matrix", None)
    assert entry.text == texts(rows, "matrix")[0]


@pytest.mark.parametrize(
    ("rows", "formats"),
    [
        ("0 0 1 0\n" * 4, ("spaced", "matrix")),
        ("010000001\n" * 9, ("rows", "matrix")),
        ("0001000000000001\n" * 3, ("lines", "matrix")),
        ("0 1\n1 0\n", ("dlx",)),
        ("1.0e+00 0.0e+00\n0.0e+00 1.0e+00\n", ("dlx",)),
    ],
)
def test_rows_of_0_and_1_that_can_be_read_in_two_ways_are_rejected(
    rows: str, formats: tuple[str, ...]
) -> None:
    with pytest.raises(FormatError) as refusal:
        read(rows)
    assert flags(refusal.value) == formats


def test_an_announced_size_takes_no_memory() -> None:
    assert "0 of 999999999 announced rows" in errors("999999999 999999999\n", "matrix")[0][1]


@pytest.mark.parametrize(
    ("content", "format_name", "most"),  # bytes: as lists of numbers they take twice as many
    [
        ("a b\n" + "a\n" * 100_000, "dlx", 9_000_000),
        ("10 90000\n" + ("1" * 90_000 + "\n") * 10, "matrix", 25_000_000),
    ],
    ids=["many", "long"],
)
def test_options_take_little_memory(content: str, format_name: str, most: int) -> None:
    tracemalloc.start()
    try:
        assert texts(content, format_name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most


def test_a_matrix_that_becomes_too_large_is_rejected() -> None:
    content = "300 30000\n" + ("1" * 30_000 + "\n") * 300
    with pytest.raises(FormatError, match=r"line \d+: a cover problem of more than .*; split"):
        read(content, "matrix")


def test_a_size_line_that_contradicts_the_rows_is_rejected() -> None:
    with pytest.raises(FormatError, match="this row has 3 entries, but line 1 announces 10"):
        read("1000000000 1000000000\n1 0 1\n")


def test_comments_and_blank_lines_are_not_options() -> None:
    (text,) = texts("| toy\n\na b | c\n| in between\na c\n\nb\n")
    problem = json.loads(text)
    assert problem == {
        "items": 2,
        "secondary": 1,
        "options": [[1, 3], [2]],
        "names": ["a", "b", "c"],
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a b\na:1 b\n", "line 2: `a` is primary; only secondary items have colours"),
        ("a | x\na x:\n", "line 2: `x:` names no colour, such as x:1"),
        ("a | x\na x:1:2\n", "line 2: `x:1:2` names no colour, such as x:1"),
        ("a | x\na y:1\n", "line 2: `y` is not an item of the first line"),
        ("a | x\na x:1 x:2\n", "line 2: an item occurs twice in this option"),
        ("a b\na b |\n", "line 2: `|` is not a cost; a cost is `|` and a whole number"),
        ("a b\na b | 3\n", "line 2: `|` is not a cost"),
        ("a b\na |--3 b\n", "line 2: `|--3` is not a cost"),
        ("a b\na b |1.5\n", "line 2: `|1.5` is not a cost"),
        ("a b\na b |three\n", "line 2: `|three` is not a cost"),
        ("a b\na b |٣\n", "line 2: `|٣` is not a cost"),
        ("a b\na b |3|4\n", "line 2: `|3|4` is not a cost"),
        ("a b\na b|3\n", "line 2: `b|3` is not an item of the first line; separate a cost"),
        (
            "a b\na b |1000000001\n",
            "line 2: the cost of this option is not from -1,000,000,000 to 1,000,000,000",
        ),
        (
            "a b\na |1 b |1000000000\n",
            "line 2: the cost of this option is not from -1,000,000,000 to 1,000,000,000",
        ),
        (
            "a b\na b |" + "9" * 5000 + "\n",
            "line 2: the cost of this option is not from -1,000,000,000 to 1,000,000,000",
        ),
        ("a b\na c\n", "line 2: `c` is not an item of the first line"),
        ("a b\na a\n", "line 2: an item occurs twice in this option"),
        ("a b a\na b\n", "line 1: item `a` occurs twice"),
        ("| c\na | b | c\na\n", "line 2: two `|` among the items; one separates primary"),
        ("a b:1\na\n", "line 1: `b:1` is not an item; names contain neither `:` nor `|`"),
        ("a 3:2|b\na\n", "line 1: the multiplicity of `b` is 3 to 2; the least number must not"),
        ("a -1:2|b\na\n", "line 1: the multiplicity of `b` is -1 to 2; the least number is 0 or"),
        ("a 0|b\na\n", "line 1: the multiplicity of `b` is 0 to 0; the least number is 0 or more"),
        ("a | 2|b\na\n", "line 1: `b` is secondary; only primary items have multiplicities"),
        ("a x|b\na\n", "line 1: `x|b` is not an item; names contain neither"),
        ("a 1:2:3|b\na\n", "line 1: `1:2:3|b` is not an item; names contain neither"),
    ],
)
def test_an_invalid_line_is_reported_with_its_number(content: str, message: str) -> None:
    ((line, error),) = errors(content, "dlx")
    assert error.startswith(message)
    assert line == (2 if content.startswith("|") else 1)


def test_colours_are_read() -> None:
    (text,) = texts("| toy\na b c | x y\na b x:0 y:Blue |3\nb x:1\nc y\n")
    assert json.loads(text) == {
        "items": 3,
        "secondary": 2,
        "options": [[1, 2, 4, 5], [2, 4], [3, 5]],
        "costs": [3, 0, 0],
        "colours": [[[4, "0"], [5, "Blue"]], [[4, "1"]], []],
        "names": ["a", "b", "c", "x", "y"],
    }


def test_multiplicities_are_read() -> None:
    (text,) = texts("2:3|a 2|b c 0:1|d | x\na b\nc d x\n")
    assert json.loads(text) == {
        "items": 4,
        "secondary": 1,
        "options": [[1, 2], [3, 4, 5]],
        "names": ["a", "b", "c", "d", "x"],
        "multiplicities": [[2, 3], [2, 2], [1, 1], [0, 1]],
    }
    (ordinary,) = texts("1|a 1:1|b\na\nb\n")
    assert "multiplicities" not in json.loads(ordinary)


def test_a_file_with_an_invalid_multiplicity_is_detected_and_its_line_reported() -> None:
    (entry,) = read("left 3:2|right\nleft\nright\n")[1]
    assert entry.error is not None
    assert "the multiplicity of `right` is 3 to 2" in entry.error


def test_a_file_with_an_invalid_colour_has_one_entry_with_an_error() -> None:
    for option in ("a x:", "a:0"):
        (entry,) = read(f"a b | x\nb\n{option}\n", "dlx")[1]
        assert entry.error is not None


@pytest.mark.parametrize(
    ("option", "cost"),
    [
        ("a b |3", 3),
        ("a |3 b", 3),
        ("a |3 b |4", 7),
        ("a b |1 |2 |3", 6),
        ("  a b  |5  ", 5),
        ("a b |0", 0),
        ("a b |000000000000000000000007", 7),
        ("a b |1000000000", 10**9),
        ("a b", 0),
    ],
)
def test_costs_follow_an_item_and_are_added(option: str, cost: int) -> None:
    (entry,) = read(f"a b\n{option}\na |9\n")[1]
    text = entry.text
    assert json.loads(text)["options"] == [[1, 2], [1]]
    assert json.loads(text)["costs"] == [cost, 9]
    assert entry.costs


def test_a_problem_without_costs_has_no_costs_in_its_text() -> None:
    (entry,) = read('a "costs"\na "costs"\n', "dlx")[1]
    assert "costs" not in json.loads(entry.text)
    assert not entry.costs


def test_a_line_that_begins_with_a_bar_is_a_comment() -> None:
    (text,) = texts("a b\n|3 a b\na\nb\n")
    assert json.loads(text)["options"] == [[1], [2]]


def test_a_file_with_words_as_items_is_detected() -> None:
    assert read("left right\nleft\nright\n")[0].format == "dlx"


def test_a_file_with_numbers_as_items_is_ambiguous() -> None:
    with pytest.raises(FormatError, match="--from dlx"):
        read("1 2 3\n1 3\n2\n")
