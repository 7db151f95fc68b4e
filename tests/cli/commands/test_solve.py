"""`bullseye solve`: stdout, stderr, files, exit codes and signals."""

import csv
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli.drawing import rings
from tests.cli.conftest import EASY, ROOT, Bullseye, run_process, start_process
from tests.cli.terminal import run_in_terminal

#: two 9s in its first row
NONE = "99" + "." * 79
EMPTY = "." * 81


@pytest.fixture
def puzzles(home: Path) -> Path:
    path = home / "puzzles.txt"
    path.write_text(f"{EASY}\n{NONE}\n{EASY}\n")
    return path


def test_a_pipe_gets_jsonl_and_stderr_the_summary(
    bullseye: Bullseye, puzzles: Path, home: Path
) -> None:
    result = bullseye("solve", puzzles)
    assert result.code == 0
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert [line["status"] for line in lines] == ["solved", "none", "solved"]
    assert [line["position"] for line in lines] == [1, 2, 3]
    assert result.err.startswith("3 puzzles · 2 solved (2 multiple) · 1 none · ")
    assert result.err.endswith(f" s · batch 1 in {home / 'bullseye.db'}\n")


def test_format_lines_writes_solutions_only(bullseye: Bullseye, puzzles: Path) -> None:
    first, second, third = bullseye("solve", "-f", "lines", "--target", puzzles).out.splitlines()
    assert second == "none"
    assert [sum(ring.points for ring in rings(grid)) for grid in (first, third)] == [2870, 2870]


def test_a_puzzle_file_on_stdin_gets_scores_for_a_judge(puzzles: Path, bullseye: Bullseye) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "solve", "-", "-f", "judge", "--target"],
        input=puzzles.read_text(),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "2870\n-1\n2870\n"
    assert done.stderr.splitlines()[-1].startswith("3 puzzles · 2 solved")
    assert bullseye("results", "-f", "judge", 1) == (0, done.stdout, "")


def test_a_literal_puzzle_needs_no_file_and_a_database_may_be_in_a_new_folder(
    bullseye: Bullseye, home: Path
) -> None:
    place = ("--db", "sqlite:///new/folder/other.db")
    result = bullseye("solve", "-f", "judge", "--target", EASY, *place)
    assert (result.code, result.out) == (0, "2870\n")
    path = home / "new" / "folder" / "other.db"
    assert path.exists()
    assert result.err.endswith(f"in {path}\n")


def test_skipped_lines_are_stored_as_invalid_and_exit_with_1(
    bullseye: Bullseye, home: Path
) -> None:
    (home / "hard.txt").write_text(f"{EASY}\n{EASY}\n{EASY[:80]}\n")
    result = bullseye("solve", "--skip-bad", "hard.txt", "-o", "out.csv")
    assert (result.code, result.out) == (1, "")
    lines = list(csv.DictReader((home / "out.csv").read_text().splitlines()))
    assert [line["status"] for line in lines] == ["solved", "solved", "invalid"]
    assert "1 invalid" in result.err


def test_an_output_that_cannot_be_written_is_reported_before_any_work(
    puzzles: Path, home: Path, bullseye: Bullseye
) -> None:
    result = bullseye("solve", puzzles, "-o", "missing/out.csv")
    assert (result.code, result.out) == (74, "")
    assert result.err == "error: cannot write missing/out.csv: No such file or directory\n"
    assert not (home / "bullseye.db").exists()


def test_a_database_that_cannot_be_created_is_reported_before_any_work(
    puzzles: Path, home: Path, bullseye: Bullseye
) -> None:
    (home / "file").touch()
    result = bullseye("solve", puzzles, "--db", home / "file" / "bullseye.db")
    assert (result.code, result.out) == (69, "")
    assert result.err.startswith("error: ")
    assert result.err.count("\n") <= 3


def test_a_terminal_gets_a_table_and_the_summary(puzzles: Path) -> None:
    code, text = run_in_terminal("solve", puzzles, NO_COLOR="1")
    assert code == 0
    assert "id  clues  status" in text
    assert "3 puzzles · 2 solved" in text
    assert text.endswith(
        "show a solution: bullseye show 1 · print all: bullseye results 1 -f grid\n"
    )


def test_a_single_puzzle_is_drawn_on_a_terminal() -> None:
    code, text = run_in_terminal("solve", "--keep", "2", EASY, NO_COLOR="1")
    assert code == 0
    assert "\n 9 8 7   . . 2   5 . .    9 8 7   6 3 2   5 4 1\n" in text
    assert "\n 2.\n" in text
    assert "clues  status" not in text
    assert run_in_terminal("show", "1", NO_COLOR="1")[1] in text


def test_after_ctrl_c_solve_and_status_agree_and_the_advice_needs_no_redis(
    home: Path, bullseye: Bullseye
) -> None:
    (home / "many.txt").write_text(f"{EASY}\n" * 5000)
    command = ("solve", "--limit", "all", "-j", "1", "many.txt")
    with start_process(*command) as process:
        wait_until(lambda: chunks(home, "done") > 0, seconds=60)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    *_, last = err.splitlines()  # a slow machine logs its progress before
    said = re.match(r"interrupted · ([\d,]+) of 5,000 puzzles answered ", last)
    assert said
    assert last.endswith(" · to solve the rest, repeat the command with --reuse")
    answered = int(said[1].replace(",", ""))
    assert json.loads(bullseye("status", 1, "--json").out)["answered"] == answered > 0
    rest = run_process(*command, "--reuse", "-o", "out.csv")
    assert rest.code == 0
    assert rest.err.startswith("5,000 puzzles · 5,000 solved")


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.02)


def chunks(home: Path, state: str) -> int:
    """Return how many chunks have this state."""
    if not (home / "bullseye.db").exists():
        return 0
    with closing(sqlite3.connect(home / "bullseye.db")) as connection:
        try:
            found = connection.execute("SELECT count(*) FROM chunk WHERE state = ?", [state])
            (number,) = found.fetchone()
        except sqlite3.OperationalError:  # the tables are still being created
            return 0
        return int(number)
