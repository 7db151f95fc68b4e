"""The names and types of members of `extra`, of stored and of archived answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from storage import answers
from storage.batches import Batch
from storage.database import read, write
from storage.export import archiving
from storage.queries.extras import MAX_MEMBERS, members
from storage.tables import extra
from tests.storage.harness import Harness

#: the further columns of three puzzles
EXTRAS: list[dict[str, Any]] = [
    {"zeta": 7, "rating": 10, "source": "book", "new": True, "mixed": True, "none": None},
    {"rating": 7.5, "source": "forum", "tags": ["x"], "big": 10**30, "mixed": False},
    {"rating": 3, "source": "12", "tags": "y", "new": False, "mixed": 5},
]
TYPES = {
    "extra.zeta": "integer",
    "extra.rating": "real",
    "extra.source": "text",
    "extra.new": "bool",
    "extra.mixed": "text",
    "extra.tags": "text",
    "extra.big": "real",
}


def filled(harness: Harness, extras: list[dict[str, Any]]) -> Batch:
    batch = harness.submit(len(extras))
    with write(harness.engine) as connection:
        connection.execute(delete(extra).where(extra.c.answer_id == batch.first_id))
        answers.add_extras(connection, enumerate(map(json.dumps, extras), batch.first_id))
    harness.solve(batch)
    return batch


def found(harness: Harness, whole: Batch | None) -> dict[str, str]:
    with read(harness.engine, archived=True) as connection:
        return dict(members(connection, whole))


@pytest.mark.parametrize("archived", [False, True])
def test_members_have_the_type_of_all_their_values(
    harness: Harness, tmp_path: Path, archived: bool
) -> None:
    batch, other = filled(harness, EXTRAS), filled(harness, [{"later": 1}])
    if archived:
        archiving.archive(harness.engine, batch.id, tmp_path)
    assert list(found(harness, batch).items()) == list(TYPES.items())
    assert found(harness, other) == {"extra.later": "integer"}
    assert found(harness, None) == {**TYPES, "extra.later": "integer"}


def test_no_more_than_the_first_members_are_found(harness: Harness) -> None:
    batch = filled(harness, [{f"n{number}": number for number in range(MAX_MEMBERS + 1)}])
    assert list(found(harness, batch)) == [f"extra.n{number}" for number in range(MAX_MEMBERS)]
