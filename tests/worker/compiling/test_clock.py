"""The time of a puzzle is CPU time: other processes on the same core do not add to it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Self

import pytest

from storage.values import Kind
from tests.worker.exact_cover.problems import queens
from worker.exact_cover.solve import solve
from worker.options import Options
from worker.solve import search

#: 20 clues and one solution; a core solves it in 0.03 ms
PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
#: processes that never pause, on the core of the test
RIVALS = 3
#: nanoseconds: a core that is shared changes processes every few milliseconds
SHORTEST_PAUSE = 1_000_000


@pytest.fixture
def busy_core() -> Iterator[None]:
    """Share one core with processes that never pause."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    endless = [sys.executable, "-c", "while True: pass"]
    rivals = [subprocess.Popen(endless) for _ in range(RIVALS)]
    try:
        yield
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
        os.sched_setaffinity(0, allowed)


class Elapsed:
    """Measures a block: wall time and CPU time of this thread, in nanoseconds."""

    def __enter__(self) -> Self:
        self.wall, self.cpu = -time.perf_counter_ns(), -time.thread_time_ns()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall += time.perf_counter_ns()
        self.cpu += time.thread_time_ns()


def times_of(puzzle: str, count: int) -> list[int]:
    """Return the times of so many copies of a puzzle, in nanoseconds."""
    found = search(Kind.SUDOKU, [puzzle] * count, Options())
    return [ns for outcomes in found for ns in outcomes.ns]


def test_copies_of_a_puzzle_take_the_same_time_on_a_busy_core(busy_core: None) -> None:
    times_of(PUZZLE, 1)
    with Elapsed() as elapsed:
        times = times_of(PUZZLE, 300)
    assert elapsed.wall > 2 * elapsed.cpu
    assert elapsed.cpu / 2 < sum(times) <= elapsed.cpu
    assert sum(ns > SHORTEST_PAUSE for ns in times) < 3  # a virtual machine may stop, too


def test_the_time_of_a_cover_is_cpu_time_on_a_busy_core(busy_core: None) -> None:
    problem = queens(12)
    with Elapsed() as elapsed:
        found = solve(problem)
    assert elapsed.wall > 2 * elapsed.cpu
    assert elapsed.cpu / 2 < found.ns <= elapsed.cpu


@pytest.mark.parametrize("target", [False, True])
def test_a_time_limit_is_wall_time_on_a_busy_core(busy_core: None, target: bool) -> None:
    options = Options(limit=None, target=target, every=target, timeout=0.5)
    with Elapsed() as elapsed:
        (outcome,) = [row for few in search(Kind.SUDOKU, ["." * 81], options) for row in few.rows()]
    assert outcome.timed_out
    assert 0.5e9 < elapsed.wall < 2e9
    assert outcome.ns < 0.4e9
