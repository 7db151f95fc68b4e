"""What `status` and `show` tell about puzzles whose search is divided into parts."""

import json
import re

import pytest

from storage.values import Found
from tests.cli.conftest import Bullseye, Database
from tests.storage.searching.harness import SearchHarness

PARTS = [("[[1,2,3]]", 0.5, 2900), ("[[1,2,4]]", 0.155, 2880)]
BEGUN = Found(1, 1234, 100, [(2870, (1,), "1234341221434321")])


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


def test_the_best_score_and_its_bound_are_shown(bullseye: Bullseye, harness: SearchHarness) -> None:
    batch = harness.begin(PARTS, BEGUN, target=True)
    assert " · best 2870, at most 2900 · 2.00 s" in bullseye("status", batch.id).out


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
    assert "\ndivided into 2 parts · 3 worker processes · 2." in bullseye("show", 1).out
