"""`bullseye status` and `bullseye cancel`."""

import json
import re
import signal
import subprocess

import pytest
from sqlalchemy import text

from storage.database import write
from tests.cli.answers import ALL, NONE, UNIQUE
from tests.cli.conftest import Bullseye, Database, run_process, start_process


def test_batches_are_listed_newest_first(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE, NONE], name="sunday")
    database.store([UNIQUE], waiting=2)
    database.store([], waiting=100)
    result = bullseye("status")
    header, *lines, redis = result.out.splitlines()
    assert result.code == 0
    assert header.split() == ["batch", "answered", "puzzles", "state", "created", "name"]
    assert [line.split()[:6] for line in lines] == [
        ["3", "0", "100", "0", "%", "waiting"],
        ["2", "1", "3", "33", "%", "running"],
        ["1", "2", "2", "100", "%", "complete"],
    ]
    assert lines[2].endswith("sunday")
    assert redis == "redis: not reachable"


def test_first_limits_the_list_of_batches(bullseye: Bullseye, database: Database) -> None:
    for _ in range(3):
        database.store([UNIQUE])
    assert len(bullseye("status", "--first", 2).out.splitlines()) == 4


def test_an_empty_database_is_reported(bullseye: Bullseye, database: Database) -> None:
    assert bullseye("status").out.splitlines()[0] == f"no batches in {database.path}"


def test_one_batch_is_described_with_statuses_and_workers(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store(ALL, waiting=8, name="sunday")
    result = bullseye("status", batch)
    assert result.code == 0
    assert f"batch {batch} sunday · running · puzzles.txt" in result.out
    assert " 50 %  8 / 16" in result.out
    assert "solved 4 · none 1 · timeout 2 · invalid 1" in result.out
    assert "box-1  8 puzzles  last seen 20" in result.out


def test_999_of_1000_is_99_percent(bullseye: Bullseye, database: Database) -> None:
    batch = database.store([UNIQUE] * 999, waiting=1)
    assert " 99 %  999 / 1,000" in bullseye("status", batch).out


def test_json_of_one_batch(bullseye: Bullseye, database: Database) -> None:
    batch = database.store(ALL, waiting=8)
    values = json.loads(bullseye("status", batch, "--json").out)
    assert (values["batch"], values["puzzles"], values["answered"]) == (batch, 16, 8)
    assert values["by_status"] == {"solved": 4, "none": 1, "timeout": 2, "invalid": 1}
    assert values["chunks"] == {"new": 1, "sent": 0, "taken": 0, "done": 1}
    assert values["state"] == "running"
    assert values["rate"] > 0
    assert values["redis"] == "not reachable"


def test_json_of_all_batches(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE])
    database.store([UNIQUE])
    values = json.loads(bullseye("status", "--json").out)
    assert [batch["batch"] for batch in values["batches"]] == [2, 1]


def test_a_reachable_redis_is_reported(bullseye: Bullseye, database: Database, redis: str) -> None:
    database.store([UNIQUE])
    assert bullseye("status").out.endswith("redis: reachable\n")


def test_watching_a_complete_batch_prints_its_summary(database: Database) -> None:
    batch = database.store([UNIQUE, NONE])
    result = run_process("status", "-w", batch)
    assert result.code == 0
    assert result.err.startswith("2 puzzles · 1 solved (1 unique) · 1 none · ")
    assert result.err.endswith(f"batch {batch} in {database.path}\n")


def test_watching_a_batch_with_failures_exits_with_1(database: Database) -> None:
    assert run_process("status", "-w", database.store(ALL)).code == 1


def wait_until_watching(process: subprocess.Popen[str]) -> None:
    """Return when the process has queried the batch and warns that Redis does not answer."""
    assert process.stderr is not None
    assert process.stderr.readline().startswith("warning: cannot reach Redis")


def test_watching_ends_when_the_batch_is_cancelled(
    bullseye: Bullseye, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BULLSEYE_SWEEP", "0.1")
    batch = database.store([UNIQUE], waiting=1)
    with start_process("status", "-w", batch) as process:
        wait_until_watching(process)
        assert process.poll() is None
        assert bullseye("cancel", batch).code == 0
        _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "1 of 2 puzzles · 1 solved" in err
    assert f"batch {batch} was cancelled; resume it with: bullseye retry {batch}" in err


def test_ctrl_c_while_watching_exits_with_130(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BULLSEYE_SWEEP", "0.1")
    batch = database.store([UNIQUE], waiting=1)
    with start_process("status", "-w", batch) as process:
        wait_until_watching(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "")


def test_cancel_keeps_the_answers(bullseye: Bullseye, database: Database) -> None:
    batch = database.store([UNIQUE], waiting=3)
    result = bullseye("cancel", batch)
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        f"batch {batch} cancelled · 1 of 4 puzzles answered"
        f" · resume it with: bullseye retry {batch}\n"
    )
    assert "cancelled" in bullseye("status", batch).out
    assert "has already finished" in bullseye("cancel", batch).err


def test_a_batch_whose_submission_was_killed_is_shown_and_can_be_deleted(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store([], waiting=3)
    with write(database.engine) as connection:
        connection.exec_driver_sql("UPDATE batch SET ready = 0")
    listed = bullseye("status").out.splitlines()[1]
    assert listed.split()[:7] == ["1", "0", "3", "0", "%", "being", "stored"]
    assert "if its command was killed, the next solve, submit" in bullseye("status", batch).out
    assert "cancelled while it was stored" in bullseye("cancel", batch).err
    assert bullseye("delete", batch, "--yes").code == 0
    assert bullseye("status").out.startswith("no batches in")


@pytest.mark.parametrize("command", ["status", "cancel", "stats", "results"])
def test_a_missing_batch_is_a_usage_error(
    bullseye: Bullseye, database: Database, command: str
) -> None:
    result = bullseye(command, 7)
    assert (result.code, result.out) == (2, "")
    assert result.err == "error: there is no batch 7: see bullseye status\n"


@pytest.mark.attack
def test_a_standstill_is_not_hidden_by_the_mean_rate(
    database: Database, bullseye: Bullseye
) -> None:
    database.store([UNIQUE] * 50, waiting=50)
    assert re.search(r"50 / 100  [0-9.,]+/s  about [0-9.]+ s left", bullseye("status", 1).out)
    with write(database.engine) as connection:
        ago = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-120 seconds')"
        connection.execute(text(f"UPDATE chunk SET done_at = {ago} WHERE state = 'done'"))
        connection.execute(text("UPDATE batch SET created_at = '2026-01-01T00:00:00.000Z'"))
    assert "50 / 100  no answer in the last minute" in bullseye("status", 1).out
