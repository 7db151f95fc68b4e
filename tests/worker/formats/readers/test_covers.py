"""Knuth's text and matrices: one clear sentence for what cannot be read."""

import json
import tracemalloc

import pytest

from tests.worker.formats.reading import errors, read, texts
from worker.formats.errors import FormatError


def test_comments_and_blank_lines_do_not_count_as_options() -> None:
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
        ("a b\na |-3 b\n", "line 2: `|-3` is not a cost"),
        ("a b\na b |1.5\n", "line 2: `|1.5` is not a cost"),
        ("a b\na b |three\n", "line 2: `|three` is not a cost"),
        ("a b\na b |٣\n", "line 2: `|٣` is not a cost"),
        ("a b\na b |3|4\n", "line 2: `|3|4` is not a cost"),
        ("a b\na b|3\n", "line 2: `b|3` is not an item of the first line; separate a cost"),
        ("a b\na b |1000000001\n", "line 2: this option costs more than 1,000,000,000"),
        ("a b\na |1 b |1000000000\n", "line 2: this option costs more than 1,000,000,000"),
        ("a b\na b |" + "9" * 5000 + "\n", "line 2: this option costs more than 1,000,000,000"),
        ("a b\na c\n", "line 2: `c` is not an item of the first line"),
        ("a b\na a\n", "line 2: an item occurs twice in this option"),
        ("a b a\na b\n", "line 1: item `a` occurs twice"),
        ("| c\na | b | c\na\n", "line 2: two `|` among the items; one separates primary"),
        ("a b:1\na\n", "line 1: `b:1` is not an item; names contain neither `:` nor `|`"),
    ],
)
def test_what_is_wrong_with_a_cover_is_said_with_its_line(content: str, message: str) -> None:
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


def test_a_file_with_a_wrong_colour_holds_one_bad_puzzle_and_no_other() -> None:
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
def test_a_cost_stands_anywhere_behind_an_item_and_several_add_up(option: str, cost: int) -> None:
    (entry,) = read(f"a b\n{option}\na |9\n")[1]
    text = entry.text
    assert json.loads(text)["options"] == [[1, 2], [1]]
    assert json.loads(text)["costs"] == [cost, 9]
    assert entry.costs


def test_a_problem_without_costs_says_nothing_of_them() -> None:
    (entry,) = read('a "costs"\na "costs"\n', "dlx")[1]
    assert "costs" not in json.loads(entry.text)
    assert not entry.costs


def test_a_line_that_begins_with_a_bar_is_a_comment_even_if_it_looks_like_a_cost() -> None:
    (text,) = texts("a b\n|3 a b\na\nb\n")
    assert json.loads(text)["options"] == [[1], [2]]


def test_items_in_words_are_recognised() -> None:
    assert read("left right\nleft\nright\n")[0].format == "dlx"


def test_items_that_are_numbers_are_not_guessed() -> None:
    with pytest.raises(FormatError, match="--from dlx"):
        read("1 2 3\n1 3\n2\n")


def test_an_option_without_items_of_its_own_keeps_its_number() -> None:
    (text,) = texts("3 2\n1 0\n0 0\n0 1\n")
    assert json.loads(text)["options"] == [[1], [], [2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("2 2\n1 0\n", "the matrix has 1 of 2 announced rows"),
        ("2 2\n1 0\n1\n", "line 3: 1 entries, expected 2"),
        ("2 2\n1 0\n1 2\n", "line 3: `2` is neither 0 nor 1"),
        ("0 0\n", "no columns, so nothing to cover"),
    ],
)
def test_what_is_wrong_with_a_matrix_is_said(content: str, message: str) -> None:
    found = [error for _, error in errors(content, "matrix")]
    assert message in found[0]


def test_a_matrix_without_its_size_is_read_when_asked_for() -> None:
    (text,) = texts("0 1 1\n1 0 0\n", "matrix")
    assert json.loads(text) == {"items": 3, "secondary": 0, "options": [[2, 3], [1]]}


def test_a_matrix_as_numpy_writes_it_is_read_when_asked_for() -> None:
    zero, one = "0.000000000000000000e+00", "1.000e+00"
    (text,) = texts(f"{zero} {one}\n{one},{zero}\n", "matrix")
    assert json.loads(text) == {"items": 2, "secondary": 0, "options": [[2], [1]]}
    with pytest.raises(FormatError) as refusal:
        read(f"{zero} {one}\n{one} {zero}\n")
    assert refusal.value.candidates in {("matrix",), ("dlx",)}


def test_a_matrix_without_its_size_is_never_guessed() -> None:
    for rows in ("0 1 1\n1 0 0\n", "011\n100\n", "0,1,1\n1,0,0\n"):
        with pytest.raises(FormatError, match="choose --from matrix if this is an exact cover"):
            read(rows)


def test_a_huge_announced_size_takes_no_memory() -> None:
    assert "0 of 999999999 announced rows" in errors("999999999 999999999\n", "matrix")[0][1]


@pytest.mark.parametrize(
    ("content", "format_name", "most"),  # bytes: as lists of numbers they take twice as many
    [
        ("a b\n" + "a\n" * 100_000, "dlx", 9_000_000),
        ("10 90000\n" + ("1" * 90_000 + "\n") * 10, "matrix", 25_000_000),
    ],
    ids=["many", "long"],
)
def test_options_are_not_kept_as_lists_of_numbers(
    content: str, format_name: str, most: int
) -> None:
    tracemalloc.start()
    try:
        assert texts(content, format_name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most


def test_a_dense_matrix_is_refused_before_it_fills_the_memory() -> None:
    content = "300 30000\n" + ("1" * 30_000 + "\n") * 300
    with pytest.raises(FormatError, match=r"line \d+: a cover problem of more than .*; split"):
        read(content, "matrix")


def test_a_matrix_with_a_wrong_first_line_is_told_so() -> None:
    with pytest.raises(FormatError, match="this row has 3 entries, but line 1 announces 10"):
        read("1000000000 1000000000\n1 0 1\n")
