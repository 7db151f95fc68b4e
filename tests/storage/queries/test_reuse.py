"""Existing answers to submitted puzzles are found by text, options and status."""

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from storage import batches
from storage.database import read, write
from storage.deletion import delete_batch
from storage.errors import StorageError
from storage.outbox import publishing
from storage.packing import pack
from storage.queries.reuse import known_answers
from storage.summaries.fingerprints import hashes
from storage.values import Answer, Kept, Kind, Puzzle, Puzzles, Status
from tests.storage.harness import QUEUE, Harness, answer_to

ONE, TWO, THREE = "1" + "." * 15, "2" + "." * 15, "3" + "." * 15
LONG = '{"items":1,"secondary":0,"options":[' + ",".join(["[1]"] * 3000) + "]}"
SAME = {"limit": 2}
SOURCE = "puzzles.txt"
SAME_HASH = "40353607001747714719170", "40353607001934027322689"


def solved(
    harness: Harness,
    texts: Sequence[str],
    options: dict[str, Any] | None = None,
    kind: Kind = Kind.SUDOKU,
    source: str = SOURCE,
    **answer: Any,
) -> list[Answer]:
    """Submit and answer a batch of these puzzles; return the answers."""
    with write(harness.engine) as connection:
        batch = batches.create(
            connection,
            name=None,
            source=source,
            kind="sudoku",
            options=options or SAME,
            puzzles=len(texts),
            queue=QUEUE,
        )
        ids = enumerate(texts, batch.first_id)
        puzzles = [Puzzle(id_, at, "old", one) for at, (id_, one) in enumerate(ids, 1)]
        packed = pack(Puzzles.of(kind, puzzles), batch.first_id)
        publishing.add_many(connection, batch.id, [packed])
        publishing.make_ready(connection, batch)
    answers = [answer_to(puzzle, **answer) for puzzle in puzzles]
    harness.solve(batch, answers)
    return answers


def found(
    harness: Harness, *texts: str, options: dict[str, Any] | None = None, further: bool = False
) -> dict[int, Answer]:
    """Return the known answers to a submission of these texts, by position."""
    wanted = list(enumerate(texts, start=1))
    same = (options or SAME).__eq__
    with known_answers(harness.engine, [wanted[:2], [], wanted[2:]], same, source=SOURCE) as known:
        again = known.between(1, len(texts), further=further)
        assert known.count == len(again.id)
    return {one.position: one for one in again.rows()}


def test_nothing_is_found_in_an_empty_database(harness: Harness) -> None:
    assert found(harness, ONE) == {}


def test_every_position_with_the_same_text_gets_the_answer(harness: Harness) -> None:
    (first, second) = solved(harness, [ONE, TWO])
    again = found(harness, TWO, THREE, ONE, TWO)
    assert again.keys() == {1, 3, 4}
    expected = first._replace(
        position=3, label=None, nodes=None, ms=None, detail=f"as puzzle {first.id}"
    )
    assert again[3] == expected
    assert again[1] == again[4]._replace(position=1)
    assert again[1].id == second.id


def test_answers_are_returned_for_a_range_of_positions(harness: Harness) -> None:
    solved(harness, [ONE, TWO])
    with known_answers(harness.engine, [[(1, ONE), (2, TWO)]], SAME.__eq__, source=SOURCE) as known:
        assert known.count == 2
        assert known.between(2, 9, further=False).position == (2,)
        assert not known.between(3, 9, further=False).id


def test_batches_with_other_options_are_skipped(harness: Harness) -> None:
    solved(harness, [ONE], {"limit": 3})
    assert found(harness, ONE) == {}
    assert found(harness, ONE, options={"limit": 3}).keys() == {1}


@pytest.mark.parametrize("status", [Status.TIMEOUT, Status.FAILED, Status.INVALID])
def test_answers_that_are_not_final_are_skipped(harness: Harness, status: Status) -> None:
    solved(harness, [ONE], status=status)
    assert found(harness, ONE) == {}


def test_the_answer_that_there_is_no_solution_is_reused(harness: Harness) -> None:
    solved(harness, [ONE], status=Status.NONE, solutions=0)
    assert found(harness, ONE)[1].status == Status.NONE


def test_the_newest_answer_is_taken_and_a_reused_one_is_traced_to_its_original(
    harness: Harness,
) -> None:
    solved(harness, [ONE])
    (newer,) = solved(harness, [ONE])
    assert found(harness, ONE)[1].id == newer.id
    with write(harness.engine) as connection:
        update = text("UPDATE summary SET attempts = 0 WHERE first_id = :id")
        connection.execute(update, {"id": newer.id})
    assert found(harness, ONE)[1].id == newer.id - 1


def test_a_puzzle_with_the_hash_of_another_gets_only_its_own_answer(harness: Harness) -> None:
    one, other = SAME_HASH
    assert len(set(hashes(SAME_HASH))) == 1
    (older,) = solved(harness, [other])
    solved(harness, [one])
    assert found(harness, other)[1].detail == f"as puzzle {older.id}"
    assert found(harness, one, other).keys() == {1, 2}
    delete_batch(harness.engine, 1)
    assert found(harness, other) == {}


def test_answers_from_the_same_source_are_preferred_to_newer_ones(harness: Harness) -> None:
    (older,) = solved(harness, [ONE])
    (newer, _) = solved(harness, [TWO, ONE], source="others.txt")
    again = found(harness, ONE, TWO)
    assert (again[1].id, again[2].id) == (older.id, newer.id)


def test_further_solutions_are_returned_on_request(harness: Harness) -> None:
    kept = (Kept(2, 7, "2" * 16), Kept(3, 5, "3" * 16))
    solved(harness, [ONE, TWO], further=kept, score=9)
    assert found(harness, ONE, TWO, further=True)[2].further == kept
    assert found(harness, ONE, TWO)[2].further == ()
    assert found(harness, ONE)[1].score == 9


def test_texts_too_long_for_an_index_are_compared_in_full(harness: Harness) -> None:
    solved(harness, [LONG], kind=Kind.COVER)
    assert found(harness, LONG, LONG[:-3] + ",[1]]}").keys() == {1}


def test_answers_of_a_batch_that_is_not_ready_are_skipped(harness: Harness) -> None:
    solved(harness, [ONE])
    with write(harness.engine) as connection:
        connection.execute(text("UPDATE batch SET ready = 0"))
    assert found(harness, ONE) == {}


def test_the_temporary_tables_are_dropped(harness: Harness) -> None:
    solved(harness, [ONE])
    for _ in range(3):
        found(harness, ONE)
    with read(harness.engine) as connection, pytest.raises(DBAPIError, match="reuse_wanted"):
        connection.execute(text("SELECT * FROM reuse_wanted"))


def test_batches_can_be_solved_while_known_answers_are_read(harness: Harness) -> None:
    solved(harness, [ONE])
    with known_answers(harness.engine, [[(1, ONE), (2, TWO)]], SAME.__eq__, source=SOURCE) as known:
        (other,) = solved(harness, [TWO])
        assert known.between(1, 2, further=False).position == (1,)
    assert found(harness, TWO)[1].id == other.id


def test_errors_are_raised_as_storage_errors(harness: Harness) -> None:
    twice = [[(1, ONE), (1, TWO)]]
    with (
        pytest.raises(StorageError),
        known_answers(harness.engine, twice, SAME.__eq__, source=SOURCE),
    ):
        pass
