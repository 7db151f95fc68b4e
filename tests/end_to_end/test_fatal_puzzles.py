"""Puzzles on which the solver dies, runs out of memory or never returns."""

import json
import sys
from itertools import islice

import pytest

from tests.end_to_end.bullseye import Bullseye
from tests.end_to_end.load import Load
from tests.sudoku import grids


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        ("kill", "the solver was killed (SIGKILL), as the system does when memory runs out"),
        pytest.param(
            "stuck",
            "the solver did not return within 2 s",
            marks=(pytest.mark.soak, pytest.mark.attack),
        ),
    ],
)
def test_only_the_fatal_puzzle_fails_and_its_detail_gives_the_reason(
    bullseye: Bullseye, fault: str, detail: str
) -> None:
    bullseye.settings["BULLSEYE_SILENCE"] = "2"
    puzzles = list(islice(grids(70, 30), 200))
    fatal = puzzles[77]
    batch = bullseye.out("submit", "-", stdin="\n".join(puzzles)).strip()
    bullseye.program = (sys.executable, "-m", "tests.end_to_end.faulty_worker", fault, fatal)
    with bullseye.worker(2):
        # Each attempt begins when Celery notices a death, not after the lease.
        Load(bullseye, batch, puzzles).assert_complete(40, except_for=fatal)
    (failed,) = bullseye.out("results", batch, "--status", "failed").splitlines()
    answer = json.loads(failed)
    assert answer["puzzle"] == fatal
    assert (answer["detail"], answer["attempts"]) == (detail, 3)


def test_a_puzzle_that_lacks_memory_fails_and_is_solved_by_a_retry(bullseye: Bullseye) -> None:
    puzzles = list(islice(grids(71, 30), 20))
    batch = bullseye.out("submit", "-", stdin="\n".join(puzzles)).strip()
    usual = bullseye.program
    bullseye.program = (
        sys.executable,
        "-m",
        "tests.end_to_end.faulty_worker",
        "memory",
        puzzles[3],
    )
    with bullseye.worker():
        Load(bullseye, batch, puzzles).assert_complete(except_for=puzzles[3])
    failed = json.loads(bullseye.out("results", batch, "--status", "failed"))
    assert (failed["puzzle"], failed["attempts"]) == (puzzles[3], 1)
    assert failed["detail"] == "the solver ran out of memory"
    solved = bullseye.out("results", batch, "--status", "solved")
    bullseye.program = usual
    bullseye.out("retry", batch)
    bullseye.out("retry", batch)
    with bullseye.worker():
        Load(bullseye, batch, puzzles).assert_complete()
    again = bullseye.out("results", batch).splitlines()
    assert set(solved.splitlines()) < set(again)
    assert len(again) == 20
