"""Exact covers in Knuth's text format: items, options, costs and colours, and invalid lines."""

import json

import pytest

from tests.worker.formats.reading import errors, read, texts
from worker.formats.errors import FormatError


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
