"""How far batches are."""

import json
import signal
import time

import pytest

from tests.cli.answers import ALL, NONE, UNIQUE
from tests.cli.conftest import Bullseye, Filled, finished, spawned


def test_batches_are_listed_newest_first(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([UNIQUE, NONE], name="sunday")
    filled.store([UNIQUE], waiting=2)
    filled.store([], waiting=100)
    said = bullseye("status")
    header, *lines, redis = said.out.splitlines()
    assert said.code == 0
    assert header.split() == ["batch", "answered", "puzzles", "state", "created", "name"]
    assert [line.split()[:6] for line in lines] == [
        ["3", "0", "100", "0", "%", "waiting"],
        ["2", "1", "3", "33", "%", "running"],
        ["1", "2", "2", "100", "%", "complete"],
    ]
    assert lines[2].endswith("sunday")
    assert redis == "redis: not reachable"


def test_only_so_many_batches_are_listed(bullseye: Bullseye, filled: Filled) -> None:
    for _ in range(3):
        filled.store([UNIQUE])
    assert len(bullseye("status", "--first", 2).out.splitlines()) == 4


def test_a_database_without_batches_says_so(bullseye: Bullseye, filled: Filled) -> None:
    assert bullseye("status").out.splitlines()[0] == f"no batches in {filled.path}"


def test_one_batch_tells_what_became_of_its_puzzles(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store(ALL, waiting=8, name="sunday")
    said = bullseye("status", batch)
    assert said.code == 0
    assert f"batch {batch} sunday · running · puzzles.txt" in said.out
    assert " 50 %  8 / 16" in said.out
    assert "solved 4 · none 1 · timeout 2 · invalid 1" in said.out
    assert "box-1  8 puzzles  last seen 20" in said.out


def test_all_but_one_is_not_yet_all(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store([UNIQUE] * 999, waiting=1)
    assert " 99 %  999 / 1,000" in bullseye("status", batch).out


def test_json_of_one_batch(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store(ALL, waiting=8)
    told = json.loads(bullseye("status", batch, "--json").out)
    assert (told["batch"], told["puzzles"], told["answered"]) == (batch, 16, 8)
    assert told["by_status"] == {"solved": 4, "none": 1, "timeout": 2, "invalid": 1}
    assert told["chunks"] == {"new": 1, "sent": 0, "taken": 0, "done": 1}
    assert told["state"] == "running"
    assert told["redis"] == "not reachable"


def test_json_of_all_batches(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([UNIQUE])
    filled.store([UNIQUE])
    told = json.loads(bullseye("status", "--json").out)
    assert [batch["batch"] for batch in told["batches"]] == [2, 1]


def test_with_redis_it_says_so(bullseye: Bullseye, filled: Filled, redis: str) -> None:
    assert redis
    filled.store([UNIQUE])
    assert bullseye("status").out.endswith("redis: reachable\n")


def test_watching_a_complete_batch_sums_it_up(filled: Filled) -> None:
    batch = filled.store([UNIQUE, NONE])
    said = finished("status", "-w", batch)
    assert said.code == 0
    assert said.err.startswith("2 puzzles · 1 solved (1 unique) · 1 none · ")
    assert said.err.endswith(f"batch {batch} in {filled.path}\n")


def test_watching_a_batch_in_which_something_failed_ends_with_1(filled: Filled) -> None:
    assert finished("status", "-w", filled.store(ALL)).code == 1


def test_watching_ends_when_the_batch_is_cancelled(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store([UNIQUE], waiting=1)
    with spawned("status", "-w", batch) as process:
        time.sleep(1)
        assert process.poll() is None
        assert bullseye("cancel", batch).code == 0
        _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "1 of 2 puzzles · 1 solved" in err
    assert f"batch {batch} was cancelled; go on with: bullseye retry {batch}" in err


def test_ctrl_c_ends_watching_with_130(filled: Filled) -> None:
    batch = filled.store([UNIQUE], waiting=1)
    with spawned("status", "-w", batch) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in out + err


def test_cancel_keeps_what_is_answered(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store([UNIQUE], waiting=3)
    said = bullseye("cancel", batch)
    assert (said.code, said.out) == (0, "")
    assert said.err == (
        f"batch {batch} cancelled · 1 of 4 puzzles answered · go on with: bullseye retry {batch}\n"
    )
    assert "cancelled" in bullseye("status", batch).out
    assert "was over already" in bullseye("cancel", batch).err


@pytest.mark.parametrize("command", ["status", "cancel", "stats", "results"])
def test_a_batch_that_is_not_there_is_named(
    bullseye: Bullseye, filled: Filled, command: str
) -> None:
    assert filled.path.exists()
    said = bullseye(command, 7)
    assert (said.code, said.out) == (2, "")
    assert said.err == "error: there is no batch 7: see bullseye status\n"
