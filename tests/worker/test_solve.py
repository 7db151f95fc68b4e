"""Puzzles of every kind: the order of outcomes, slices and time limits."""

import json
import subprocess
import sys
import time
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import worker
from storage.values import Kind
from tests.worker.solving import P1074, every, one
from worker.compiling.entry import Entry
from worker.estimate.estimate import estimate
from worker.estimate.sample import visit_sample
from worker.exact_cover.costs.dual import tighten
from worker.exact_cover.parts.path import follow, leave
from worker.exact_cover.search import search_slice
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search, warm_up, warm_up_all, warm_up_covers, warm_up_grids
from worker.sudoku.entries import solve_grids, solve_in_lanes

pytestmark = pytest.mark.usefixtures("warm")

EMPTY = "." * 81
TOY = json.dumps({"items": 3, "secondary": 1, "options": [[1, 4], [2, 4], [1], [2, 3], [3]]})
DENSE = json.dumps({"items": 2, "options": [[1, 2]] * 20, "costs": list(range(20))})
CONTRADICTION = "11" + "." * 79
TEXTS = [P1074[0], "." * 16, TOY, CONTRADICTION, "no puzzle", "", "{}", "11" + "." * 14]


def timeless(outcomes: list[Outcome]) -> list[Outcome]:
    return [outcome._replace(ns=0) for outcome in outcomes]


@given(st.lists(st.sampled_from(TEXTS), max_size=12), st.booleans())
def test_outcomes_are_in_the_order_of_the_texts_for_every_kind(
    texts: list[str], target: bool
) -> None:
    alone = {text: one(text, Options(target=target)) for text in texts}
    together = every(texts, Options(target=target))
    assert timeless(together) == timeless([alone[text] for text in texts])


def test_the_outcomes_do_not_depend_on_the_length_of_slices() -> None:
    texts = [*P1074, TOY, *P1074, "." * 16] * 3
    options = Options(limit=300, keep=7)
    whole = timeless(every(texts, options))
    for seconds in (0.0, 1e-6, 1e-4):
        assert timeless(every(texts, options, seconds)) == whole


@pytest.mark.parametrize("text", [EMPTY, "." * 256, "." * 625])
def test_search_yields_after_every_slice_and_can_be_closed(text: str) -> None:
    searching = search(Kind.SUDOKU, [text], Options(limit=None, timeout=60), 0.01)
    began = time.thread_time()
    assert [len(next(searching).ns) for _ in range(5)] == [0] * 5
    assert time.thread_time() - began < 2
    searching.close()


def test_the_time_of_a_puzzle_is_that_of_all_its_slices() -> None:
    began = time.thread_time_ns()
    outcome = every([EMPTY], Options(limit=None, timeout=0.2), 0.02)[0]
    ran = time.thread_time_ns() - began
    assert ran / 2 < outcome.ns <= ran


def test_each_puzzle_has_its_own_time_limit() -> None:
    outcomes = every([EMPTY, P1074[0], EMPTY], Options(limit=None, timeout=0.05), 0.02)
    assert [outcome.timed_out for outcome in outcomes] == [True, False, True]
    assert outcomes[1].complete


@pytest.mark.parametrize("size", [81, 256, 625])
@pytest.mark.parametrize("target", [False, True])
def test_a_time_limit_of_milliseconds_holds(size: int, target: bool) -> None:
    weights = tuple(range(size)) if target else None
    options = Options(None, target, weights, every=target, timeout=0.004)
    took = []
    for _ in range(5):
        began = time.perf_counter_ns()
        outcome = one("." * size, options)
        assert time.perf_counter_ns() - began >= 4_000_000
        assert outcome.timed_out
        assert not outcome.complete
        took.append(outcome.ns)
    assert sorted(took)[2] < 10_000_000  # other programs may disturb some


def test_a_time_limit_of_zero_is_a_timeout() -> None:
    outcomes = every([EMPTY, P1074[0], TOY], Options(timeout=0))
    assert [outcome.timed_out for outcome in outcomes] == [True] * 3


@pytest.mark.parametrize("timeout", [1e300, float("inf")])
def test_a_time_limit_may_be_infinite(timeout: float) -> None:
    assert one(P1074[0], Options(limit=None, timeout=timeout)).complete
    assert one(TOY, Options(limit=None, timeout=timeout)).complete


def test_without_texts_there_are_no_outcomes() -> None:
    assert every([], Options()) == []


def test_warming_up_leaves_nothing_to_compile() -> None:
    warm_up()
    warm_up_grids()
    warm_up_covers()
    every([*P1074, TOY, DENSE, "." * 256, "." * 625], Options(keep=100))
    every([*P1074, DENSE], Options(target=True, keep=100))
    for kind, text in ((Kind.COVER, TOY), (Kind.COVER, DENSE), (Kind.SUDOKU, EMPTY)):
        estimate(kind, text, Options(limit=None), short_nodes=0, sample_nodes=[10])
    # One compiled version serves every kind and size; a search has one for each form of the tables.
    entries: tuple[Any, ...] = (
        *(solve_in_lanes, solve_grids, tighten, search_slice),
        *(leave, follow, visit_sample),
    )
    assert [len(entry.natives) for entry in entries] == [1, 1, 1, 2, 2, 2, 2]


def test_a_start_compiles_only_what_short_searches_of_9x9_grids_need() -> None:
    code = (
        "from worker.solve import warm_up, warm_up_grids; warm_up();"
        "from worker.sudoku.entries import presolve_grid, solve_grids, solve_in_lanes;"
        "from worker.exact_cover.search import search_slice;"
        "from worker.exact_cover.parts.path import leave, follow;"
        "from worker.estimate.sample import visit_sample;"
        "from worker.counting.search import memo_slice;"
        "entries = (solve_in_lanes, solve_grids, presolve_grid, search_slice,"
        " leave, follow, visit_sample, memo_slice);"
        "print([len(entry.natives) for entry in entries]);"
        "warm_up_grids(); print([len(entry.natives) for entry in entries])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[1, 0, 0, 0, 0, 0, 0, 0]\n[1, 1, 1, 1, 1, 1, 1, 0]\n"


def test_warming_up_all_leaves_nothing_to_compile() -> None:
    warm_up_all()
    coloured = {"items": 1, "secondary": 1, "options": [[1, 2], [1]], "colours": [[[2, "A"]], []]}
    every([TOY, DENSE, json.dumps(coloured)], Options(set_cover=True, keep=20))
    multiple = {"items": 1, "options": [[1], [1]], "multiplicities": [[0, 1]]}
    every([json.dumps(multiple), json.dumps({**coloured, **multiple})], Options(limit=None))
    every([json.dumps({**multiple, "costs": [1, 2]})], Options(target=True))
    compiled = {
        (entry.function.__module__, entry.function.__name__): len(entry.natives)
        for _, name, _ in walk_packages(worker.__path__, "worker.")
        if name != "worker.app"  # it reads the environment
        for entry in vars(import_module(name)).values()
        if isinstance(entry, Entry)
    }
    assert len(compiled) >= 14
    assert [name for name, number in compiled.items() if not number] == []
    assert {n for (name, _), n in compiled.items() if "multi" in name or "set" in name} == {1}
