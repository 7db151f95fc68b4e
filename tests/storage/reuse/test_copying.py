"""Copies of answers equal their originals, in one transaction for each range of positions."""

import pytest
from sqlalchemy import text

from storage.database import read
from storage.errors import StorageError
from storage.outbox.removal import delete_batch
from storage.queries.answers import further_solutions
from storage.queries.progress import count_outcomes
from storage.reuse.copying import copy
from storage.values import Kept, Status
from storage.view import COLUMNS
from tests.storage.harness import Harness
from tests.storage.reuse.harness import (
    ONE,
    THREE,
    TWO,
    copies,
    created,
    finding,
    original,
    reused,
    solved,
)

#: columns in which a copy differs from its original
OWN_COLUMNS = {"id", "batch", "label", "nodes", "ms", "worker", "attempts", "solved_at", "detail"}


def test_a_copy_has_all_columns_of_its_original_but_its_own(harness: Harness) -> None:
    (answer,) = solved(harness, [ONE], solutions=5, score=9)
    copied = reused(harness, ONE)[1].named()
    with read(harness.engine) as connection:
        query = "SELECT * FROM answers WHERE id = :id"
        before = connection.execute(text(query), {"id": answer.id}).mappings().one()
    shared = set(COLUMNS) - OWN_COLUMNS
    assert {name: copied[name] for name in shared} == {name: before[name] for name in shared}
    assert (copied["solutions"], copied["score"], copied["bound"]) == (5, 9, 9)
    assert copied["detail"] == f"as puzzle {answer.id}"
    assert [copied[name] for name in ("label", "nodes", "ms", "worker")] == [None] * 4
    assert (copied["attempts"], copied["batch"]) == (0, 2)


def test_a_copy_has_the_label_that_is_submitted(harness: Harness) -> None:
    solved(harness, [ONE, TWO])
    again = reused(harness, ONE, THREE, TWO, labels=["a", "b", "c"])
    assert {position: row.label for position, row in again.items()} == {1: "a", 3: "c"}


def test_copies_are_summarised_by_outcome(harness: Harness) -> None:
    solved(harness, [ONE], score=7)
    solved(harness, [TWO], score=7)
    solved(harness, [THREE], status=Status.NONE, solutions=0)
    reused(harness, ONE, TWO, THREE, ONE)
    with read(harness.engine) as connection:
        outcomes = {one.status: one.puzzles for one in count_outcomes(connection, 4)}
        query = text("SELECT answers, max_score FROM summary WHERE batch_id = 4 ORDER BY answers")
        rows = connection.execute(query).all()
    assert outcomes == {"solved": 3, "none": 1}
    assert rows == [(1, None), (3, 7)]


def test_answers_are_copied_for_a_range_of_positions(harness: Harness) -> None:
    solved(harness, [ONE, TWO])
    with finding(harness, ONE, TWO, THREE) as known:
        batch = created(harness, [ONE, TWO, THREE])
        assert known.count == 2
        assert set(copy(known, batch, 2, 3, further=False)) == {2}
        assert copies(harness, batch).keys() == {2}
        assert not copy(known, batch, 3, 3, further=False)
        assert list(copy(known, batch, 1, 1, further=False)) == [1]
    assert copies(harness, batch).keys() == {1, 2}


def test_further_solutions_are_copied_on_request(harness: Harness) -> None:
    kept = (Kept(2, 7, "2" * 16), Kept(3, 5, "3" * 16))
    solved(harness, [ONE, TWO], further=kept, score=9)
    ids = [
        reused(harness, THREE, TWO, further=True)[2].id,
        reused(harness, THREE, TWO)[2].id,
    ]
    with read(harness.engine) as connection:
        assert further_solutions(connection, ids[0]) == list(kept)
        assert further_solutions(connection, ids[1]) == []


def test_an_original_that_is_deleted_meanwhile_is_not_copied(harness: Harness) -> None:
    solved(harness, [ONE])
    solved(harness, [TWO])
    with finding(harness, ONE, TWO) as known:
        batch = created(harness, [ONE, TWO])
        delete_batch(harness.engine, 1)
        assert set(copy(known, batch, 1, 2, further=True)) == {2}
    assert copies(harness, batch).keys() == {2}


def test_batches_can_be_solved_between_two_copies(harness: Harness) -> None:
    solved(harness, [ONE])
    with finding(harness, ONE, ONE, TWO) as known:
        batch = created(harness, [ONE, ONE, TWO])
        copy(known, batch, 1, 1, further=False)
        (other,) = solved(harness, [TWO])
        assert set(copy(known, batch, 2, 3, further=False)) == {2}
    assert original(reused(harness, TWO)[1]) == other.id


def test_a_copy_that_fails_leaves_nothing(harness: Harness) -> None:
    solved(harness, [ONE, TWO])
    with pytest.raises(StorageError), finding(harness, ONE, TWO) as known:
        batch = created(harness, [ONE, TWO])
        copy(known, batch, 2, 2, further=False)
        copy(known, batch, 1, 2, further=False)
    assert copies(harness, batch).keys() == {2}
