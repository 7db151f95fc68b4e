"""Answers that are looked up through the extremes in summaries are those that a scan finds."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Connection

from storage.batches import Batch, find
from storage.database import read
from storage.queries import zones
from storage.queries.answers import count_answers, select_answers
from storage.values import Answer, Puzzle, Status
from tests.storage.harness import Harness, answer_to, puzzles_of
from tests.storage.queries.test_plans import plans_of

STATUSES: list[tuple[str, ...]] = [
    *((), ("solved",), ("none",), ("unique",), ("multiple", "none"), ("timeout", "failed")),
    ("solved", "timeout"),
]
ORDERS: tuple[list[str], ...] = (
    ["-ms"],
    ["-nodes"],
    ["-score"],
    ["-nodes", "-ms"],
    ["-score", "label"],
    ["ms"],
    [],
)


def random_answer(puzzle: Puzzle, rng: random.Random) -> Answer:
    status = rng.choice([*[Status.SOLVED] * 6, Status.NONE, Status.TIMEOUT, Status.FAILED])
    number = rng.choice([1, 1, 2]) if status is Status.SOLVED else 0
    score = rng.choice([None, rng.randrange(5)]) if number else None
    made = answer_to(
        puzzle,
        status=status,
        ms=rng.choice([None, float(rng.randrange(8))]),
        score=score,
        solutions=number,
        complete=number == 1,
    )
    return made._replace(nodes=rng.choice([None, rng.randrange(6)]))


@pytest.fixture
def filled(harness: Harness) -> Batch:
    """Random answers to a batch of small chunks, some of them retried, and to another batch."""
    rng = random.Random(7)
    batch = harness.submit(*[3] * 20)
    for again in range(2):
        while claimed := harness.claim_new():
            for one in claimed:
                found = [random_answer(puzzle, rng) for puzzle in puzzles_of(one)]
                assert harness.store_answers(harness.must_take(one.id), found)
        if not again:
            assert harness.retry(batch, size=2)
    harness.solve(harness.submit(4))
    return batch


def expected(
    rows: Sequence[Any], status: Sequence[str], least: int | None, sort: Sequence[str], first: int
) -> list[int]:
    """Return what a plain program selects."""
    wanted = [row for row in rows if not status or any(_has(row, one) for one in status)]
    if least is not None:
        wanted = [row for row in wanted if row.score is not None and row.score >= least]
    for key in reversed([*sort, "id"]):
        name, sign = key.removeprefix("-"), -1 if key.startswith("-") else 1
        present = [row for row in wanted if getattr(row, name) is not None]
        present.sort(key=lambda row: getattr(row, name), reverse=sign < 0)
        wanted = present + [row for row in wanted if getattr(row, name) is None]
    return [row.id for row in wanted[:first]]


def _has(row: Any, status: str) -> bool:
    if status == "unique":
        return bool(row.status == "solved" and row.solutions == 1 and row.complete)
    if status == "multiple":
        return bool(row.status == "solved" and row.solutions > 1)
    return bool(row.status == status)


@pytest.mark.parametrize("status", STATUSES, ids="-".join)
def test_the_first_answers_in_any_order_are_those_of_a_plain_program(
    harness: Harness, filled: Batch, status: Sequence[str]
) -> None:
    with read(harness.engine) as connection:
        everything = list(select_answers(connection))
        for whole, rows in (
            (None, everything),
            (filled.id, [row for row in everything if row.batch == filled.id]),
        ):
            for sort in ORDERS:
                for first in (1, 5, 19, 200):
                    found = select_answers(
                        connection, batch=whole, status=status, sort=sort, first=first
                    )
                    ids = [row.id for row in found]
                    assert ids == expected(rows, status, None, sort, first), (whole, sort, first)
            for least in (-1, 3, 4, 5):
                found = select_answers(connection, batch=whole, status=status, min_score=least)
                ids = [row.id for row in found]
                assert ids == expected(rows, status, least, [], len(rows)), (whole, least)
                number = count_answers(connection, batch=whole, status=status, min_score=least)
                assert number == len(ids)


def test_an_offset_skips_answers_of_the_same_order(harness: Harness, filled: Batch) -> None:
    with read(harness.engine) as connection:
        whole = [row.id for row in select_answers(connection, sort=["-ms"], first=12)]
        rest = [row.id for row in select_answers(connection, sort=["-ms"], first=4, offset=8)]
    assert rest == whole[8:]


def test_the_slowest_answers_are_found_without_a_scan(on_sqlite: Harness) -> None:
    batch = on_sqlite.submit(*[3] * 20)
    on_sqlite.solve(batch, [])

    def ask(connection: Connection) -> object:
        return list(select_answers(connection, batch=find(connection, 1).id, sort=["-ms"], first=2))

    *_, plan = plans_of(on_sqlite, ask)
    assert "SCAN answer" not in plan


def test_high_scores_in_many_zones_are_found_without_a_scan(on_sqlite: Harness) -> None:
    on_sqlite.submit(*[1] * 40)
    while claimed := on_sqlite.claim_new():
        for one in claimed:
            found = [answer_to(puzzle, score=puzzle.id % 2) for puzzle in puzzles_of(one)]
            assert on_sqlite.store_answers(on_sqlite.must_take(one.id), found)

    def ask(connection: Connection) -> object:
        return list(select_answers(connection, batch=1, min_score=1, first=10))

    *_, plan = plans_of(on_sqlite, ask)
    assert "SCAN answer" not in plan, plan


def test_answers_with_a_frequent_status_are_read_in_the_order_of_ids(
    on_sqlite: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zones, "MAX_SORTED_IDS", 3)
    batch = on_sqlite.submit(4)
    on_sqlite.solve(batch)
    how: dict[str, Any] = {"batch": batch.id, "status": ["solved"], "first": 2}
    *_, plan = plans_of(on_sqlite, lambda c: list(select_answers(c, **how)))
    assert not any("TEMP B-TREE" in line for line in plan), plan


def test_answers_with_a_rare_status_are_found_without_a_scan(on_sqlite: Harness) -> None:
    on_sqlite.submit(*[2] * 9)
    for number, one in enumerate(on_sqlite.claim_new()):
        found = [answer_to(puzzle) for puzzle in puzzles_of(one)]
        if number in (3, 7):
            found[1] = answer_to(puzzles_of(one)[1], status=Status.NONE, solutions=0)
        assert on_sqlite.store_answers(on_sqlite.must_take(one.id), found)
    ids: list[int] = []

    def ask(connection: Connection) -> object:
        ids.extend(row.id for row in select_answers(connection, status=["none"]))
        return ids

    *_, plan = plans_of(on_sqlite, ask)
    assert "SCAN answer" not in plan, plan
    assert ids == [8, 16]
