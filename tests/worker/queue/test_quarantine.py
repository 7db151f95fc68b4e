import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Sequence

import pytest

from storage.values import Puzzle
from tests.sudoku import grids, is_solution
from worker.options import Options
from worker.outcome import Outcomes
from worker.queue import chunk, quarantine

PUZZLE = Puzzle(7, 1, None, next(grids(5, 30)))


def be_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def be_ended() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def be_stuck() -> None:
    ctypes.PyDLL(None).sleep(60)


def want_memory() -> None:
    raise MemoryError


def leave() -> None:
    os._exit(3)


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        (be_killed, "the solver was killed (SIGKILL), as the system does when memory runs out"),
        (be_ended, "the solver died of SIGTERM"),
        (be_stuck, "the solver did not come back for 0.3 s"),
        (want_memory, "the solver ran out of memory"),
        (leave, "the solver ended its process with exit code 3"),
    ],
)
def test_a_deadly_puzzle_fails_with_the_cause_of_death(
    fault: Callable[[], None], detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(_texts: Sequence[str], _options: Options) -> Generator[Outcomes]:
        fault()
        yield Outcomes.of([])

    monkeypatch.setattr(chunk, "search", search)
    found = quarantine.solve(PUZZLE, Options(), lambda: True, 0.3)
    assert found is not None
    assert (found.id, found.status, found.detail) == (PUZZLE.id, "failed", detail)


def test_a_handler_of_this_process_does_not_hide_the_cause_of_death(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        test_a_deadly_puzzle_fails_with_the_cause_of_death(
            be_ended, "the solver died of SIGTERM", monkeypatch
        )
    finally:
        signal.signal(signal.SIGTERM, before)


def test_who_ends_the_whole_worker_is_not_the_puzzles_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = iter([False])

    def search(_texts: Sequence[str], _options: Options) -> Generator[Outcomes]:
        be_ended()
        yield Outcomes.of([])

    monkeypatch.setattr(chunk, "search", search)
    assert quarantine.solve(PUZZLE, Options(), lambda: next(asked), 0.3) is None


def test_an_innocent_puzzle_is_answered() -> None:
    found = quarantine.solve(PUZZLE, Options(), lambda: True, 60.0)
    assert found is not None
    assert is_solution(PUZZLE.text, found.solution or "")


def test_whoever_is_not_to_go_on_does_not_wait_for_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def search(_texts: Sequence[str], _options: Options) -> Generator[Outcomes]:
        be_stuck()
        yield Outcomes.of([])

    monkeypatch.setattr(chunk, "search", search)
    began = time.monotonic()
    assert quarantine.solve(PUZZLE, Options(), lambda: False, 60.0) is None
    assert time.monotonic() - began < 5
