"""Messages that are missing, duplicated, very old, or for a chunk that does not exist."""

import base64
import json
import signal
import subprocess
import sys
import time
from itertools import islice

import pytest

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import (
    QUICK,
    Load,
    client,
    execute,
    messages,
    publish_all,
    puzzle_keys,
    queue,
    submit,
)
from tests.sudoku import grids

#: the command line, killed before or after it has sent its messages, as its first argument says
DYING_SUBMIT = """
import os, signal, sys
from redis.client import Pipeline
moment, execute = sys.argv.pop(1), Pipeline.execute
def die(pipeline):
    if moment == "after":
        execute(pipeline)
    os.kill(os.getpid(), signal.SIGKILL)
Pipeline.execute = die
from cli.main import main
main()
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_submit_that_is_killed_while_publishing_loses_nothing(
    bullseye: Bullseye, moment: str
) -> None:
    bullseye.settings |= QUICK
    puzzles = list(islice(grids(40, 30), 100))
    died = subprocess.run(
        [sys.executable, "-c", DYING_SUBMIT, moment, "submit", "--limit", "all", "-"],
        input="\n".join(puzzles),
        text=True,
        env=bullseye.env,
        cwd=bullseye.folder,
        capture_output=True,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    load = Load(bullseye, "1", puzzles)
    assert not load.complete()
    with bullseye.worker():
        load.assert_complete()


def test_a_duplicate_message_is_answered_once(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 41, 300)
    with client(bullseye) as redis:
        sent = messages(bullseye)
        keys = [key for key in puzzle_keys(bullseye) if redis.exists(key)]
        for key in keys:
            redis.copy(key, f"kept:{key}")
        redis.rpush(queue(bullseye), *sent)
        with bullseye.worker(2):
            load.assert_complete()
            for key in keys:
                redis.rename(f"kept:{key}", key)
            redis.rpush(queue(bullseye), *sent)  # after all chunks are done
            eventually(lambda: redis.llen(queue(bullseye)) == 0)
            eventually(lambda: not redis.keys("*:chunk:*"))
            load.assert_complete()


def test_a_message_of_an_unknown_chunk_is_ignored(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 42, 50)
    with client(bullseye) as redis:
        name = queue(bullseye)
        known = messages(bullseye)[0]
        redis.rpush(name, for_chunk(known, 999))
        redis.copy(puzzle_keys(bullseye)[0], f"{name}:chunk:999")
        with bullseye.worker():
            load.assert_complete()
            eventually(lambda: redis.llen(name) == 0)
            load.assert_complete()


def for_chunk(message: bytes | str, chunk: int) -> str:
    """Return a copy of `message` for another chunk."""
    content = json.loads(message)
    body = base64.b64encode(json.dumps([[chunk], {}, {}]).encode()).decode()
    return json.dumps({**content, "body": body})


def test_a_backlog_older_than_every_timeout_is_not_published_again(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 43, 300)
    publish_all(bullseye)
    old = "2001-01-01T00:00:00.000000Z"
    execute(bullseye, "UPDATE chunk SET sent_at = :old", old=old)
    with bullseye.worker(2):
        load.assert_complete()
    assert execute(bullseye, "SELECT max(attempts) FROM chunk") == [(1,)]
    sent_again = "SELECT count(*) FROM chunk WHERE sent_at <> :old"
    # A sweep may run after a process received its last message and before it took the chunk.
    assert execute(bullseye, sent_again, old=old) <= [(2,)]


def test_a_message_whose_worker_died_before_taking_the_chunk_is_sent_again(
    bullseye: Bullseye,
) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 44, 50)
    with client(bullseye) as redis:
        name = queue(bullseye)
        message = json.loads(redis.lpop(name))  # type: ignore[arg-type] # bytes, since there is one
        redis.hset(f"{name}:unacked", "tag", json.dumps([message, "", name]))
        redis.zadd(f"{name}:unacked_index", {"tag": time.time()})
        with bullseye.worker():
            load.assert_complete(30)
