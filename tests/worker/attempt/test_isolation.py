"""Work that ends its process, in real child processes."""

import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator

import pytest

from storage.values import Answer, Kind, Puzzle, Puzzles
from tests.sudoku import grids, is_solution
from worker import outages
from worker.attempt.isolation import solved, watching
from worker.attempt.solver import Results, Solver
from worker.errors import SolverFailed
from worker.options import Options
from worker.outcome import Outcomes

PUZZLE = Puzzle(7, 1, None, next(grids(5, 30)))
SILENCE_SECONDS = 0.3


def be_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def be_terminated() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def exit_with_3() -> None:
    os._exit(3)


def raise_an_error() -> None:
    raise RuntimeError


def be_stuck() -> None:
    """Block as a kernel does that never returns: no other Python code can run meanwhile."""

    def slices() -> Iterator[None]:
        yield ctypes.PyDLL(None).sleep(60)

    with watching(SILENCE_SECONDS):
        next(slices())


class Stop(Exception):
    """Raised to kill the child process."""


def go_on() -> None:
    """Let the child process go on."""


def stop() -> None:
    raise Stop


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (be_killed, "the solver was killed (SIGKILL), as the system does when memory runs out"),
        (be_terminated, "the solver died of SIGTERM"),
        (be_stuck, "the solver did not return within 0.3 s"),
        (exit_with_3, "the solver ended its process with exit code 3"),
        (raise_an_error, f"the solver ended its process with exit code {os.EX_SOFTWARE}"),
    ],
)
def test_a_process_that_dies_is_reported_with_the_cause(
    work: Callable[[], None], reason: str
) -> None:
    with pytest.raises(SolverFailed) as death:
        solved(work, SILENCE_SECONDS, go_on)
    assert str(death.value) == reason


def test_a_signal_handler_of_the_worker_does_not_hide_the_cause_of_death() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with pytest.raises(SolverFailed, match="SIGTERM"):
        solved(be_terminated, SILENCE_SECONDS, go_on)


def test_a_process_that_dies_during_a_shutdown_is_not_reported() -> None:
    def shut_down_and_die() -> None:
        outages.set_ending(True)  # in memory that the processes share
        be_terminated()

    def stop_at_a_shutdown() -> None:
        if outages.is_ending():
            raise Stop

    with pytest.raises(Stop):
        solved(shut_down_and_die, SILENCE_SECONDS, stop_at_a_shutdown)


def test_a_process_in_the_middle_of_its_work_is_killed_at_a_shutdown() -> None:
    began = time.monotonic()
    with pytest.raises(Stop):
        solved(lambda: time.sleep(250), SILENCE_SECONDS, stop)
    assert time.monotonic() - began < 100


def test_a_process_ends_when_its_parent_is_killed() -> None:
    reader, writer = os.pipe()  # its reader sees the end when the last process has closed it

    def begin() -> None:
        os.write(writer, b"begun")
        time.sleep(60)

    parent = os.fork()
    if parent == 0:
        solved(begin, SILENCE_SECONDS, go_on)
        os._exit(os.EX_OK)
    os.close(writer)
    assert os.read(reader, 5) == b"begun"
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    assert select.select([reader], [], [], 10) == ([reader], [], [])
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_a_result_larger_than_a_pipe_arrives_whole() -> None:
    assert solved(lambda: "x" * 10**6, SILENCE_SECONDS, go_on) == "x" * 10**6


def result_of(solver: Solver) -> Results:
    """The result of PUZZLE from a process of its own."""
    return solved(lambda: solver.only(Puzzles.of(Kind.SUDOKU, [PUZZLE])), solver.silence, go_on)


def test_a_harmless_puzzle_is_answered() -> None:
    (found,) = map(Answer, *result_of(Solver(Kind.SUDOKU, Options(), 60.0)).answers)
    assert (found.id, found.status) == (PUZZLE.id, "solved")
    assert is_solution(PUZZLE.text, found.solution or "")


def test_a_puzzle_on_which_the_solver_raises_an_error_fails_with_that_error() -> None:
    wrong = Options(timeout="soon")  # type: ignore[arg-type] # the command line rejects it
    with pytest.raises(SolverFailed, match=r"^the solver failed: "):
        result_of(Solver(Kind.SUDOKU, wrong, 60.0))


def test_a_puzzle_that_is_stuck_fails_with_the_limit_in_seconds() -> None:
    def stuck(*_: object, **__: object) -> Generator[Outcomes]:
        yield ctypes.PyDLL(None).sleep(60)

    with pytest.raises(SolverFailed, match=r"^the solver did not return within 0\.3 s$"):
        result_of(Solver(Kind.SUDOKU, Options(), SILENCE_SECONDS, search=stuck))
