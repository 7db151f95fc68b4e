"""What `status` and `show` tell about puzzles whose search is divided into parts."""

import json
import re

import pytest

from cli.progress.searches import SearchProcesses, SearchTimes, search_lines
from storage.batches import Batch
from storage.database import read
from storage.queries.progress import Progress, read_progress
from storage.values import Candidate, Gain
from tests.cli.conftest import Bullseye, Database
from tests.storage.searching.harness import GRID_SEARCHED, SearchHarness

PARTS = [("[[1,2,3]]", 0.5, 2900, ()), ("[[1,2,4]]", 0.155, 2880, ())]
BEGUN = Gain(1, 1234, 100, [Candidate(2870, (1,), "1234341221434321")])


def progress_of(harness: SearchHarness, batch: Batch) -> Progress:
    with read(harness.engine) as connection:
        return read_progress(connection, batch.id)


@pytest.fixture
def harness(database: Database) -> SearchHarness:
    return SearchHarness(database.engine)


def test_status_has_a_line_for_each_open_search(bullseye: Bullseye, harness: SearchHarness) -> None:
    batch = harness.begin(PARTS, BEGUN._replace(candidates=()))
    harness.must_take_part(harness.claim_parts()[0])
    shown = bullseye("status", batch.id).out
    assert " 34 %  0 / 1" in shown
    assert "  puzzle 1 · 34.5 % · 2 of 2 parts left · 1 process · 1,234 nodes · 1 solution" in shown
    assert re.match(r"1 +0 +1 +34 % +running", bullseye("status").out.splitlines()[1].strip())


def test_a_search_without_a_process_waits_for_a_turn_or_is_paused(
    bullseye: Bullseye, harness: SearchHarness
) -> None:
    batch = harness.begin(PARTS, BEGUN)
    assert "2 of 2 parts left · waiting for a turn · 1,234" in bullseye("status", batch.id).out
    assert "running" in bullseye("status").out
    harness.pause(batch)
    assert "2 of 2 parts left · paused · 1,234" in bullseye("status", batch.id).out


def test_a_process_is_shown_until_there_was_none_for_three_seconds(harness: SearchHarness) -> None:
    batch, times = harness.begin(PARTS, BEGUN), SearchProcesses()
    for second, taken, shown in ((0, 0, 0), (1, 2, 2), (2, 0, 2), (3, 1, 1), (5, 0, 1), (7, 0, 0)):
        found = progress_of(harness, batch)
        (search,) = found.open_searches
        measured = found._replace(open_searches=[search._replace(processes=taken)])
        assert times.update(float(second), measured).open_searches[0].processes == shown


def test_a_search_is_whole_on_80_columns(harness: SearchHarness) -> None:
    batch = harness.begin(PARTS, BEGUN._replace(solutions=10**60, nodes=10**15))
    found = progress_of(harness, batch)
    (line,) = search_lines(found, {})
    assert len(line) > 100
    lines = list(search_lines(found, {}, 80))
    assert max(map(len, lines)) <= 80
    assert " ".join(part.strip() for part in lines) == line.strip()
    many = found._replace(open_searches=[*found.open_searches] * 20, searches=21)
    assert len(list(search_lines(many, {}))) == 20 + 1
    assert list(search_lines(many, {}, 80)) == [*lines * 5, "  and 16 more puzzles in parts"]


def test_the_best_score_and_its_bound_are_shown(bullseye: Bullseye, harness: SearchHarness) -> None:
    batch = harness.begin(PARTS, BEGUN, target=True)
    assert " · best 2870, at most 2900 · 2.00 s" in bullseye("status", batch.id).out


def test_a_search_for_the_best_score_has_rounds_and_no_time_left(
    bullseye: Bullseye, harness: SearchHarness
) -> None:
    batch = harness.begin(PARTS, BEGUN, target=True)
    shown = bullseye("status", batch.id).out
    assert " · 34.5 % of this round · " in shown
    assert "min left" not in shown


def test_the_time_left_is_a_range(bullseye: Bullseye, harness: SearchHarness) -> None:
    searched = GRID_SEARCHED._replace(estimate="[90000, 100000, 110000]")
    batch = harness.begin(PARTS, BEGUN, searched=searched, timeout=1e6)
    assert re.search(r" · 2\.\d\d? s · \d\.\d–\d\.\d min left\n", bullseye("status", batch.id).out)
    (found,) = json.loads(bullseye("status", batch.id, "--json").out)["searches"]
    assert found["estimate"] == {"low": 90000, "likely": 100000, "high": 110000}
    left = found["seconds_left"]
    assert 60 < left["low"] < left["likely"] < left["high"] < 300


def test_a_limit_of_solutions_makes_the_time_left_an_upper_limit(
    bullseye: Bullseye, harness: SearchHarness
) -> None:
    searched = GRID_SEARCHED._replace(estimate="[90000, 100000, 110000]")
    batch = harness.begin(PARTS, BEGUN, searched=searched, timeout=1e6, limit=5)
    shown = bullseye("status", batch.id).out
    assert re.search(r" · at most \d\.\d–\d\.\d min left\n", shown)


def test_the_time_left_ends_with_the_time_limit(bullseye: Bullseye, harness: SearchHarness) -> None:
    searched = GRID_SEARCHED._replace(estimate="[90000, 100000, 110000]")
    batch = harness.begin(PARTS, BEGUN, searched=searched, timeout=30.0)
    assert " · 28.0 s left\n" in bullseye("status", batch.id).out


def test_the_rate_is_that_of_the_last_minute(harness: SearchHarness) -> None:
    searched = GRID_SEARCHED._replace(estimate="[1000000, 1000000, 1000000]")
    batch = harness.begin(PARTS, BEGUN, searched=searched, timeout=1e6)
    with read(harness.engine) as connection:
        progress = read_progress(connection, batch.id)
    (search,) = progress.open_searches
    times = SearchTimes()
    for second in range(300):
        nodes = 100_000 + 1000 * min(second, 200) + 10_000 * max(0, second - 200)
        after = progress._replace(open_searches=[search._replace(nodes=nodes, share=nodes / 1e6)])
        left = times.update(float(second), after)[search.id]
        assert left.low <= left.likely <= left.high
        if second == 200:
            assert left.likely == pytest.approx(700, rel=0.01)
    assert left.likely < 1  # the nodes of the estimate are visited


def test_json_lists_the_open_searches(bullseye: Bullseye, harness: SearchHarness) -> None:
    batch = harness.begin(PARTS, BEGUN)
    (found,) = json.loads(bullseye("status", batch.id, "--json").out)["searches"]
    assert (found["id"], found["parts"], found["open"]) == (1, 2, 2)
    assert found["share"] == pytest.approx(0.345)


def test_many_searches_are_counted(bullseye: Bullseye, harness: SearchHarness) -> None:
    batch = harness.submit_with(puzzles=22)
    (sent,) = harness.claim_new()
    harness.cut_all(sent, PARTS)
    shown = bullseye("status", batch.id).out
    assert shown.count(" parts left") == 20
    assert "  and 2 more puzzles in parts\n" in shown


def test_show_tells_how_many_parts_and_workers_a_search_took(
    bullseye: Bullseye, harness: SearchHarness
) -> None:
    harness.begin(PARTS, BEGUN)
    for sent, worker in zip(harness.claim_parts(), ("bob", "eve"), strict=True):
        assert harness.end_turn(harness.must_take_part(sent, worker), worker=worker)
    assert "\ndivided into 2 parts · 3 turns · 3 worker processes · 2." in bullseye("show", 1).out
