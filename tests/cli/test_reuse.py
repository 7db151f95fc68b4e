"""`--reuse`: puzzles that were solved before are not solved again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Bullseye

SEVERAL = "1.......2...4..1"
NONE = "11.............."


@pytest.fixture
def puzzles(home: Path) -> Path:
    path = home / "puzzles.txt"
    path.write_text(f"{SEVERAL}\n{NONE}\n{SEVERAL}\n")
    return path


def test_reuse_copies_earlier_answers_and_counts_them(
    puzzles: Path, bullseye: Bullseye, redis: str
) -> None:
    first = bullseye("solve", puzzles, "--keep", "3", "--template", "{solution} {solutions}")
    again = bullseye(
        *("solve", puzzles, SEVERAL[::-1], "--keep", "3", "--reuse"),
        *("--template", "{solution} {solutions}"),
    )
    assert (first.code, again.code) == (0, 0)
    assert again.out.startswith(first.out)
    assert "reused" not in first.err
    assert again.err.startswith("4 puzzles · 3 solved (3 multiple) · 1 none · 3 reused · ")
    other = bullseye("solve", puzzles, "--reuse", "-f", "lines")
    assert " · 0 reused · " in other.err
    assert "solved 3 · none 1 · 3 reused" in bullseye("status", 2).out
    assert json.loads(bullseye("status", 2, "--json").out)["options"]["reused"] == 3
    assert "solved · as puzzle 1\n" in bullseye("show", 4).out
    assert bullseye("stats", 2).code == 0
    whole = bullseye("submit", "--wait", puzzles, "--keep", "3", "--reuse")
    assert (whole.code, whole.out) == (0, "4\n"), "no worker runs, and none is needed"
    assert whole.err.startswith("3 puzzles · 2 solved (2 multiple) · 1 none · 3 reused · ")
    assert "no worker" not in whole.err


def test_a_file_of_known_puzzles_needs_neither_solver_nor_queue(
    bullseye: Bullseye, puzzles: Path
) -> None:
    assert bullseye("solve", puzzles).code == 0
    code = (
        "import sys; from cli.main import run; assert not run(['solve', '--reuse', 'puzzles.txt']);"
        "heavy = {'numba', 'numpy', 'celery', 'redis'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=env)
