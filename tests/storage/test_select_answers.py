"""Answers picked in the user's own words."""

import tracemalloc
from typing import Any

import pytest

from storage.database import read
from storage.errors import BadQuery, NoSuchBatch, NoSuchPuzzle
from storage.queries.answers import find_answer, further_solutions, select_answers
from storage.tables import COLUMNS
from storage.values import Kept, Status
from tests.storage.shop import Shop, answer_to, answers_to, puzzles_of

CONTRACT = (
    "id batch position label kind size clues puzzle status solutions complete solution score bound "
    "nodes ms worker attempts solved_at detail"
)


def picked(shop: Shop, **how: Any) -> list[int]:
    """Ids of the answers, in the order they come."""
    with read(shop.engine) as connection:
        return [line.id for line in select_answers(connection, **how)]


@pytest.fixture
def filled(shop: Shop) -> Shop:
    """Puzzle 1 has one solution, 2 two, 3 none; 4 timed out, with two solutions; 5 is absurd."""
    batch = shop.submit(5)
    (sent,) = shop.publish()
    one, two, none, late, bad = puzzles_of(sent)
    given = [
        answer_to(one, ms=3.0, score=10),
        answer_to(two, ms=1.0, score=30, solutions=2),
        answer_to(none, ms=2.0, status=Status.NONE, solutions=0),
        answer_to(late, ms=9.0, status=Status.TIMEOUT, solutions=2, complete=False),
        answer_to(bad, ms=None, status=Status.INVALID, solutions=None),
    ]
    assert shop.finish(shop.taken(sent.id), given)
    assert batch.first_id == 1
    return shop


def test_the_columns_are_those_that_people_were_promised(filled: Shop) -> None:
    assert " ".join(COLUMNS) == CONTRACT
    with read(filled.engine) as connection:
        (line, *_) = select_answers(connection)
        assert " ".join(line._fields) == CONTRACT
        of_the_view = connection.exec_driver_sql("SELECT * FROM answers LIMIT 1").keys()
        assert " ".join(of_the_view) == CONTRACT


def test_an_answer_comes_back_as_it_was_stored(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    (puzzle,) = puzzles_of(sent)
    further = [Kept(2, 80, "2143"), Kept(3, None, "3412")]
    stored = answer_to(puzzle, score=81, further=further)._replace(detail="näher", label="a 'b'")
    assert shop.finish(shop.taken(sent.id), [stored], worker="box-1")
    with read(shop.engine) as connection:
        line = find_answer(connection, puzzle.id)
        assert further_solutions(connection, puzzle.id) == further
    known = {**stored._asdict(), "batch": batch.id, "worker": "box-1", "attempts": 1}
    known.pop("further")
    shown = line._asdict()
    assert shown.pop("solved_at").endswith("Z")
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
        ({"where": "ms > 1 or 1 = 1 -- (all"}, None),
        ({"where": "ms > 1 -- all"}, [1, 3, 4]),
        ({"where": "ms = 1 or ms = 2", "status": ["none"]}, [3]),
        ({"where": "puzzle like '..%' and status <> ')'"}, [1, 2, 3, 4, 5]),
        ({"where": "ms > (select avg(ms) from answers)"}, [4]),
        ({"sort": "ms"}, [2, 3, 1, 4, 5]),
        ({"sort": "-ms"}, [4, 1, 3, 2, 5]),
        ({"sort": "-id"}, [5, 4, 3, 2, 1]),
        ({"sort": "-score", "first": 1}, [2]),
        ({"first": 2}, [1, 2]),
        ({"first": 0}, []),
        ({"first": 10**30, "min_score": -(10**30)}, [1, 2]),
        ({"batch": 1, "where": "id > 4"}, [5]),
    ],
)
def test_answers_are_picked(filled: Shop, how: dict[str, Any], ids: list[int] | None) -> None:
    if ids is None:
        with pytest.raises(BadQuery):
            picked(filled, **how)
    else:
        assert picked(filled, **how) == ids


def test_answers_are_picked_by_batch(filled: Shop) -> None:
    batch = filled.submit(2, 1)
    filled.solve(batch)
    assert picked(filled, batch=batch.id) == [6, 7, 8]
    with pytest.raises(NoSuchBatch):
        picked(filled, batch=77)


def test_a_puzzle_without_an_answer_is_said_to_have_none(shop: Shop) -> None:
    shop.submit(1)
    with read(shop.engine) as connection, pytest.raises(NoSuchPuzzle, match="puzzle 1 has no"):
        find_answer(connection, 1)


def test_half_of_the_answers_may_be_enough(filled: Shop) -> None:
    with read(filled.engine) as connection:
        answers = select_answers(connection)
        assert next(answers).id == 1
    del answers  # after its transaction
    assert picked(filled, first=1) == [1]


# --- what is refused ---


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
def test_what_is_no_condition_is_refused_in_one_sentence(filled: Shop, where: str) -> None:
    with pytest.raises(BadQuery, match=r"^--where .*: write one SQL condition .*'$"):
        picked(filled, where=where)
    assert picked(filled) == [1, 2, 3, 4, 5]


def test_the_databases_own_words_are_told(filled: Shop) -> None:
    with pytest.raises(BadQuery, match="no_such"):
        picked(filled, where="no_such = 1")


@pytest.mark.parametrize(
    "how", [{"status": ["fine"]}, {"sort": "speed"}, {"sort": "id; DROP TABLE answer"}]
)
def test_an_unknown_status_or_column_is_refused_with_those_that_are_known(
    filled: Shop, how: dict[str, Any]
) -> None:
    with pytest.raises(BadQuery, match=r"there is no .*: (use solved|sort by one of id), "):
        picked(filled, **how)


def test_a_read_sees_one_moment(shop: Shop) -> None:
    first = shop.submit(1)
    second = shop.submit(1)
    shop.solve(first)
    with read(shop.engine) as connection:
        before = [line.id for line in select_answers(connection)]
        shop.solve(second)
        assert [line.id for line in select_answers(connection)] == before
    assert len(shop.answered()) == 2


def test_answers_are_streamed(shop: Shop) -> None:
    batch = shop.submit(30_000)
    (sent,) = shop.publish()
    assert shop.finish(shop.taken(sent.id), answers_to(sent))
    del sent
    with read(shop.engine) as connection:
        tracemalloc.start()
        number = sum(1 for _ in select_answers(connection, batch=batch.id))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert number == batch.puzzles
    assert most < 4 << 20  # all of them take ten times as much
