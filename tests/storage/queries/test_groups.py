"""Answers in groups that share values, the same in both databases."""

import json

import pytest

from storage import answers
from storage.database import read, write
from storage.errors import BadQuery
from storage.queries import answers as module
from storage.queries.answers import Group, groups
from storage.values import Status
from tests.storage.harness import Harness, answer_to, puzzles_of


def groups_of(harness: Harness, *by: str, batch: int | None = None) -> list[Group]:
    with read(harness.engine) as connection:
        return groups(connection, batch, by)


def test_groups_have_the_figures_of_their_answers(harness: Harness) -> None:
    batch = harness.submit(5)
    (sent,) = harness.claim_new()
    sizes = [(20, 1.0, 7), (17, 2.0, 9), (17, 4.0, None), (None, 3.0, 1), (20, None, None)]
    given = [
        answer_to(puzzle, ms=ms, score=score)._replace(clues=clues)
        for puzzle, (clues, ms, score) in zip(puzzles_of(sent), sizes, strict=True)
    ]
    given[2] = given[2]._replace(status=Status.NONE)
    assert harness.store_answers(harness.must_take(sent.id), given)
    expected = [
        Group((17,), 2, 1, 3.0, 4.0, 9),
        Group((20,), 2, 2, 1.0, 1.0, 7),
        Group((None,), 1, 1, 3.0, 3.0, 1),
    ]
    assert groups_of(harness, "clues", batch=batch.id) == expected
    assert groups_of(harness, "clues") == expected
    assert [(one.values, one.puzzles) for one in groups_of(harness, "status", "clues")] == [
        (("none", 17), 1),
        (("solved", 17), 1),
        (("solved", 20), 2),
        (("solved", None), 1),
    ]


def test_members_of_any_type_are_values(harness: Harness) -> None:
    batch = harness.submit(7)
    members = [2, "x", 1.5, 2, True, ["a", 1], None]
    with write(harness.engine) as connection:
        texts = (json.dumps({"kind of": value}) for value in members)
        connection.exec_driver_sql("DELETE FROM extra")  # that of the harness
        answers.add_extras(connection, enumerate(texts, batch.first_id))
    harness.solve(batch)
    found = groups_of(harness, "extra.kind of")
    assert [(one.values, one.puzzles) for one in found] == [
        ((1,), 1),
        ((1.5,), 1),
        ((2,), 2),
        (('["a",1]',), 1),
        (("x",), 1),
        ((None,), 1),
    ]
    with pytest.raises(BadQuery, match="there is no column"):
        groups_of(harness, "extra.it's")


def test_the_largest_groups_are_returned(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_GROUPS", 2)
    harness.solve(harness.submit(3))
    harness.solve(harness.submit(1))
    harness.solve(harness.submit(2))
    assert [(one.values, one.puzzles) for one in groups_of(harness, "batch")] == [
        ((1,), 3),
        ((3,), 2),
    ]
