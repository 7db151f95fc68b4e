"""One contract for the three runners of `solve`, on both databases: each test is a row of a table.

Its cells are the runners and databases.  In an ordinary run each promise is kept by the cell that
broke it, or the quickest one; `-m attack` tries all.
"""

import json
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, text

from storage.database import open_database
from storage.location import database_url
from tests import databases
from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import execute
from tests.end_to_end.runner import RUNNERS
from tests.end_to_end.solving import (
    EASY,
    ENDLESS,
    answered,
    await_search,
    end,
    kill_a_solver,
    processes_of,
    solving,
)
from tests.end_to_end.test_database_faults import fill, small_disk
from tests.sudoku import grids, is_solution

__all__ = ["small_disk"]  # a fixture
pytestmark = pytest.mark.attack
DATABASES = ("sqlite", "postgresql")
READY = "SELECT count(*) FROM batch WHERE ready = 1"
STATUSES = "SELECT status, count(*) FROM answers GROUP BY status ORDER BY status"


def cells(
    *ordinary: str, of: tuple[str, ...] = RUNNERS, on: tuple[str, ...] = DATABASES
) -> pytest.MarkDecorator:
    """Return the cells in which a promise applies; those that are not `ordinary` are soak tests.

    A cell is named by its runner, and its database if that is not SQLite.
    """
    made = []
    for runner in of:
        for database in on:
            name = runner if database == "sqlite" else f"{runner} on {database}"
            marks = () if name in ordinary else (pytest.mark.soak,)
            made.append(pytest.param(runner, database, id=name, marks=marks))
    return pytest.mark.parametrize(("runner", "bullseye"), made, indirect=["bullseye"])


@pytest.fixture
def bullseye(bullseye: Bullseye, request: pytest.FixtureRequest) -> Iterator[Bullseye]:
    """An installation on the database of the cell."""
    if request.param == "sqlite":
        yield bullseye
        return
    with databases.on_server(request.getfixturevalue("postgresql_url")) as url:
        open_database(url, migrate=True).dispose()
        bullseye.settings["BULLSEYE_DATABASE_URL"] = url
        yield bullseye


@cells("own", "worker on postgresql")
def test_cancel_ends_a_solve_which_keeps_its_answers(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        bullseye.out("cancel", "last")
        errors = end(process)
    assert process.returncode == 1
    assert "cancelled · 4 of 12 puzzles answered and kept in batch 1 · to solve the rest" in errors
    assert answered(bullseye) == 4
    eventually(lambda: not processes_of(bullseye))


@cells("own")
def test_delete_ends_a_solve(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        bullseye.out("cancel", "1")
        bullseye.out("delete", "1", "--yes")
        errors = end(process)
    assert process.returncode == 1
    assert "interrupted" not in errors
    assert execute(bullseye, "SELECT count(*) FROM answer") == [(0,)]


@cells("own")
def test_retry_leaves_the_rest_of_a_solve_to_the_workers(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        bullseye.out("retry", "1")
        errors = end(process)
    assert process.returncode == 1
    assert "left to the workers · 4 of 12 puzzles answered and kept in batch 1" in errors
    assert bullseye.status("1")["state"] == "running"


@cells("pool")
def test_a_viewer_in_another_terminal_takes_nothing(bullseye: Bullseye, runner: str) -> None:
    bullseye.settings["BULLSEYE_SWEEP"] = "0.05"
    with solving(bullseye, runner, "-f", "jsonl", "--timeout", "0.3") as process:
        eventually(lambda: execute(bullseye, READY) == [(1,)])
        viewer = bullseye.run("status", "-w", "1")
        out, _ = process.communicate(timeout=120)
    assert [viewer.returncode, process.returncode] == [1, 1]
    assert len([json.loads(line) for line in out.splitlines()]) == 12
    assert "12 puzzles · 4 solved (4 multiple) · 8 timeout" in viewer.stderr


@cells("own")
def test_no_puzzle_takes_longer_than_the_time_limit(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner, "--timeout", "0.4", puzzles=(*EASY, ENDLESS)) as process:
        process.communicate(timeout=120)
    assert process.returncode == 1
    assert execute(bullseye, STATUSES) == [("solved", 4), ("timeout", 1)]
    ((longest,),) = execute(bullseye, "SELECT max(ms) FROM answers")
    assert float(str(longest)) < 1400


def interrupt(bullseye: Bullseye, runner: str, number: int) -> str:
    """End a `solve` by a signal as a terminal does; return what it writes to stderr."""
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        os.killpg(process.pid, number)
        errors = end(process)
    assert process.returncode == 128 + number
    assert bullseye.status("1")["state"] == "cancelled"
    assert answered(bullseye) == 4
    eventually(lambda: not processes_of(bullseye))
    return errors


@cells("pool")
def test_ctrl_c_ends_a_solve_which_keeps_its_answers(bullseye: Bullseye, runner: str) -> None:
    errors = interrupt(bullseye, runner, signal.SIGINT)
    assert "interrupted · 4 of 12 puzzles answered and kept in batch 1" in errors


@cells("worker")
def test_sigterm_ends_a_solve_which_keeps_its_answers(bullseye: Bullseye, runner: str) -> None:
    interrupt(bullseye, runner, signal.SIGTERM)


@cells()
def test_a_closed_terminal_ends_a_solve_which_keeps_its_answers(
    bullseye: Bullseye, runner: str
) -> None:
    interrupt(bullseye, runner, signal.SIGHUP)


@cells("pool")
def test_the_processes_of_a_solve_end_when_it_is_killed(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        process.kill()
        process.wait()
        eventually(lambda: not processes_of(bullseye))


@cells("pool", of=("worker", "pool"))
def test_a_process_that_is_killed_loses_and_doubles_no_answer(
    bullseye: Bullseye, runner: str
) -> None:
    puzzles = (*EASY, *[ENDLESS] * 3)
    given = ("-f", "jsonl", "--timeout", "1")
    with solving(bullseye, runner, *given, puzzles=puzzles) as process:
        await_search(bullseye)
        kill_a_solver(bullseye, runner)
        out, errors = process.communicate(timeout=120)
    assert [json.loads(line)["position"] for line in out.splitlines()] == list(range(1, 8))
    assert execute(bullseye, STATUSES) == [("solved", 4), ("timeout", 3)]
    assert "Traceback" not in errors


@cells("pool")
def test_a_puzzle_that_kills_its_process_fails_alone(bullseye: Bullseye, runner: str) -> None:
    puzzles = tuple(islice(grids(70, 30), 40))
    bullseye.settings["FATAL"] = puzzles[7]
    with solving(bullseye, runner, "--limit", "1", puzzles=puzzles) as process:
        process.communicate(timeout=120)
    if runner == "own":  # the process is that of the command; the next one cancels the batch
        assert process.returncode == -signal.SIGKILL
        bullseye.out("solve", EASY[0])
        assert bullseye.status("1")["state"] == "cancelled"
        return
    assert process.returncode == 1
    assert execute(bullseye, STATUSES) == [("failed", 1), ("solved", 39)]
    ((puzzle, detail),) = execute(
        bullseye, "SELECT puzzle, detail FROM answers WHERE status = 'failed'"
    )
    assert (puzzle, "was killed (SIGKILL)" in str(detail)) == (puzzles[7], True)


@contextmanager
def locked(bullseye: Bullseye) -> Iterator[None]:
    """Let another program hold a lock on what a runner writes."""
    url = bullseye.env["BULLSEYE_DATABASE_URL"]
    if url.startswith("postgresql"):
        with create_engine(url, poolclass=NullPool).begin() as connection:
            connection.execute(text("LOCK TABLE chunk IN ACCESS EXCLUSIVE MODE"))
            yield
    else:
        with closing(sqlite3.connect(bullseye.database, timeout=30)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.rollback()


@cells()
def test_a_locked_database_delays_a_solve(bullseye: Bullseye, runner: str) -> None:
    puzzles = tuple(islice(grids(64, 26), 3000))
    with solving(bullseye, runner, "-f", "jsonl", puzzles=puzzles) as process:
        eventually(lambda: answered(bullseye) > 0)
        with locked(bullseye):
            time.sleep(1.0)  # the fault itself
            assert process.poll() is None
        out, errors = process.communicate(timeout=120)
    assert (process.returncode, "Traceback" in errors) == (0, False)
    assert_solved(out, puzzles)


@cells(on=("sqlite",))
def test_a_full_disk_delays_a_solve_which_says_so(
    bullseye: Bullseye, runner: str, small_disk: Path
) -> None:
    database, filler = small_disk / "bullseye.db", small_disk / "filler"
    open_database(database_url(str(database)), migrate=True).dispose()
    bullseye.settings["BULLSEYE_DATABASE_URL"] = str(database)
    puzzles = tuple(islice(grids(64, 26), 4000))
    with solving(bullseye, runner, "-f", "jsonl", puzzles=puzzles) as process:
        eventually(lambda: answered(bullseye) > 0)
        fill(filler)
        assert process.stderr is not None
        reason = f"waiting: no disk space left for {database}"
        assert any(reason in line for line in process.stderr)
        filler.unlink()
        out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert_solved(out, puzzles)


def assert_solved(out: str, puzzles: tuple[str, ...]) -> None:
    """Check that each puzzle has one answer, which is right, in the order of the file."""
    found = [json.loads(line) for line in out.splitlines()]
    assert [one["puzzle"] for one in found] == list(puzzles)
    assert all(is_solution(one["puzzle"], one["solution"]) for one in found)
