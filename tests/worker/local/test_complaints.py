import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from storage.errors import DatabaseBusy
from worker.app import LOG_FORMAT
from worker.local.complaints import Complaints
from worker.queue.backoff import retrying


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "worker.log"
    file.write_text("")
    return file


@pytest.fixture
def complain(log: Path) -> Callable[[str], None]:
    """A worker writes its log, and has to wait once."""

    def complain(reason: str) -> None:
        handler = logging.FileHandler(log)
        handler.setFormatter(logging.Formatter(LOG_FORMAT))
        logger = logging.getLogger("worker")
        logger.addHandler(handler)
        outcomes = iter([DatabaseBusy(reason), None])

        def step() -> None:
            if outcome := next(outcomes):
                raise outcome

        retrying(step, sleep=lambda _: None)
        logger.removeHandler(handler)
        handler.close()

    return complain


def test_each_reason_is_told_once(log: Path, complain: Callable[[str], None]) -> None:
    told: list[str] = []
    complaints = Complaints(log, told.append)
    complain("the disk is full")
    complaints.look()
    complain("the disk is full")
    complain("the file is locked; by whom")
    complaints.look()
    assert told == ["waiting: the disk is full", "waiting: the file is locked; by whom"]


def test_other_lines_and_half_lines_are_not_told(log: Path) -> None:
    told: list[str] = []
    complaints = Complaints(log, told.append)
    log.write_text("2026 INFO x: chunk=1\n2026 WARNING worker.queue.backoff: the di")
    complaints.look()
    assert told == []
    with log.open("a") as rest:
        rest.write("sk is full; retrying in 0.5 s\n")
    complaints.look()
    assert told == ["waiting: the disk is full"]
