import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import perf_counter_ns, thread_time_ns

import pytest

from worker.compiling import cache
from worker.compiling.entry import entry
from worker.compiling.jit import compiled
from worker.compiling.numbers import Int
from worker.garbage import uncollected
from worker.stopwatch import Stopwatch


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let machine code be made, not loaded."""
    monkeypatch.setattr(cache, "_folders", lambda: (tmp_path,))


def new_function() -> Callable[[int], int]:
    """Return a function of which no process has machine code; it calls another."""

    @compiled
    def total(number: Int) -> Int:
        return sum(range(number))

    @entry(__file__)
    def one_more(number: Int) -> Int:
        return total(number) + 1

    return one_more


def call(function: Callable[[int], int]) -> int:
    """Return the nanoseconds that a call takes."""
    began = perf_counter_ns()
    assert function(4) == 7
    return perf_counter_ns() - began


def test_the_time_in_which_the_solver_is_compiled_counts_for_no_puzzle() -> None:
    watch = Stopwatch(timeout=0.01)
    took = call(new_function())
    assert took > 20_000_000
    assert watch.wall_ns < took / 2
    assert 0 <= watch.ns < took / 2


def test_the_time_in_which_stored_code_is_loaded_counts_for_no_puzzle() -> None:
    call(new_function())
    others = [new_function() for _ in range(9)]
    with uncollected():  # a collection would be the puzzle's time
        watch, began = Stopwatch(), thread_time_ns()
        for function in others:
            call(function)
        counted, took = watch.ns, thread_time_ns() - began
    assert 0 <= counted < took / 2


def test_a_free_threaded_python_is_refused(tmp_path: Path) -> None:
    code = (
        "import sysconfig, sys; sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1;"
        "from cli.main import run; sys.exit(run(['solve', '.' * 81, '--db', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "x.db"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: this Python is free-threaded: use one with a global interpreter lock\n"
    )


def test_the_time_of_another_thread_that_compiles_counts() -> None:
    watch = Stopwatch()
    thread = Thread(target=call, args=[new_function()])
    thread.start()
    thread.join()
    assert watch.wall_ns > 20_000_000
    assert watch.ns >= 0
