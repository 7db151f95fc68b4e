"""The sample problems of online judges, through the queue."""

from pathlib import Path

import pytest

from cli.main import run
from tests.end_to_end.bullseye import Bullseye
from tests.worker.formats.reading import judge_format

JUDGE = Path(__file__).parent.parent / "data" / "judge"
PROBLEMS = sorted(JUDGE.glob("*.in"))


def options(problem: Path) -> list[str]:
    named = judge_format(problem.stem)
    target = ["--target"] if problem.stem.startswith(("p1074", "zoj3209")) else []
    return target + (["--from", named] if named else [])


def test_every_judge_problem_gives_its_output_byte_for_byte(
    bullseye: Bullseye, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("BULLSEYE_DATABASE_URL", "BULLSEYE_REDIS_URL"):
        monkeypatch.setenv(name, bullseye.env[name])

    def out(*arguments: str) -> str:  # in this process, to save the start of 30 others
        assert run(arguments) == 0
        return capsys.readouterr().out

    assert len(PROBLEMS) >= 10
    with bullseye.worker():
        for problem in PROBLEMS:
            batch = out("submit", "--wait", *options(problem), str(problem)).strip()
            answer = out("results", batch, "-f", "judge")
            assert answer == problem.with_suffix(".out").read_text(), problem.name


@pytest.mark.parametrize("name", ["p1074-2", "sp1110"])
def test_solve_prints_the_judge_format(bullseye: Bullseye, name: str) -> None:
    problem = JUDGE / f"{name}.in"
    answer = bullseye.out("solve", "-f", "judge", *options(problem), "-", stdin=problem.read_text())
    assert answer == problem.with_suffix(".out").read_text()
