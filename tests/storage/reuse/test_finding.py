"""Existing answers to submitted puzzles are found by text, options and status."""

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import DBAPIError

from storage.database import read, write
from storage.errors import StorageError
from storage.outbox.removal import delete_batch
from storage.reuse import finding as module
from storage.reuse.finding import known_answers
from storage.summaries import fingerprints
from storage.tables import fingerprint
from storage.values import Kind, Puzzles, Status
from tests.storage.harness import Harness
from tests.storage.reuse.harness import (
    ONE,
    SAME,
    SOURCE,
    THREE,
    TWO,
    finding,
    original,
    reused,
    solved,
)

LONG = '{"items":1,"secondary":0,"options":[' + ",".join(["[1]"] * 3000) + "]}"
SAME_HASH = "40353607001747714719170", "40353607001934027322689"


def test_nothing_is_found_in_an_empty_database(harness: Harness) -> None:
    assert reused(harness, ONE) == {}


def test_every_position_with_the_same_text_gets_the_answer(harness: Harness) -> None:
    (first, second) = solved(harness, [ONE, TWO])
    again = reused(harness, TWO, THREE, ONE, TWO, TWO)
    assert {position: original(row) for position, row in again.items()} == {
        1: second.id,
        3: first.id,
        4: second.id,
        5: second.id,
    }


def test_batches_with_other_options_are_skipped(harness: Harness) -> None:
    solved(harness, [ONE], {"limit": 3})
    assert reused(harness, ONE) == {}
    assert reused(harness, ONE, options={"limit": 3}).keys() == {1}


@pytest.mark.parametrize("status", [Status.TIMEOUT, Status.FAILED, Status.INVALID])
def test_answers_that_are_not_final_are_skipped(harness: Harness, status: Status) -> None:
    solved(harness, [ONE], status=status)
    assert reused(harness, ONE) == {}


def test_the_answer_that_there_is_no_solution_is_reused(harness: Harness) -> None:
    solved(harness, [ONE], status=Status.NONE, solutions=0)
    assert reused(harness, ONE)[1].status == Status.NONE


def test_the_newest_answer_is_taken_and_a_reused_one_is_traced_to_its_original(
    harness: Harness,
) -> None:
    solved(harness, [ONE])
    (newer,) = solved(harness, [ONE])
    for _ in range(2):  # the second time, the newest answer is a copy
        assert original(reused(harness, ONE)[1]) == newer.id
    with write(harness.engine) as connection:
        update = text("UPDATE summary SET attempts = 0 WHERE first_id = :id")
        connection.execute(update, {"id": newer.id})
    assert original(reused(harness, ONE)[1]) == newer.id - 1


def test_a_puzzle_with_the_hash_of_another_gets_only_its_own_answer(harness: Harness) -> None:
    one, other = SAME_HASH
    assert len(set(fingerprints.hashes(SAME_HASH))) == 1
    (older,) = solved(harness, [other])
    (newer,) = solved(harness, [one])
    assert original(reused(harness, other)[1]) == older.id
    again = reused(harness, one, other, one, other)
    assert [original(again[at]) for at in range(1, 5)] == [newer.id, older.id] * 2
    delete_batch(harness.engine, 1)
    assert reused(harness, other) == {}


def test_answers_from_the_same_source_are_preferred_to_newer_ones(harness: Harness) -> None:
    (older,) = solved(harness, [ONE])
    (newer, _) = solved(harness, [TWO, ONE], source="others.txt")
    again = reused(harness, ONE, TWO)
    assert (original(again[1]), original(again[2])) == (older.id, newer.id)


@pytest.mark.parametrize("most", [1, 2, 100])
def test_all_are_found_however_few_candidates_are_compared_at_a_time(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(module, "COMPARED_CANDIDATES", most)
    for some in ([ONE], [TWO, *SAME_HASH], [THREE, ONE]):
        solved(harness, some)
    assert reused(harness, ONE, TWO, THREE, *SAME_HASH, ONE).keys() == {1, 2, 3, 4, 5, 6}


def test_a_batch_is_read_only_until_all_are_found(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprints, "ROWS_AT_A_TIME", 1)
    solved(harness, [ONE, TWO])
    with write(harness.engine) as connection:
        for unread in (b"", b"not hashes"):  # one row is read ahead
            values = {"batch_id": 1, "first_id": 1, "hashes": unread}
            connection.execute(insert(fingerprint), values)
    assert reused(harness, TWO, ONE).keys() == {1, 2}
    with pytest.raises(ValueError, match="bytes length"), finding(harness, TWO, ONE, THREE):
        pass


def test_texts_too_long_for_an_index_are_compared_in_full(harness: Harness) -> None:
    solved(harness, [LONG], kind=Kind.COVER)
    assert reused(harness, LONG, LONG[:-3] + ",[1]]}").keys() == {1}


def test_answers_of_a_batch_that_is_not_ready_are_skipped(harness: Harness) -> None:
    solved(harness, [ONE])
    with write(harness.engine) as connection:
        connection.execute(text("UPDATE batch SET ready = 0"))
    assert reused(harness, ONE) == {}


def test_the_temporary_tables_are_dropped(harness: Harness) -> None:
    solved(harness, [ONE])
    for _ in range(3):
        reused(harness, ONE)
    with read(harness.engine) as connection, pytest.raises(DBAPIError, match="reuse_wanted"):
        connection.execute(text("SELECT * FROM reuse_wanted"))


def test_errors_are_raised_as_storage_errors(harness: Harness) -> None:
    twice = Puzzles(Kind.SUDOKU, [1, 1], None, [ONE, TWO])
    with (
        pytest.raises(StorageError),
        known_answers(harness.engine, [twice], SAME.__eq__, source=SOURCE),
    ):
        pass
