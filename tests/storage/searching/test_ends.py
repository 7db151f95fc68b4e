"""A search ends at its limits, on failure and by deletion; `retry` continues it."""

import pytest
from sqlalchemy import Engine, func, select

from storage.database import read, write
from storage.outbox.removal import content, delete_batch
from storage.queries.answers import find_answer, further_solutions
from storage.searches import candidates
from storage.tables import metadata
from storage.values import Candidate, Gain, PartRow
from tests.storage.searching.harness import NOTHING, SearchHarness

HALVES: list[PartRow] = [("[[1,2,3]]", 0.5, None, ()), ("[[1,2,4]]", 0.5, None, ())]
SCORED: list[PartRow] = [("[[1,2,3]]", 0.5, 90, ()), ("[[1,2,4]]", 0.5, 80, ())]


@pytest.fixture
def harness(engine: Engine) -> SearchHarness:
    return SearchHarness(engine)


def candidate(place: int, score: int | None = None) -> Candidate:
    return Candidate(score, (place, 1), f"solution {place}")


def test_the_time_limit_ends_all_parts_and_keeps_what_was_found(harness: SearchHarness) -> None:
    batch = harness.begin(SCORED, Gain(1, 10, 100, [candidate(1, 70)]), target=True, timeout=5.0)
    first, second = map(harness.must_take_part, harness.claim_parts())
    assert (first.seconds, first.best) == (3.0, 70)
    harness.time_passes(60.0)
    assert harness.end_turn(first, Gain(1, 20, 200, [candidate(2, 75)]), SCORED[:1], seconds=4.0)
    assert not harness.end_turn(second, Gain(1, 20, 200, [candidate(2, 79)])), "it has ended"
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
    assert (answer.status, answer.complete, answer.solution) == ("timeout", 0, "solution 2")
    assert (answer.score, answer.bound, answer.solutions, answer.nodes) == (75, 90, None, 30)
    assert harness.claim_new() == []


def test_retry_continues_a_search_that_timed_out_with_a_new_time_limit(
    harness: SearchHarness,
) -> None:
    batch = harness.begin(HALVES, Gain(1, 10, 100, [candidate(1)]), timeout=2.0, keep=2)
    first, _ = map(harness.must_take_part, harness.claim_parts())
    assert harness.end_turn(first, Gain(1, 20, 200), [("[[5,6,7]]", 0.1, None, ())])
    assert harness.answered(batch) == [batch.first_id]
    assert harness.retry(batch, timeout=9.0) == 1
    assert harness.retry(batch) == 0
    assert harness.answered(batch) == []
    again = [harness.must_take_part(sent) for sent in harness.claim_parts()]
    assert {one.levels for one in again} == {"[[5,6,7]]", "[[1,2,4]]"}
    assert [one.seconds for one in again] == [9.0, 9.0]
    for one in again:
        assert harness.end_turn(one, Gain(1, 30, 300, [candidate(2 + again.index(one))]))
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
        further = further_solutions(connection, batch.first_id)
    assert (answer.status, answer.complete) == ("solved", 1)
    assert (answer.solutions, answer.nodes) == (4, 90)
    assert [answer.solution, *(one.text for one in further)] == ["solution 1", "solution 2"]


def test_the_limit_of_solutions_ends_all_parts(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES, Gain(1, 10, 100, [candidate(5)]), limit=3, keep=4)
    first, second = map(harness.must_take_part, harness.claim_parts())
    found = Gain(3, 20, 200, [candidate(place) for place in (2, 3, 4)])
    assert harness.end_turn(first, found, HALVES[:1])
    assert not harness.end_turn(second, found)
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
        further = further_solutions(connection, batch.first_id)
    assert (answer.status, answer.solutions, answer.complete) == ("solved", 3, 0)
    assert [answer.solution, *(one.text for one in further)] == [
        "solution 2",
        "solution 3",
        "solution 4",
    ]
    assert harness.retry(batch) == 0
    assert harness.search(batch)["open"] == 0


def test_a_part_that_fails_makes_the_answer_failed_when_the_others_have_ended(
    harness: SearchHarness,
) -> None:
    batch = harness.begin(HALVES, Gain(1, 10, 100, [candidate(5)]))
    first, second = map(harness.must_take_part, harness.claim_parts())
    assert harness.fail(first, "the solver ran out of memory")
    assert harness.answered(batch) == []
    assert harness.end_turn(second, Gain(1, 1, 1))
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
    assert (answer.status, answer.detail) == ("failed", "the solver ran out of memory")
    assert (answer.solutions, answer.solution, answer.complete) == (2, "solution 5", 0)
    assert harness.retry(batch) == 1
    (sent,) = harness.claim_parts()
    assert harness.end_turn(harness.must_take_part(sent))
    with read(harness.engine) as connection:
        assert find_answer(connection, batch.first_id).status == "solved"


def test_a_cancelled_search_continues_in_another_queue(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES, Gain(1, 10, 100))
    first, second = map(harness.must_take_part, harness.claim_parts())
    assert harness.cancel(batch)
    assert harness.end_turn(first, Gain(1, 20, 200), [("[[5,6,7]]", 0.1, None, ())])
    assert harness.claim_parts() == []
    assert harness.retry(batch, queue="other") == 1
    assert not harness.end_turn(second, Gain(1, 30, 300)), "it was given to another worker"
    levels = set()
    for sent in harness.claim_new("other"):
        taken = harness.must_take_part(sent)
        levels.add(taken.levels)
        assert not harness.end_turn(second, Gain(1, 30, 300)), "it was given to another worker"
        assert harness.end_turn(taken, Gain(1, 30, 300))
    assert levels == {"[[5,6,7]]", "[[1,2,4]]"}
    with read(harness.engine) as connection:
        assert find_answer(connection, batch.first_id).solutions == 4


def test_only_the_best_candidates_are_kept(harness: SearchHarness) -> None:
    first = Gain(3, 1, 1, [candidate(9, 70), candidate(8, 60), candidate(7, 70)])
    batch = harness.begin(SCORED, first, target=True, keep=3)
    (sent, other) = harness.claim_parts()
    taken = harness.must_take_part(sent)
    assert taken.best == 60
    assert harness.end_turn(taken, Gain(2, 1, 1, [candidate(1, 80), candidate(2, 50)]))
    last = harness.must_take_part(other)
    assert last.best == 70
    assert harness.search(batch)["bound"] == 80
    assert harness.end_turn(last, Gain(1, 1, 1, [candidate(3, 70)]))
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
        further = further_solutions(connection, batch.first_id)
    kept = [(answer.score, answer.solution), *((one.score, one.text) for one in further)]
    assert kept == [(80, "solution 1"), (70, "solution 3"), (70, "solution 7")]


def test_deleting_a_batch_deletes_its_searches(harness: SearchHarness) -> None:
    kept = harness.begin(HALVES, Gain(1, 10, 100, [candidate(5)]))
    for taken in map(harness.must_take_part, harness.claim_parts()):
        assert harness.end_turn(taken)
    before = rows(harness)
    batch = harness.begin(HALVES, Gain(1, 10, 100, [candidate(5)]))
    first, second = map(harness.must_take_part, harness.claim_parts())
    assert harness.end_turn(first)
    harness.cancel(batch)
    assert sorted(delete_batch(harness.engine, batch.id)) == [second.lease.chunk_id]
    assert not harness.end_turn(second, NOTHING)
    assert rows(harness) == before
    with read(harness.engine) as connection:
        assert content(connection, kept.id).answers == 1


def rows(harness: SearchHarness) -> dict[str, int]:
    """Return the number of rows in each table."""
    with read(harness.engine) as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }


@pytest.mark.attack
@pytest.mark.parametrize("count", [66_000, pytest.param(260_000, marks=pytest.mark.soak)])
def test_any_number_of_solutions_is_kept(harness: SearchHarness, count: int) -> None:
    found = [candidate(place, place) for place in range(count)]
    batch = harness.begin(SCORED, Gain(1, 1, 1, found[:9]), keep=count, target=True)
    with write(harness.engine) as connection:
        candidates.add(connection, batch.first_id, found, count)
        best = candidates.best(connection, batch.first_id, 2 * count)
    assert best == [(score, text) for score, _, text in reversed(found)]
