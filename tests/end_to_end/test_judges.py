"""The sample problems of online judges, through the queue."""

from pathlib import Path

import pytest

from tests.end_to_end.bullseye import Bullseye

JUDGE = Path(__file__).parent.parent / "data" / "judge"
PROBLEMS = sorted(JUDGE.glob("*.in"))


def options(problem: Path) -> list[str]:
    return ["--target"] if problem.name.startswith("p1074") else []


def test_every_judge_problem_gives_its_output_byte_for_byte(bullseye: Bullseye) -> None:
    assert len(PROBLEMS) >= 10
    with bullseye.worker():
        for problem in PROBLEMS:
            batch = bullseye.out("submit", "--wait", *options(problem), str(problem)).strip()
            answer = bullseye.out("results", batch, "-f", "judge")
            assert answer == problem.with_suffix(".out").read_text(), problem.name


@pytest.mark.parametrize("name", ["p1074-2", "p4929", "sp1110"])
def test_solve_prints_the_judge_format(bullseye: Bullseye, name: str) -> None:
    problem = JUDGE / f"{name}.in"
    answer = bullseye.out("solve", "-f", "judge", *options(problem), "-", stdin=problem.read_text())
    assert answer == problem.with_suffix(".out").read_text()
