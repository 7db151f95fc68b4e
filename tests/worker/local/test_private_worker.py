import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.end_to_end.bullseye import ROOT
from worker.errors import LocalWorkerDied
from worker.local.backend import PrivateWorker
from worker.queue.notices import NoticeReader
from worker.settings import Settings

HEAVY = ("sqlalchemy", "celery", "kombu", "redis", "numba", "numpy")


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The read end and the write end."""
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("before", ["worker.local.backend", "cli.output.formats"])
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
