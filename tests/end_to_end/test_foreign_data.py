"""Foreign data in Redis is rejected, logged and counted; it runs no code and ends no worker."""

import base64
import json
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import QUICK, client, messages, publish_all, puzzle_keys, queue, submit
from tests.worker.queue.messages import OURS, PING, foreign_events, foreign_lines, with_header
from worker.app import Bullseye as CeleryApp
from worker.queue.message import TASK
from worker.settings import Settings

CELERYS_WORKER = (sys.executable, "-m", "celery", "-A", "worker.app", "worker")


def test_foreign_messages_are_rejected_and_the_batch_is_completed(
    bullseye: Bullseye, tmp_path: Path
) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 60, 300)
    with client(bullseye) as redis:
        name = queue(bullseye)
        known = json.loads(messages(bullseye)[0])
        foreign = [*foreign_lines(known), *pickled(known, f"touch {tmp_path / 'run'}")]
        redis.rpush(name, *foreign)
        redis.hset(f"{name}:unacked", mapping={"a": "garbage", "b": "[1]", "c": "17"})
        redis.zadd(f"{name}:unacked_index", {"a": 1, "b": 2, "c": 3})
        with bullseye.worker(2) as worker:
            load.assert_complete()
            count = len(foreign) + 3
            eventually(lambda: int(redis.get(f"{name}:refused") or 0) == count)
            eventually(lambda: not redis.llen(name) and not redis.hlen(f"{name}:unacked"))
            assert worker.poll() is None
        assert bullseye.logs().count("rejected a foreign message") == count
        assert "Traceback" not in bullseye.logs()
        doctor = bullseye.run("doctor").stdout
        assert f"foreign messages: workers rejected {count} in this queue" in doctor
    assert not (tmp_path / "run").exists()


def test_foreign_remote_control_commands_and_events_are_rejected(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    bullseye.program = CELERYS_WORKER  # it reads events of other workers, too
    load = submit(bullseye, 62, 300)
    commands: list[bytes | str] = [*foreign_lines(OURS), with_clock_of_thousands_of_digits(PING)]
    events = [json.dumps(message) for message in foreign_events().values()]
    with client(bullseye) as redis, bullseye.worker() as worker:
        eventually(lambda: redis.pubsub_numpat() > 1)
        for command in commands:
            redis.publish("/0.celery.pidbox", command)
        for event in events:
            redis.publish("/0.celeryev/worker.heartbeat", event)
        load.assert_complete()
        eventually(lambda: int(redis.get(f"{queue(bullseye)}:refused") or 0) > len(events) + 30)
        assert worker.poll() is None
    assert "Traceback" not in bullseye.logs()


@pytest.mark.attack
def test_a_worker_obeys_no_command_that_does_more_than_read(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 63, 10)
    app = CeleryApp(Settings("sqlite://", bullseye.redis_url), "any")
    commands: dict[str, dict[str, Any]] = {
        "shutdown": {},
        "pool_grow": {"n": 500},
        "rate_limit": {"task_name": TASK, "rate_limit": "1/h"},
        "time_limit": {"task_name": TASK, "hard": 0.001},
        "bogus": {},
        "cancel_consumer": {"queue": queue(bullseye)},
    }
    with client(bullseye) as redis, bullseye.worker() as worker:
        eventually(lambda: redis.pubsub_numpat() > 0)
        for name, arguments in commands.items():
            app.control.broadcast(name, arguments=arguments)
        count = f"{queue(bullseye)}:refused"
        eventually(lambda: int(redis.get(count) or 0) == len(commands))
        load.assert_complete()
        assert app.control.ping(limit=1)
        assert worker.poll() is None
    assert "Traceback" not in bullseye.logs()
    assert bullseye.logs().count("is not obeyed (BULLSEYE_CONTROL)") == len(commands)


def with_clock_of_thousands_of_digits(message: dict[str, Any]) -> str:
    """A message after which Celery could not write its own clock into any other."""
    return json.dumps(with_header(message, clock=0)).replace('"clock": 0', '"clock": ' + "9" * 4300)


def pickled(known: dict[str, object], command: str) -> list[bytes]:
    """Messages that run `command` in a worker that accepts pickle."""

    class Run:
        def __reduce__(self) -> tuple[object, ...]:
            return os.system, (command,)

    body = base64.b64encode(pickle.dumps(([1], Run(), {}))).decode()
    kinds = ("application/x-python-serialize", "application/json")
    wrapped = [json.dumps({**known, "body": body, "content-type": kind}) for kind in kinds]
    return [pickle.dumps(Run()), *(one.encode() for one in wrapped)]


def test_puzzles_that_were_changed_in_redis_are_not_solved(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 61, 300)
    publish_all(bullseye)
    with client(bullseye) as redis:
        one, two, three, four, five = puzzle_keys(bullseye)[:5]
        mine = redis.get(one)
        assert isinstance(mine, bytes)
        redis.set(one, mine.replace(b".", b"1", 1))
        redis.set(two, mine)
        redis.set(three, mine[:100])
        redis.set(four, b"\xff\x00")
        redis.delete(five)
        redis.rpush(five, "a list")
        with bullseye.worker(2):
            load.assert_complete()
        assert redis.get(f"{queue(bullseye)}:refused") == b"5"
