"""Handing puzzles over, with a real Redis and without."""

import json
import time
from pathlib import Path

import pytest

from tests.cli.answers import TIMEOUT, UNIQUE
from tests.cli.conftest import EASY, Bullseye, Filled, finished

BAD = EASY[:80]


@pytest.fixture
def puzzles(home: Path) -> Path:
    path = home / "puzzles.txt"
    path.write_text(f"{EASY}\n" * 3)
    return path


def test_a_pipe_gets_the_number_alone(bullseye: Bullseye, puzzles: Path, redis: str) -> None:
    assert redis
    said = finished("submit", puzzles, "--name", "sunday")
    assert (said.code, said.out) == (0, "1\n")
    assert said.err == "no worker is listening; start one: bullseye worker\n"
    told = json.loads(bullseye("status", 1, "--json").out)
    assert (told["name"], told["puzzles"], told["answered"]) == ("sunday", 3, 0)
    assert told["chunks"]["sent"] >= 1
    assert told["options"]["inputs"][0]["count"] == 3


def test_without_redis_nothing_is_stored_and_it_is_told_at_once(puzzles: Path, home: Path) -> None:
    began = time.perf_counter()
    said = finished("submit", puzzles)
    assert time.perf_counter() - began < 2
    assert (said.code, said.out) == (69, "")
    assert said.err.startswith("error: cannot reach Redis at 127.0.0.1:1 (connection refused): ")
    assert said.err.count("\n") <= 3
    assert not (home / "bullseye.db").exists()


@pytest.mark.parametrize("command", ["solve", "submit"])
def test_a_bad_line_is_told_with_the_way_out_and_nothing_is_stored(
    home: Path, redis: str, command: str
) -> None:
    assert redis
    (home / "hard.txt").write_text(f"{EASY}\n" * 4 + f"{BAD}\n" * 2)
    said = finished(command, "hard.txt")
    assert (said.code, said.out) == (65, "")
    assert said.err == (
        "error: hard.txt line 5: 80 cells, expected 81\n"
        f"       {BAD[:71]}…\n"
        "       2 of 6 lines are like this. Skip them with --skip-bad, or see all: "
        f"bullseye {command} -n hard.txt\n"
    )
    assert not (home / "bullseye.db").exists()


def test_one_bad_line_is_told_in_the_singular(home: Path, redis: str) -> None:
    assert redis
    (home / "a file.txt").write_text(f"{EASY}\n{EASY}\n{BAD}\n")
    said = finished("submit", "a file.txt")
    assert "1 of 3 lines is like this. Skip it with --skip-bad" in said.err
    assert "bullseye submit -n 'a file.txt'" in said.err


def test_bad_lines_are_stored_as_invalid_if_they_may(
    bullseye: Bullseye, home: Path, redis: str
) -> None:
    assert redis
    (home / "hard.txt").write_text(f"{EASY}\n{EASY}\n{BAD}\n")
    assert finished("submit", "--skip-bad", "hard.txt").out == "1\n"
    (line,) = map(json.loads, bullseye("results", 1).out.splitlines())
    assert (line["position"], line["status"]) == (3, "invalid")
    assert line["detail"] == "80 cells, expected 81"


@pytest.mark.parametrize(
    ("file", "words"),
    [("missing.txt", "missing.txt: no such file"), (".", "is a folder"), ("empty", "is empty")],
)
@pytest.mark.parametrize("command", ["solve", "submit"])
def test_input_that_is_none_is_65(
    home: Path, redis: str, command: str, file: str, words: str
) -> None:
    assert redis
    (home / "empty").touch()
    said = finished(command, file)
    assert (said.code, said.out) == (65, "")
    assert words in said.err
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("command", ["solve", "submit"])
def test_a_dry_run_tells_how_a_file_is_understood_and_stores_nothing(
    bullseye: Bullseye, puzzles: Path, home: Path, command: str
) -> None:
    said = bullseye(command, "-n", puzzles)
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        f"{puzzles}: lines, 9x9, empty '.', 3 puzzles, 2 duplicates, 0 bad lines, "
        "read as sudoku (for target sudoku add --target)\n"
    )
    assert not (home / "bullseye.db").exists()


def test_a_dry_run_tells_which_column_was_taken_for_what(bullseye: Bullseye, home: Path) -> None:
    (home / "some.csv").write_text(f"id,puzzle,solution,clues,rating\n7,{EASY},,27,7.2\n")
    said = bullseye("submit", "-n", "some.csv")
    assert said.code == 0
    assert said.out.splitlines()[1:] == [
        "  columns: puzzle `puzzle`, solution `solution`, label `id`, ignored `clues` and `rating`"
    ]
    (home / "some.csv").write_text(f"source\tgrid\nforum\t{EASY}\n")
    said = bullseye("solve", "-n", "some.csv")
    assert said.out.splitlines()[1:] == ["  columns: puzzle `grid`, label `source`"]


def test_a_dry_run_lists_every_bad_line(bullseye: Bullseye, home: Path) -> None:
    (home / "hard.txt").write_text(f"{EASY}\n" * 40 + f"{BAD}\n" * 30)
    said = bullseye("solve", "-n", "hard.txt")
    assert said.code == 65
    assert said.out.count("80 cells, expected 81") == 30
    assert "  line 41: 80 cells" in said.out
    assert bullseye("solve", "-n", "--skip-bad", "hard.txt").code == 0


def test_a_dry_run_goes_on_after_a_file_that_is_none(bullseye: Bullseye, puzzles: Path) -> None:
    said = bullseye("solve", "-n", "missing.txt", puzzles)
    assert said.code == 65
    assert "missing.txt: no such file" in said.out
    assert "3 puzzles" in said.out


def test_a_retry_without_redis_changes_nothing(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store([TIMEOUT])
    assert finished("retry", batch).code == 69
    assert "timeout 1" in bullseye("status", batch).out


def test_a_retry_puts_back_what_failed_and_twice_adds_nothing(
    bullseye: Bullseye, filled: Filled, redis: str
) -> None:
    assert redis
    batch = filled.store([UNIQUE, TIMEOUT, TIMEOUT])
    said = finished("retry", batch, "--timeout", "300")
    assert (said.code, said.out) == (0, "")
    assert said.err.startswith(f"batch {batch}: 2 puzzles put back\n")
    told = json.loads(bullseye("status", batch, "--json").out)
    assert told["options"]["timeout"] == 300
    assert (told["puzzles"], told["answered"]) == (3, 1)
    assert told["chunks"]["sent"] == 2
    assert finished("retry", batch).err == f"batch {batch}: nothing is left to do\n"


def test_a_retry_takes_up_what_was_cancelled(
    bullseye: Bullseye, filled: Filled, redis: str
) -> None:
    assert redis
    batch = filled.store([UNIQUE], waiting=5, queue="solve-of-yesterday")
    bullseye("cancel", batch)
    assert f"batch {batch}: 5 puzzles put back" in finished("retry", batch).err
    assert json.loads(bullseye("status", batch, "--json").out)["state"] == "running"
