"""`bullseye submit` and `bullseye retry`, with a real Redis and without one."""

import json
import signal
import time
from pathlib import Path

import pytest

from tests.cli.answers import TIMEOUT, UNIQUE
from tests.cli.conftest import EASY, Bullseye, Database, start_process

BAD = EASY[:80]


@pytest.fixture
def puzzles(home: Path) -> Path:
    path = home / "puzzles.txt"
    path.write_text(f"{EASY}\n" * 3)
    return path


def test_a_pipe_gets_only_the_batch_number(bullseye: Bullseye, puzzles: Path, redis: str) -> None:
    result = bullseye("submit", puzzles, "--name", "sunday")
    assert (result.code, result.out) == (0, "1\n")
    assert result.err == "no worker is running; start one with: bullseye worker\n"
    values = json.loads(bullseye("status", 1, "--json").out)
    assert (values["name"], values["puzzles"], values["answered"]) == ("sunday", 3, 0)
    assert values["chunks"]["sent"] >= 1
    assert values["options"]["inputs"][0]["count"] == 3


def test_status_shows_a_priority_that_is_not_normal(
    bullseye: Bullseye, puzzles: Path, redis: str
) -> None:
    bullseye("submit", puzzles, "--priority", "low")
    bullseye("submit", puzzles)
    assert "batch 1 · waiting · low priority · " in bullseye("status", 1).out
    assert "priority" not in bullseye("status", 2).out
    bullseye("cancel", 1)
    bullseye("retry", 1)
    assert json.loads(bullseye("status", 1, "--json").out)["priority"] == "low"


def test_an_unknown_priority_is_refused(bullseye: Bullseye, puzzles: Path) -> None:
    result = bullseye("submit", puzzles, "--priority", "urgent")
    assert result.code == 2
    assert "'low', 'normal', 'high'" in result.err


def test_after_ctrl_c_the_batch_goes_on_and_the_message_tells_how_to_follow_it(
    bullseye: Bullseye, puzzles: Path, redis: str
) -> None:
    with start_process("submit", "--wait", puzzles) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("no worker is running")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "1\n")
    assert err == (
        "interrupted · batch 1 goes on · follow it with: bullseye status -w 1"
        " · stop it with: bullseye cancel 1\n"
    )
    assert json.loads(bullseye("status", 1, "--json").out)["state"] == "waiting"


def test_without_redis_submit_fails_within_2_s_and_stores_nothing(
    bullseye: Bullseye, puzzles: Path, home: Path
) -> None:
    began = time.perf_counter()
    result = bullseye("submit", puzzles)
    assert time.perf_counter() - began < 2
    assert (result.code, result.out) == (69, "")
    assert result.err.startswith("error: cannot reach Redis at 127.0.0.1:1 (connection refused): ")
    assert result.err.count("\n") <= 3
    assert not (home / "bullseye.db").exists()


@pytest.mark.parametrize("command", ["solve", "submit"])
def test_an_invalid_line_is_reported_with_a_remedy_and_nothing_is_stored(
    bullseye: Bullseye, home: Path, redis: str, command: str
) -> None:
    (home / "hard.txt").write_text(f"{EASY}\n" * 4 + f"{BAD}\n" * 2)
    result = bullseye(command, "hard.txt")
    assert (result.code, result.out) == (65, "")
    assert result.err == (
        "error: hard.txt line 5: 80 cells, expected 81\n"
        f"       {BAD[:71]}…\n"
        "       2 of 6 lines are invalid. Skip them with --skip-bad, or list them: "
        f"bullseye {command} --dry-run hard.txt\n"
    )
    assert not (home / "bullseye.db").exists()


def test_one_invalid_line_is_reported_in_the_singular(
    bullseye: Bullseye, home: Path, redis: str
) -> None:
    (home / "a file.txt").write_text(f"{EASY}\n{EASY}\n{BAD}\n")
    result = bullseye("submit", "a file.txt")
    assert "1 of 3 lines is invalid. Skip it with --skip-bad" in result.err
    assert "bullseye submit --dry-run 'a file.txt'" in result.err


def test_skip_bad_stores_invalid_lines(bullseye: Bullseye, home: Path, redis: str) -> None:
    (home / "hard.txt").write_text(f"{EASY}\n{EASY}\n{BAD}\n")
    assert bullseye("submit", "--skip-bad", "hard.txt").out == "1\n"
    (line,) = map(json.loads, bullseye("results", 1).out.splitlines())
    assert (line["position"], line["status"]) == (3, "invalid")
    assert line["detail"] == "80 cells, expected 81"


@pytest.mark.parametrize(
    ("file", "words"),
    [("missing.txt", "missing.txt: no such file"), ("none", "is a folder"), ("empty", "is empty")],
)
@pytest.mark.parametrize("command", ["solve", "submit"])
def test_unusable_input_exits_with_65(
    bullseye: Bullseye, home: Path, redis: str, command: str, file: str, words: str
) -> None:
    (home / "empty").touch()
    (home / "none").mkdir()
    result = bullseye(command, file)
    assert (result.code, result.out) == (65, "")
    assert words in result.err
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("command", ["solve", "submit"])
def test_a_dry_run_describes_a_file_and_stores_nothing(
    bullseye: Bullseye, puzzles: Path, home: Path, command: str
) -> None:
    result = bullseye(command, "-n", puzzles)
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        f"{puzzles}: lines, 9x9, empty '.', 3 puzzles, 2 duplicates, 0 invalid lines, "
        "read as sudoku (for target sudoku add --target)\n"
    )
    assert not (home / "bullseye.db").exists()


def test_a_dry_run_describes_the_columns(bullseye: Bullseye, home: Path) -> None:
    (home / "some.csv").write_text(f"id,puzzle,solution,clues,rating\n7,{EASY},,27,7.2\n")
    result = bullseye("submit", "-n", "some.csv")
    assert result.code == 0
    assert result.out.splitlines()[1:] == [
        "  columns: puzzle `puzzle`, solution `solution`, label `id`, extra `clues` and `rating`"
    ]
    (home / "some.csv").write_text(f"source\tgrid\nforum\t{EASY}\n")
    result = bullseye("solve", "-n", "some.csv")
    assert result.out.splitlines()[1:] == ["  columns: puzzle `grid`, label `source`"]


def test_a_dry_run_lists_every_invalid_line(bullseye: Bullseye, home: Path) -> None:
    (home / "hard.txt").write_text(f"{EASY}\n" * 40 + f"{BAD}\n" * 30)
    result = bullseye("solve", "-n", "hard.txt")
    assert result.code == 65
    assert result.out.count("80 cells, expected 81") == 30
    assert "  line 41: 80 cells" in result.out
    assert bullseye("solve", "-n", "--skip-bad", "hard.txt").code == 0


def test_a_dry_run_continues_after_a_missing_file(bullseye: Bullseye, puzzles: Path) -> None:
    result = bullseye("solve", "-n", "missing.txt", puzzles)
    assert result.code == 65
    assert "missing.txt: no such file" in result.out
    assert "3 puzzles" in result.out


def test_a_retry_without_redis_changes_nothing(bullseye: Bullseye, database: Database) -> None:
    batch = database.store([TIMEOUT])
    assert bullseye("retry", batch).code == 69
    assert "timeout 1" in bullseye("status", batch).out


def test_retry_queues_failures_again_and_is_idempotent(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    batch = database.store([UNIQUE, TIMEOUT, TIMEOUT])
    result = bullseye("retry", batch, "--timeout", "300")
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith(f"batch {batch}: 2 puzzles queued again\n")
    values = json.loads(bullseye("status", batch, "--json").out)
    assert values["options"]["timeout"] == 300
    assert (values["puzzles"], values["answered"]) == (3, 1)
    assert values["chunks"]["sent"] == 2
    assert bullseye("retry", batch).err == f"batch {batch}: nothing to re-run\n"


def test_retry_resumes_a_cancelled_batch(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    batch = database.store([UNIQUE], waiting=5, queue="solve-of-yesterday")
    bullseye("cancel", batch)
    assert f"batch {batch}: 5 puzzles queued again" in bullseye("retry", batch).err
    assert json.loads(bullseye("status", batch, "--json").out)["state"] == "running"


@pytest.mark.parametrize("named", ["some", "so*/*.txt", "some/[ab].txt"])
def test_a_folder_and_a_pattern_stand_for_their_files(
    bullseye: Bullseye, home: Path, named: str
) -> None:
    (home / "some").mkdir()
    for name in ("b.txt", "a.txt", ".hidden"):
        (home / "some" / name).write_text(f"{EASY}\n")
    result = bullseye("submit", "-n", named)
    assert result.code == 0
    assert [line.partition(":")[0] for line in result.out.splitlines()] == [
        "some/a.txt",
        "some/b.txt",
    ]


def test_a_grid_with_stars_is_no_pattern(bullseye: Bullseye) -> None:
    result = bullseye("submit", "-n", EASY.replace(".", "*"))
    assert (result.code, result.out[:13]) == (0, "command line:")
