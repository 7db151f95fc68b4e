"""Exact covers as matrices of 0 and 1: with and without a size line, and limits on memory."""

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
