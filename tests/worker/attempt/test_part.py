"""Searches that are divided, delivered in any order, interrupted and repeated; on SQLite."""

import logging
import os
import time
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from storage import batches
from storage.database import read, write
from storage.outbox import recovery, steering
from storage.packing import unpack_part
from storage.queries.answers import find_answer
from storage.queries.progress import read_progress
from storage.values import ChunkState
from tests.storage.harness import leases_last
from tests.worker.attempt.crew import Crew, cover, queens, whole
from tests.worker.attempt.test_deaths import Death
from tests.worker.attempt.toy import Toy
from tests.worker.conftest import QUEUE
from tests.worker.exact_cover.oracle import covers, problems
from worker import outages
from worker.attempt.chunk import attempt
from worker.options import Options
from worker.settings import Settings

Drawn = tuple[int, int, list[list[int]], list[int]]


@pytest.fixture
def crew(engine: Engine, settings: Settings) -> Crew:
    return Crew(engine, settings, Toy(nodes=3), Random(5))


def test_a_search_that_is_divided_has_the_answer_of_an_undivided_one(crew: Crew) -> None:
    options = Options(limit=None, keep=3)
    answer, further = crew.finish(crew.submit([queens(6)], options))
    expected = whole(queens(6), options)
    assert crew.parts()[0] > 10
    assert (answer.status, answer.complete) == ("solved", 1)
    assert (answer.solutions, answer.nodes) == (expected.solutions, expected.nodes)
    assert [answer.solution, *(one.text for one in further)] == [one.text for one in expected.kept]


@pytest.mark.parametrize("nodes", [3, 105])  # the best is found after the budget, or before
def test_the_best_score_of_a_divided_search_is_proven(crew: Crew, nodes: int) -> None:
    options = Options(target=True, keep=2)
    crew.toy = Toy(nodes=nodes)
    answer, further = crew.finish(crew.submit([queens(6)], options))
    scores = [one.score for one in whole(queens(6), options).kept]
    assert [answer.score, *(one.score for one in further)] == scores
    assert (answer.status, answer.bound, answer.complete) == ("solved", scores[0], 1)
    assert crew.parts()[0] > 0


@given(problems(), st.integers(0, 10**6), st.booleans(), st.integers(1, 3))
@hypothesis_settings(
    max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_workers_that_die_and_overtake_each_other_store_every_cover_once(
    crew: Crew, drawn: Drawn, seed: int, scored: bool, keep: int
) -> None:
    primary, secondary, options, costs = drawn
    assume(primary)
    text = cover(primary, options, secondary, costs)
    chance = Random(seed)
    crew.toy, crew.chance = Toy(nodes=1), chance
    leases_last(crew.engine, 1e-9)  # anyone may take it over
    batch = crew.submit([text], Options(limit=None, target=scored, every=scored, keep=keep))

    process = os.getpid()

    def event() -> None:
        luck = (
            chance.random() if os.getpid() == process else 1.0
        )  # in its own process death is proof
        if luck < 0.2:
            raise Death
        if luck < 0.4 and crew.open_chunks():
            crew.toy.event = None
            crew.attempt()  # perhaps at the same part, which is then overtaken
            crew.toy.event = event

    while crew.open_chunks():
        crew.toy.event = event
        with suppress(Death):
            crew.attempt()
    expected = covers(primary, secondary, options)
    answer, further = crew.finish(batch)
    found = [answer.solution, *(one.text for one in further)] if expected else []
    assert (answer.solutions, answer.complete) == (len(expected), 1)
    assert set(found) <= {" ".join(str(k + 1) for k in one) for one in expected}
    assert len(set(found)) == len(found) == min(keep, len(expected))
    if scored and expected:
        scores = sorted((-sum(costs[k] for k in one) for one in expected), reverse=True)
        assert [answer.score, *(one.score for one in further)] == scores[:keep]


def test_a_part_that_was_overtaken_stores_nothing(
    crew: Crew, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    leases_last(crew.engine, 1e-9)
    options = Options(limit=None)
    batch = crew.submit([queens(6)], options)
    crew.attempt()
    ((part, _),) = crew.open_chunks()[:1]

    def be_overtaken() -> None:
        crew.toy.event = None
        (again,) = [one for one in crew.open_chunks() if one[0] == part]
        assert attempt(crew.context, *again)

    crew.toy.event = be_overtaken
    (only,) = [one for one in crew.open_chunks() if one[0] == part]
    assert attempt(crew.context, *only)
    ends = [entry.getMessage().split()[3] for entry in caplog.records if "puzzle=" in entry.message]
    assert ends == ["end=done", "end=overtaken"]
    answer, _ = crew.finish(batch)
    assert (answer.solutions, answer.nodes) == (4, whole(queens(6), options).nodes)


def test_a_limit_ends_the_search_and_its_other_parts(crew: Crew) -> None:
    answer, _ = crew.finish(crew.submit([queens(7)], Options(limit=5)))
    assert (answer.status, answer.complete, answer.solutions) == ("solved", 0, 5)
    assert answer.nodes is not None
    assert answer.nodes < whole(queens(7), Options(limit=None)).nodes
    assert crew.parts()[1] == 0


def test_at_a_shutdown_the_rest_of_a_turn_is_stored_and_the_part_given_back(crew: Crew) -> None:
    batch = crew.submit([queens(6)], Options(limit=None))
    crew.attempt()
    before = crew.nodes(batch)
    crew.toy.fault = lambda: outages.set_ending(True)
    crew.attempt()
    assert crew.nodes(batch) > before
    with read(crew.engine) as connection:
        states = read_progress(connection, batch.id).chunks
    assert states[ChunkState.TAKEN] == 0
    outages.set_ending(False)
    crew.toy.fault = None
    assert crew.finish(batch)[0].solutions == 4


def test_the_parts_of_a_cancelled_batch_wait_for_a_retry(crew: Crew) -> None:
    options = Options(limit=None)
    batch = crew.submit([queens(6)], options)
    for _ in range(3):
        crew.attempt()
    with write(crew.engine) as connection:
        batches.cancel(connection, batch.id)
    done = crew.nodes(batch)
    assert not crew.attempt()
    with write(crew.engine) as connection:
        recovery.retry(connection, batch.id, queue=QUEUE)
    assert crew.nodes(batch) == done
    answer, _ = crew.finish(batch)
    assert (answer.solutions, answer.nodes) == (4, whole(queens(6), options).nodes)


def test_the_parts_of_a_paused_batch_wait_until_it_is_resumed(crew: Crew) -> None:
    options = Options(limit=None)
    batch = crew.submit([queens(6)], options)
    for _ in range(3):
        crew.attempt()
    with write(crew.engine) as connection:
        steering.pause(connection, batch.id)
    done = crew.nodes(batch)
    assert not crew.attempt()
    assert crew.nodes(batch) == done
    with write(crew.engine) as connection:
        assert steering.resume(connection, batch.id)
    answer, _ = crew.finish(batch)
    assert (answer.solutions, answer.nodes) == (4, whole(queens(6), options).nodes)


def test_a_search_that_timed_out_goes_on_after_a_retry(crew: Crew) -> None:
    options = Options(limit=None, timeout=1e-9)
    batch = crew.submit([queens(6)], options)
    crew.settings = replace(crew.settings, budget=1e-9)
    answer, _ = crew.finish(batch)
    assert (answer.status, answer.complete) == ("timeout", 0)
    with write(crew.engine) as connection:
        recovery.retry(connection, batch.id, queue=QUEUE, timeout=60.0)
    assert crew.nodes(batch) == answer.nodes
    answer, _ = crew.finish(batch)
    expected = whole(queens(6), options)
    assert (answer.status, answer.solutions, answer.nodes) == ("solved", 4, expected.nodes)


def test_the_time_limit_counts_what_it_takes_to_lay_out_a_part(crew: Crew) -> None:
    batch = crew.submit([queens(6)], Options(limit=None, timeout=60.0))
    crew.settings = replace(crew.settings, budget=1e-9)
    crew.attempt()
    crew.toy.event = lambda: time.sleep(0.2)
    crew.attempt()
    assert crew.elapsed(batch) >= 0.2


def test_a_part_whose_process_dies_each_time_fails_its_puzzle_and_no_other(crew: Crew) -> None:
    leases_last(crew.engine, 1e-9)
    batch = crew.submit([queens(6), queens(4)], Options(limit=None))
    process = os.getpid()

    def die() -> None:
        if os.getpid() != process:
            os._exit(3)
        raise Death

    while len(crew.open_chunks()) < 3:
        crew.attempt()
    fatal = crew.open_chunks()[-1]
    crew.toy.fault = die
    for _ in range(2):
        with pytest.raises(Death):
            attempt(crew.context, *fatal)
    assert attempt(crew.context, *fatal)  # in a process of its own
    crew.toy.fault = None
    crew.finish(batch)
    failed, _ = unpack_part(fatal[1])
    with read(crew.engine) as connection:
        one, other = (find_answer(connection, batch.first_id + k) for k in range(2))
    if one.id != failed:
        one, other = other, one
    assert (one.status, other.status) == ("failed", "solved")
    assert one.detail == "the solver ended its process with exit code 3"


def test_a_part_on_which_the_solver_fails_is_retried_on_demand(crew: Crew) -> None:
    options = Options(limit=None)
    batch = crew.submit([queens(6)], options)
    crew.attempt()

    def fail() -> None:
        crew.toy.fault = None
        raise MemoryError

    crew.toy.fault = fail
    answer, _ = crew.finish(batch)
    assert (answer.status, answer.detail) == ("failed", "the solver ran out of memory")
    with write(crew.engine) as connection:
        recovery.retry(connection, batch.id, queue=QUEUE)
    answer, _ = crew.finish(batch)
    assert (answer.solutions, answer.nodes) == (4, whole(queens(6), options).nodes)


def test_a_chunk_is_released_when_one_of_its_puzzles_becomes_a_search(crew: Crew) -> None:
    crew.toy = Toy(nodes=20)
    batch = crew.submit([queens(1), queens(6), queens(4)], Options(limit=None), chunk=3)
    crew.attempt()
    with read(crew.engine) as connection:
        assert find_answer(connection, batch.first_id).solutions == 1
        states = read_progress(connection, batch.id).chunks
    assert (states[ChunkState.TAKEN], states[ChunkState.DONE]) == (0, 0)
    crew.finish(batch)
    with read(crew.engine) as connection:
        found = [find_answer(connection, batch.first_id + k).solutions for k in range(3)]
    assert found == [1, 4, 2]


@pytest.mark.parametrize(
    ("puzzles", "options", "is_short"),
    [
        (1, Options(limit=None), True),
        (2, Options(limit=None), False),
        (1, Options(target=True), False),
        (1, Options(target=True, every=True), True),
    ],
)
def test_a_search_is_divided_early_if_processes_are_free_and_no_score_prunes(
    crew: Crew, puzzles: int, options: Options, is_short: bool
) -> None:
    crew.submit([queens(4)] * puzzles, options)
    crew.attempt()  # one of two processes takes a chunk, so the other has one or none
    (budget,) = crew.toy.budgets
    assert (budget < crew.settings.budget) == is_short


def test_a_batch_with_enough_waiting_chunks_makes_no_more_parts(crew: Crew) -> None:
    batch = crew.submit([queens(6)] * 5, Options(limit=None))
    first = crew.open_chunks()[0]
    attempt(crew.context, *first)
    assert crew.parts() == (1, 1)
    crew.finish(batch)
    assert crew.parts()[0] > 5
