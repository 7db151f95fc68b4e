"""What is read about searches: their progress, what they took, and whether their totals agree."""

import pytest
from sqlalchemy import Engine, update

from storage.database import read, write
from storage.outbox import recovery
from storage.queries.answers import count_answers
from storage.queries.health import wrong_totals
from storage.queries.progress import read_progress
from storage.queries.searches import (
    Counted,
    OpenSearch,
    SearchWork,
    divided,
    find_counts,
    find_work,
    open_searches,
)
from storage.searches import parts, turns
from storage.tables import part
from storage.values import Candidate, Gain
from tests.storage.harness import QUEUE, Harness
from tests.storage.queries.test_plans import plans_of
from tests.storage.searching.harness import (
    GRID_SEARCHED,
    SearchHarness,
    nothing_follows,
    share_alone,
)

HALVES = [("[[1,2,3]]", 0.5, 90, ()), ("[[1,2,4]]", 0.25, 80, ())]
FOUND = Gain(1, 10, 100, [Candidate(70, (1,), "1234341221434321")])


@pytest.fixture
def harness(engine: Engine) -> SearchHarness:
    return SearchHarness(engine)


def test_an_open_search_is_described_from_its_row(harness: SearchHarness) -> None:
    searched = GRID_SEARCHED._replace(estimate="{}")
    batch = harness.begin(HALVES, FOUND, target=True, searched=searched)
    first, second = harness.claim_parts()
    harness.must_take_part(first)
    assert harness.end_turn(harness.must_take_part(second), Gain(0, 5, 50))
    with read(harness.engine) as connection:
        (found,) = open_searches(connection, batch.id)
        progress = read_progress(connection, batch.id)
        stored = count_answers(connection, batch=batch.id)
    assert 2.0 <= found.elapsed <= 3.0
    assert found._replace(elapsed=2.0) == OpenSearch(
        id=batch.first_id,
        position=1,
        label=None,
        share=0.5,
        progress=0.0,
        parts=2,
        open=1,
        processes=1,
        solutions=1,
        best=70,
        bound=90,
        nodes=15,
        elapsed=2.0,
        estimate="{}",
    )
    assert (progress.answered, progress.searches, progress.searched) == (0, 1, 0.0)
    assert stored == 0


def test_the_counts_of_parts_are_kept_by_the_options_below_which_they_began(
    harness: SearchHarness,
) -> None:
    batch = harness.begin([("a", 0.5, None, ()), ("b", 0.5, None, (7, 300))], Gain(3, 10, 100))
    first, second = (harness.must_take_part(sent) for sent in harness.claim_parts())
    assert harness.end_turn(first, Gain(10**30, 5, 50))
    further = ("d", 0.1, None, (7, 300, 2))
    assert harness.end_turn(second, Gain(1, 20, 50), [("c", 0.2, None, ()), further])
    with read(harness.engine) as connection:
        counts = find_counts(connection, batch.first_id)
        assert divided(connection, batch.id) == {batch.first_id}
        assert find_counts(connection, batch.first_id + 1) == []
    assert counts == [
        Counted((), 10**30 + 3, 15),
        Counted((7, 300), 1, 20),
        Counted((7, 300, 2), 0, 0),
    ]
    with write(harness.engine) as connection:
        connection.execute(update(part).values(path=None))
        assert find_counts(connection, batch.first_id) == []


def test_progress_never_falls(harness: SearchHarness) -> None:
    predictions = iter([0.3, 0.2, 0.4])
    batch = harness.begin(HALVES)
    shown = []
    for _ in range(3):
        (sent, *_) = harness.claim_parts() or (None,)
        assert sent is not None
        taken = harness.must_take_part(sent)
        assert harness.end_turn(
            taken, Gain(0, 5, 50), HALVES[:1], prediction=lambda *_: next(predictions)
        )
        shown.append(harness.search(batch)["progress"])
    assert shown == [0.3, 0.3, 0.4]


def test_the_work_on_a_search_is_known_after_its_end(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES, FOUND)
    for sent, worker in zip(harness.claim_parts(), ("bob", "eve"), strict=True):
        assert harness.end_turn(harness.must_take_part(sent, worker), worker=worker)
    with read(harness.engine) as connection:
        assert open_searches(connection, batch.id) == []
        work = find_work(connection, batch.first_id)
        assert find_work(connection, batch.first_id + 1) is None
    assert work is not None
    assert work == SearchWork(parts=2, turns=3, workers=3, elapsed=work.elapsed, cpu=1e-7)


def test_work_at_the_same_time_is_counted_once(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES, seconds=2.0)
    one, two = map(harness.must_take_part, harness.claim_parts())
    harness.time_passes(1.0)
    assert harness.end_turn(one, rest=HALVES[:1], seconds=1.0)
    assert harness.end_turn(two, rest=HALVES[1:], seconds=1.0)
    assert harness.search(batch)["elapsed"] == pytest.approx(3.0, abs=0.5)


def test_time_without_a_worker_is_not_counted(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES, seconds=2.0)
    harness.time_passes(3600.0)
    (taken, _) = map(harness.must_take_part, harness.claim_parts())
    assert harness.end_turn(taken, rest=HALVES[:1], seconds=1.0)
    assert harness.search(batch)["elapsed"] == pytest.approx(3.0)


def test_totals_that_differ_from_the_sums_over_parts_are_found(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES, FOUND)
    for sent in harness.claim_parts():
        assert harness.end_turn(harness.must_take_part(sent), Gain(10**30, 5, 50))
    with write(harness.engine) as connection:
        assert wrong_totals(connection) == []
        connection.execute(update(part).values(nodes=part.c.nodes + 1))
        assert wrong_totals(connection) == [batch.first_id]


def test_the_statements_of_parts_use_indexes(on_sqlite: Harness) -> None:
    harness = SearchHarness(on_sqlite.engine)
    batch = harness.begin(HALVES, FOUND, target=True)
    one, two = harness.claim_parts()
    taken = harness.must_take_part(one)
    for statement in (
        lambda connection: parts.take(connection, two.id, two.puzzles, "bob"),
        lambda connection: turns.end(
            *(connection, taken, FOUND, [*HALVES, *HALVES]),
            worker="ada",
            seconds=1.0,
            following=nothing_follows,
            prediction=share_alone,
        ),
        lambda connection: open_searches(connection, batch.id),
        lambda connection: find_work(connection, batch.first_id),
        lambda connection: read_progress(connection, batch.id),
        lambda connection: recovery.retry(connection, batch.id, queue=QUEUE + "2"),
    ):
        for plan in plans_of(on_sqlite, statement):
            scanned = {line.removeprefix("SCAN ") for line in plan if line.startswith("SCAN")}
            assert not scanned & {"chunk", "part", "search", "candidate", "answer"}, plan
