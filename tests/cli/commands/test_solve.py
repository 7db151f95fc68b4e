"""Solving here and now: what goes where, and with which exit code."""

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.drawing.grid import rings
from tests.cli.conftest import EASY, ROOT, finished, spawned
from tests.cli.terminal import seen

#: two 9s in its first row
NONE = "99" + "." * 79
EMPTY = "." * 81


@pytest.fixture
def puzzles(home: Path) -> Path:
    path = home / "puzzles.txt"
    path.write_text(f"{EASY}\n{NONE}\n{EASY}\n")
    return path


def test_a_pipe_gets_jsonl_and_stderr_the_summary(puzzles: Path, home: Path) -> None:
    said = finished("solve", puzzles)
    assert said.code == 0
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["status"] for line in lines] == ["solved", "none", "solved"]
    assert [line["position"] for line in lines] == [1, 2, 3]
    assert said.err.startswith("3 puzzles · 2 solved (2 multiple) · 1 none · ")
    assert said.err.endswith(f" s · batch 1 in {home / 'bullseye.db'}\n")


def test_lines_are_the_solutions_alone(puzzles: Path) -> None:
    first, second, third = finished("solve", "-f", "lines", "--target", puzzles).out.splitlines()
    assert second == "none"
    assert [sum(ring.points for ring in rings(grid)) for grid in (first, third)] == [2870, 2870]


def test_a_judge_gets_scores_for_targets(puzzles: Path) -> None:
    said = finished("solve", "-f", "judge", "--target", puzzles)
    assert (said.code, said.out) == (0, "2870\n-1\n2870\n")
    assert said.err.count("\n") == 1
    assert finished("results", "-f", "judge", 1) == (0, said.out, "")


def test_a_literal_puzzle_needs_no_file() -> None:
    assert finished("solve", "-f", "judge", "--target", EASY).out == "2870\n"


@pytest.mark.parametrize("place", ["other.db", "sqlite:///other.db", "new/folder/other.db"])
def test_the_database_may_be_named_from_where_one_stands(home: Path, place: str) -> None:
    said = finished("solve", EASY, "--db", place)
    assert said.code == 0
    path = home / place.removeprefix("sqlite:///")
    assert path.exists()
    assert said.err.endswith(f"in {path}\n")


def test_stdin_is_a_file_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "solve", "-", "-f", "judge", "--target"],
        input=EASY,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "2870\n"


def test_bad_lines_are_answers_if_they_may_and_the_exit_code_tells(home: Path) -> None:
    (home / "hard.txt").write_text(f"{EASY}\n{EASY}\n{EASY[:80]}\n")
    said = finished("solve", "--skip-bad", "hard.txt", "-o", "out.csv")
    assert (said.code, said.out) == (1, "")
    lines = list(csv.DictReader((home / "out.csv").read_text().splitlines()))
    assert [line["status"] for line in lines] == ["solved", "solved", "invalid"]
    assert "1 invalid" in said.err


def test_a_place_that_cannot_be_written_is_told_before_any_work(puzzles: Path, home: Path) -> None:
    said = finished("solve", puzzles, "-o", "missing/out.csv")
    assert (said.code, said.out) == (1, "")
    assert said.err == "error: cannot write missing/out.csv: No such file or directory\n"
    assert not (home / "bullseye.db").exists()


def test_a_database_that_cannot_be_is_told_before_any_work(puzzles: Path, home: Path) -> None:
    (home / "file").touch()
    said = finished("solve", puzzles, "--db", home / "file" / "bullseye.db")
    assert (said.code, said.out) == (69, "")
    assert said.err.startswith("error: ")
    assert said.err.count("\n") <= 3


def test_a_terminal_gets_a_table_and_the_summary(puzzles: Path) -> None:
    code, text = seen("solve", puzzles, NO_COLOR="1")
    assert code == 0
    assert "id  clues  status" in text
    assert "3 puzzles · 2 solved" in text


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_keeps_what_is_answered_and_cancels_the_rest(
    home: Path, number: signal.Signals, code: int
) -> None:
    (home / "long.txt").write_text(f"{EMPTY}\n" * 50)
    with spawned("solve", "--limit", "all", "--timeout", "60", "-j", "1", "long.txt") as process:
        while not _batches(home):
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (code, "")
    assert "Traceback" not in err
    if number is signal.SIGINT:
        assert "interrupted · 0 of 50 puzzles answered and kept in batch 1" in err
    status = json.loads(finished("status", "1", "--json").out)
    assert status["state"] == "cancelled"


def _batches(home: Path) -> int:
    """How many batches are ready to be solved."""
    if not (home / "bullseye.db").exists():
        return 0
    connection = sqlite3.connect(home / "bullseye.db")
    try:
        (number,) = connection.execute("SELECT count(*) FROM batch WHERE ready").fetchone()
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()
    return int(number)
