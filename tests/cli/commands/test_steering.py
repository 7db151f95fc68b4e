"""`bullseye pause`, `bullseye resume` and `bullseye priority`."""

import json

import pytest

from tests.cli.answers import TIMEOUT, UNIQUE
from tests.cli.conftest import Bullseye, Database


def test_a_batch_is_paused_and_resumed(bullseye: Bullseye, database: Database) -> None:
    batch = database.store([UNIQUE], waiting=3, name="sunday")
    assert bullseye("pause", "sunday") == (
        0,
        "",
        f"batch {batch} paused · go on with it: bullseye resume {batch}\n",
    )
    assert f"batch {batch} sunday · paused · puzzles.txt" in bullseye("status", batch).out
    assert " left" not in bullseye("status", batch).out
    assert "25 %  paused" in bullseye("status").out
    assert json.loads(bullseye("status", batch, "--json").out)["state"] == "paused"
    assert bullseye("resume", batch).err == f"batch {batch} resumed\n"
    assert bullseye("resume", batch).err == f"batch {batch} is not paused\n"
    assert json.loads(bullseye("status", batch, "--json").out)["state"] == "running"


def test_a_priority_is_changed_and_shown(bullseye: Bullseye, database: Database) -> None:
    batch = database.store([], waiting=3)
    for share in ("high", "low"):
        assert bullseye("priority", batch, share).err == f"batch {batch} has {share} priority\n"
        assert f" · {share} priority · " in bullseye("status", batch).out
        assert json.loads(bullseye("status", batch, "--json").out)["priority"] == share


@pytest.mark.parametrize("command", [("pause",), ("resume",), ("priority", "low")])
def test_a_batch_that_has_finished_or_was_cancelled_is_refused(
    bullseye: Bullseye, database: Database, command: tuple[str, ...]
) -> None:
    name, *more = command
    done, cancelled = database.store([UNIQUE]), database.store([], waiting=1)
    bullseye("cancel", cancelled)
    result = bullseye(name, done, *more)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"error: batch {done} has already finished: see bullseye status\n"
    assert f"bullseye retry {cancelled}" in bullseye(name, cancelled, *more).err


def test_a_paused_batch_is_deleted_only_after_it_is_cancelled(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store([UNIQUE], waiting=3)
    bullseye("pause", batch)
    assert "cancel it first" in bullseye("delete", batch, "--yes").err
    bullseye("cancel", batch)
    assert "cancelled" in bullseye("status", batch).out
    assert bullseye("delete", batch, "--yes").code == 0


def test_a_retry_says_that_the_batch_is_still_paused(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    batch = database.store([TIMEOUT], waiting=3)
    bullseye("pause", batch)
    said = f"1 puzzle queued again · it is paused; go on with it: bullseye resume {batch}"
    assert said in bullseye("retry", batch).err
