"""Storing answers in bulk, and looking up which puzzles have one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage import answers
from storage.clock import now
from storage.database import read, write
from storage.errors import StorageError
from storage.queries.answers import find_answer
from storage.values import Answers, Puzzle
from tests.storage.harness import Harness, answer_to, puzzles_of

PUZZLES = 2000
#: consecutive, as in most chunks, or scattered, as after a retry
ids = st.lists(st.integers(1, 2 * PUZZLES), unique=True, max_size=20)


def test_stored_returns_the_answered_ids_of_any_list(on_sqlite: Harness) -> None:
    on_sqlite.submit(PUZZLES)
    (sent,) = on_sqlite.claim_new()
    odd = [answer_to(puzzle) for puzzle in puzzles_of(sent) if puzzle.id % 2]
    assert on_sqlite.store_answers(on_sqlite.must_take(sent.id), odd)

    @given(ids | ids.map(lambda some: list(range(min(some, default=1), min(some, default=1) + 9))))
    def check(some: list[int]) -> None:
        wanted = {id_ for id_ in some if id_ % 2 and id_ <= PUZZLES}
        with read(on_sqlite.engine) as connection:
            assert answers.stored(connection, some) == wanted

    check()


def test_stored_looks_up_thousands_of_scattered_ids(harness: Harness) -> None:
    harness.submit(20_000)
    (sent,) = harness.claim_new()
    every_tenth = [answer_to(puzzle) for puzzle in puzzles_of(sent)[::10]]
    assert harness.store_answers(harness.must_take(sent.id), every_tenth)
    asked = list(range(1, 20_000, 5))
    with read(harness.engine) as connection:
        assert answers.stored(connection, asked) == {answer.id for answer in every_tenth}


def test_no_answers_can_be_stored_and_looked_up(harness: Harness) -> None:
    batch = harness.submit(1)
    with write(harness.engine) as connection:
        answers.add(connection, batch.id, Answers.of([]), "ada", 1, now(connection))
        assert answers.stored(connection, []) == frozenset()


def test_an_answer_can_be_stored_without_a_worker(harness: Harness) -> None:
    batch = harness.submit(1)
    with write(harness.engine) as connection:
        bad = answer_to(Puzzle(batch.first_id, 1, None, "?"))
        answers.add(connection, batch.id, Answers.of([bad]), None, 0, now(connection))
        line = find_answer(connection, batch.first_id)
    assert (line.worker, line.attempts, line.puzzle) == (None, 0, "?")


def test_a_second_answer_to_a_puzzle_violates_a_constraint(harness: Harness) -> None:
    batch = harness.submit(1)
    one = answer_to(Puzzle(batch.first_id, 1, None, "?"))
    with write(harness.engine) as connection:
        answers.add(connection, batch.id, Answers.of([one]), "ada", 1, now(connection))
    with pytest.raises(StorageError, match=r"(?i)unique"), write(harness.engine) as connection:
        answers.add(connection, batch.id, Answers.of([one]), "bob", 2, now(connection))
    assert harness.answered() == [one.id]


def test_answers_of_a_batch_that_does_not_exist_are_rejected(harness: Harness) -> None:
    refused = pytest.raises(StorageError, match=r"(?i)foreign key")
    with refused, write(harness.engine) as connection:
        answers.add(
            connection,
            77,
            Answers.of([answer_to(Puzzle(1, 1, None, "?"))]),
            "ada",
            1,
            now(connection),
        )
    assert harness.answered() == []


@pytest.mark.parametrize("text", ["a\tb", "a\\nb", "\\N", "", "ä\"'", "100%", "a\nb"])
def test_any_text_is_read_as_it_was_stored(harness: Harness, text: str) -> None:
    batch = harness.submit(1)
    odd = answer_to(Puzzle(batch.first_id, 1, text, text))._replace(detail=text)
    with write(harness.engine) as connection:
        answers.add(connection, batch.id, Answers.of([odd]), "ada", 1, now(connection))
        line = find_answer(connection, batch.first_id)
    assert (line.label, line.puzzle, line.detail) == (text, text, text)
