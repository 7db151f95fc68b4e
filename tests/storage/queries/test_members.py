"""Members of the column `extra`: conditions, orders and values, the same in both databases."""

import json
from typing import Any

import pytest

from storage import answers
from storage.database import read, write
from storage.errors import BadQuery
from storage.queries.answers import count_answers, select_answers
from storage.view import is_column
from tests.storage.harness import Harness

#: what the input says of the puzzles from the second on; the first has `EXTRA`, the last nothing
MEMBERS: list[dict[str, Any]] = [
    {"rating": 7, "source": "book", "first name": "Anna", "Rating": 1},
    {"rating": 10, "source": "forum", "tags": ["x"], "new": True},
    {"rating": "unknown", "source": "o'neill", "count": 4},
]


@pytest.fixture
def filled(harness: Harness) -> Harness:
    batch = harness.submit(5)
    with write(harness.engine) as connection:
        texts = enumerate(map(json.dumps, MEMBERS), batch.first_id + 1)
        answers.add_extras(connection, texts)
    harness.solve(batch)
    return harness


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("extra.rating > 8", [1, 3]),
        ("8 < extra.rating", [1, 3]),
        ("extra.rating between 7 and 8.5", [1, 2]),
        ("extra.rating in (7, 10)", [2, 3]),
        ("-extra.rating * 2 = -20", [3]),
        ("(extra.rating) <= 7.0", [2]),
        ("extra.rating = 'unknown'", [4]),
        ("extra.source = 'forum'", [3]),
        ("extra.source in ('forum', 'o''neill')", [3, 4]),
        ("extra.source like '%o%' and solutions = 1", [2, 3, 4]),
        ("lower(extra.source) = upper(label) or extra.count = 4", [4]),
        ("extra.rating is null", [5]),
        ("extra.Rating = 1", [2]),
        ("extra.\"first name\" = 'Anna'", [2]),
        ("extra is not null and extra.nothing is null", [1, 2, 3, 4]),
        ("id in (select id from answers where extra.count > 3)", [4]),
    ],
)
def test_a_condition_names_members(filled: Harness, condition: str, ids: list[int]) -> None:
    with read(filled.engine) as connection:
        assert [one.id for one in select_answers(connection, where=condition)] == ids
        assert count_answers(connection, where=condition) == len(ids)


@pytest.mark.parametrize(
    "condition", ["extra.rating.x > 1", "x.extra.rating > 1", "extra.* > 1", "other.rating > 1"]
)
def test_what_is_no_member_is_refused(filled: Harness, condition: str) -> None:
    with read(filled.engine) as connection, pytest.raises(BadQuery):
        list(select_answers(connection, where=condition))


@pytest.mark.parametrize(
    ("key", "ids"),
    [
        ("extra.count", [4, 1, 2, 3, 5]),
        ("-extra.Rating", [2, 1, 3, 4, 5]),
        ("extra.source", [1, 2, 3, 4, 5]),
        ("-extra.source", [4, 3, 2, 1, 5]),
    ],
)
def test_answers_are_sorted_by_members(filled: Harness, key: str, ids: list[int]) -> None:
    with read(filled.engine) as connection:
        assert [one.id for one in select_answers(connection, sort=[key])] == ids
        assert [one.id for one in select_answers(connection, sort=[key], first=2)] == ids[:2]


def test_numbers_are_sorted_as_numbers(filled: Harness) -> None:
    with read(filled.engine) as connection:
        where = "extra.rating > 0"
        found = select_answers(connection, sort=["-extra.rating"], where=where)
        assert [one.value("extra.rating") for one in found if one.id < 4] == [10, 8.5, 7]


def test_a_value_that_is_a_list_is_written_as_json(filled: Harness) -> None:
    with read(filled.engine) as connection:
        values = [one.value("extra.tags") for one in select_answers(connection)]
    assert values == [None, None, '["x"]', None, None]


@pytest.mark.parametrize(
    "name", ["extra.", "extra.a'b", 'extra.a"', "extra.%", "Extra.a", "rating"]
)
def test_names_that_cannot_be_written_into_a_query_are_no_columns(
    filled: Harness, name: str
) -> None:
    assert not is_column(name)
    with read(filled.engine) as connection, pytest.raises(BadQuery, match="there is no column"):
        list(select_answers(connection, sort=[name]))
