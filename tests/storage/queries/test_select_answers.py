"""Filters and order of `select_answers`, and errors in what the user writes."""

import re
import tracemalloc
from typing import Any

import pytest

from storage.database import read
from storage.errors import BadQuery, NoSuchBatch, NoSuchPuzzle
from storage.queries.answers import (
    count_answers,
    find_answer,
    further_solutions,
    select_answers,
)
from storage.values import Kept, Status
from storage.view import COLUMNS, OF_CLASSES, OF_FACTS
from tests.storage.harness import EXTRA, Harness, answer_to, answers_to, puzzles_of

#: a time as both databases return it
ISO_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
PUBLIC_COLUMNS = (
    "id batch position label kind size clues puzzle status solutions complete solution score bound "
    "nodes ms worker attempts solved_at detail batch_name solutions_text option_counts extra "
    "source line class canonical grid_class automorphisms "
    "minimal redundant placed candidates depth backdoor"
)


def selected(harness: Harness, **how: Any) -> list[int]:
    """Return the ids of the selected answers, in order."""
    with read(harness.engine) as connection:
        return [line.id for line in select_answers(connection, **how)]


@pytest.fixture
def filled(harness: Harness) -> Harness:
    """Puzzle 1 has one solution, 2 two, 3 none; 4 timed out, with two solutions; 5 is invalid."""
    batch = harness.submit(5)
    (sent,) = harness.claim_new()
    one, two, none, late, bad = puzzles_of(sent)
    given = [
        answer_to(one, ms=3.0, score=10),
        answer_to(two, ms=1.0, score=30, solutions=2),
        answer_to(none, ms=2.0, status=Status.NONE, solutions=0),
        answer_to(late, ms=9.0, status=Status.TIMEOUT, solutions=2, complete=False),
        answer_to(bad, ms=None, status=Status.INVALID, solutions=None),
    ]
    assert harness.store_answers(harness.must_take(sent.id), given)
    assert batch.first_id == 1
    return harness


def test_the_view_has_the_public_columns_in_order(filled: Harness) -> None:
    assert " ".join(COLUMNS) == PUBLIC_COLUMNS
    with read(filled.engine) as connection:
        (line, *_) = select_answers(connection)
        assert " ".join(line.named()) == PUBLIC_COLUMNS
        of_the_view = connection.exec_driver_sql("SELECT * FROM answers LIMIT 1").keys()
        assert " ".join(of_the_view) == PUBLIC_COLUMNS


def test_an_answer_is_read_as_it_was_stored(harness: Harness) -> None:
    batch = harness.submit(1, name="sunday")
    (sent,) = harness.claim_new()
    (puzzle,) = puzzles_of(sent)
    further = [Kept(2, 80, "2143"), Kept(3, None, "3412")]
    stored = answer_to(puzzle, score=81, further=further)._replace(detail="näher", label="a 'b'")
    assert harness.store_answers(harness.must_take(sent.id), [stored], worker="box-1")
    with read(harness.engine) as connection:
        line = find_answer(connection, puzzle.id)
        assert further_solutions(connection, puzzle.id) == further
    known = {**stored._asdict(), "batch": batch.id, "batch_name": "sunday", "solutions_text": None}
    known |= {"worker": "box-1", "attempts": 1, "extra": EXTRA}
    known |= {"source": batch.source, "line": None, **dict.fromkeys((*OF_CLASSES, *OF_FACTS))}
    del known["further"]
    shown = line.named()
    assert re.fullmatch(ISO_TIME, shown.pop("solved_at"))
    assert shown == {**known, "complete": 1, "status": "solved"}


@pytest.mark.parametrize(
    ("how", "ids"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"status": ["solved"]}, [1, 2]),
        ({"status": ["none", "invalid"]}, [3, 5]),
        ({"status": ["unique"]}, [1]),
        ({"status": ["multiple"]}, [2]),
        ({"status": ["unique", "none"]}, [1, 3]),
        ({"min_score": 11}, [2]),
        ({"where": "ms > 1 and solutions < 2"}, [1, 3]),
        ({"where": "ms > 1 -- all"}, [1, 3, 4]),
        ({"where": "ms = 1 or ms = 2", "status": ["none"]}, [3]),
        ({"where": "puzzle like '..%' and status <> ')'"}, [1, 2, 3, 4, 5]),
        ({"where": "ms > (select avg(ms) from answers)"}, [4]),
        ({"sort": ["ms"]}, [2, 3, 1, 4, 5]),
        ({"sort": ["-ms"]}, [4, 1, 3, 2, 5]),
        ({"sort": ["-id"]}, [5, 4, 3, 2, 1]),
        ({"sort": ["-solutions", "-ms"]}, [4, 2, 1, 3, 5]),
        ({"sort": ["-solutions", "ms"]}, [2, 4, 1, 3, 5]),
        ({"sort": ["kind", "-id", "ms"]}, [5, 4, 3, 2, 1]),
        ({"sort": ["-score"], "first": 1}, [2]),
        ({"first": 2}, [1, 2]),
        ({"offset": 3}, [4, 5]),
        ({"first": 2, "offset": 1}, [2, 3]),
        ({"offset": 10**30}, []),
        ({"first": 0}, []),
        ({"first": 10**30, "min_score": -(10**30)}, [1, 2]),
        ({"batch": 1, "where": "id > 4"}, [5]),
    ],
)
def test_answers_are_filtered_and_sorted(
    filled: Harness, how: dict[str, Any], ids: list[int]
) -> None:
    assert selected(filled, **how) == ids


@pytest.mark.parametrize(
    ("how", "number"),
    [
        ({}, 5),
        ({"batch": 1, "status": ["solved"]}, 2),
        ({"min_score": 11}, 1),
        ({"where": "ms > 1 -- all"}, 3),
        ({"where": "batch_name = 'nobody'"}, 0),
    ],
)
def test_answers_are_counted(filled: Harness, how: dict[str, Any], number: int) -> None:
    with read(filled.engine) as connection:
        assert count_answers(connection, **how) == number == len(selected(filled, **how))


def test_all_answers_are_counted_by_the_summaries_of_their_chunks(filled: Harness) -> None:
    partly, waiting = filled.submit(2, 1), filled.submit(3)
    filled.submit(1, ready=False)
    (one, *_) = filled.claim_new()
    assert filled.store_answers(filled.must_take(one.id), answers_to(one)[:1], done=False)
    filled.solve(filled.submit(4))
    filled.retry(filled.submit(1))
    with read(filled.engine) as connection:
        for number in (None, 1, partly.id, waiting.id):
            for status in ([], ["unique"], ["multiple", "timeout"], ["none"], ["solved"]):
                counted = count_answers(connection, batch=number, status=status)
                assert counted == len(list(select_answers(connection, batch=number, status=status)))


def test_a_condition_and_a_sort_key_may_use_any_column(filled: Harness) -> None:
    for column in COLUMNS:
        where = f"{column} is null or {column} is not null"
        assert sorted(selected(filled, where=where, sort=[f"-{column}"])) == [1, 2, 3, 4, 5]


def test_answers_are_selected_by_batch(filled: Harness) -> None:
    batch = filled.submit(2, 1)
    filled.solve(batch)
    assert selected(filled, batch=batch.id) == [6, 7, 8]
    with pytest.raises(NoSuchBatch):
        selected(filled, batch=77)


def test_a_puzzle_without_an_answer_raises_no_such_puzzle(harness: Harness) -> None:
    harness.submit(1)
    with read(harness.engine) as connection, pytest.raises(NoSuchPuzzle, match="puzzle 1 has no"):
        find_answer(connection, 1)


def test_reading_can_stop_before_the_last_answer(filled: Harness) -> None:
    with read(filled.engine) as connection:
        answers = select_answers(connection)
        assert next(answers).id == 1
    del answers  # after its transaction
    assert selected(filled, first=1) == [1]


# --- errors ---


@pytest.mark.parametrize(
    "where",
    [
        "1 = 1; DROP TABLE answer",
        "1 = 1) OR (1 = 1",
        "1 = 1) UNION SELECT * FROM answers --",
        "1 = 1) ; --",
        "ms >",
        "no_such_column = 1",
        "",
        "label = 'a",
        "E'\\'; COMMIT; DROP TABLE answer; --'",
    ],
)
def test_an_invalid_condition_is_rejected_in_one_sentence(filled: Harness, where: str) -> None:
    with pytest.raises(BadQuery, match=r"^--where .*: write one SQL condition .*'$"):
        selected(filled, where=where)
    assert selected(filled) == [1, 2, 3, 4, 5]


def test_the_databases_reason_is_part_of_the_message(filled: Harness) -> None:
    with pytest.raises(BadQuery, match="no_such"):
        selected(filled, where="no_such = 1")


@pytest.mark.parametrize(
    "how", [{"status": ["fine"]}, {"sort": ["speed"]}, {"sort": ["id; DROP TABLE answer"]}]
)
def test_an_unknown_status_or_column_is_rejected_with_the_known_ones(
    filled: Harness, how: dict[str, Any]
) -> None:
    with pytest.raises(BadQuery, match=r"there is no .*: (use solved|the columns are id), "):
        selected(filled, **how)


def test_a_read_transaction_sees_one_snapshot(harness: Harness) -> None:
    first = harness.submit(1)
    second = harness.submit(1)
    harness.solve(first)
    with read(harness.engine) as connection:
        before = [line.id for line in select_answers(connection)]
        harness.solve(second)
        assert [line.id for line in select_answers(connection)] == before
    assert len(harness.answered()) == 2


def test_answers_are_streamed(harness: Harness) -> None:
    batch = harness.submit(30_000)
    (sent,) = harness.claim_new()
    assert harness.store_answers(harness.must_take(sent.id), answers_to(sent))
    del sent
    with read(harness.engine) as connection:
        tracemalloc.start()
        number = sum(1 for _ in select_answers(connection, batch=batch.id))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert number == batch.puzzles
    assert most < 4 << 20  # all of them take ten times as much
