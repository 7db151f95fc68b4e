"""What an input says of a puzzle, beside the grid, its solution and its name."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.formats.reading import GRID, read
from worker.formats import extras

SOLVED = "987632541362451987541897362813265479479183625625749813256914738198376254734528196"
KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | KEYS,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(KEYS, values, max_size=3),
    max_leaves=6,
)


def extra_of(content: str) -> Any:
    (entry,) = read(content)[1]
    assert entry.error is None
    return entry.extra and json.loads(entry.extra)


@pytest.mark.parametrize("between", [",", "\t", ";"])
def test_further_columns_are_kept_and_numbers_stay_numbers(between: str) -> None:
    lines = [
        ["id", "puzzle", "solution", "rating", "source", "number", "author"],
        ["a 1", GRID, SOLVED, "8.30", " forum ", "007", ""],
    ]
    content = "\n".join(map(between.join, lines))
    assert extra_of(content) == {"rating": 8.3, "source": "forum", "number": "007"}


def test_a_file_without_further_columns_keeps_nothing() -> None:
    assert extra_of(f"id,puzzle,solution\na 1,{GRID},{SOLVED}\n") is None


def test_columns_that_are_the_label_are_kept_by_their_names_as_well() -> None:
    (entry,) = read(f"question,rating,source\n{GRID},7.2,forum\n")[1]
    assert (entry.label, entry.extra) == ("7.2,forum", '{"rating":7.2,"source":"forum"}')


def test_further_keys_of_an_object_are_kept() -> None:
    others = {"er": 8.3, "tags": ["x-wing", None], "by": {"name": "Anna"}, "empty": None}
    members = {"name": "a 1", "puzzle": GRID, "solution": SOLVED, **others}
    del others["empty"]
    assert extra_of(json.dumps(members)) == others


def test_the_number_of_solutions_is_kept() -> None:
    assert extra_of(json.dumps({"puzzle": GRID, "solutions": 1})) == {"solutions": 1}


def test_what_is_called_a_puzzle_or_a_solution_but_is_none_is_kept() -> None:
    others = {"question": "Can you solve it?", "solution": "unique"}
    assert extra_of(json.dumps({"puzzle": GRID, **others})) == others
    assert extra_of(f"puzzle,question,solution\n{GRID},Can you?,unique\n") == {
        "question": "Can you?",
        "solution": "unique",
    }


def test_further_keys_of_a_cover_are_kept() -> None:
    cover = {"items": 1, "options": [[1]], "costs": [3], "names": ["x"], "family": "toy", "id": 7}
    assert extra_of(json.dumps(cover)) == {"family": "toy"}


def test_answers_that_are_solved_again_keep_what_they_had_and_no_columns() -> None:
    answer = {"id": 1, "batch": 1, "position": 1, "puzzle": GRID, "status": "solved"}
    answer |= {"solved_at": "2026-11-21T01:04:29.321Z", "ms": 0.1}
    assert extra_of(json.dumps({**answer, "extra": {"rating": 8.3}})) == {"rating": 8.3}
    assert extra_of(json.dumps({**answer, "extra": None})) is None


@given(st.dictionaries(KEYS, VALUES))
def test_any_members_are_kept_as_they_are(members: dict[str, Any]) -> None:
    kept = extras.of_members(members)
    expected = {key: value for key, value in members.items() if value is not None}
    assert (json.loads(kept) if kept else {}) == expected


@given(st.dictionaries(KEYS, KEYS))
def test_any_fields_are_kept(fields: dict[str, str]) -> None:
    kept = extras.of_columns(map(extras.key, fields), [[one] for one in fields.values()])
    found = json.loads(kept[0]) if kept and kept[0] else {}
    assert found.keys() == {name for name, value in fields.items() if value}
    for name, value in found.items():
        assert value == (fields[name] if isinstance(value, str) else float(fields[name]))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_have_are_null(value: float) -> None:
    assert extras.of_members({"er": [value]}) == '{"er":[null]}'


def test_what_no_database_and_no_terminal_takes_is_replaced() -> None:
    assert extras.of_members({"a\0": "\ud800\x1b[2J\n"}) == '{"a\ufffd":"\ufffd\ufffd[2J\\n"}'
