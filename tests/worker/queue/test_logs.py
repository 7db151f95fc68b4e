import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
from billiard.einfo import ExceptionWithTraceback
from billiard.exceptions import WorkerLostError
from celery.exceptions import Reject
from redis import ConnectionError as Refused
from redis import ResponseError

from worker.queue import logs
from worker.queue.logs import is_news


def record(name: str, error: Exception | None, *arguments: object) -> logging.LogRecord:
    raised = (type(error), error, None) if error else None
    return logging.LogRecord(name, logging.ERROR, "", 0, "%s", arguments, raised)


def lost_process() -> Exception:
    """What Celery logs about a process that was killed."""
    wrapped: Exception = ExceptionWithTraceback(WorkerLostError("signal 9"), None)
    return wrapped


@pytest.mark.parametrize(
    "dropped",
    [
        record("celery.worker.request", Refused("gone"), "could not acknowledge"),
        record("celery.worker.consumer.consumer", None, Refused("gone")),
        record("kombu.transport.redis", ResponseError("no memory"), "timer"),
        record("celery", ConnectionResetError("gone"), "timer"),
        record("celery.worker.request", lost_process(), "task raised"),
        record("celery.app.trace", Reject("the worker is shutting down"), "task rejected"),
    ],
)
@pytest.mark.attack
def test_what_libraries_log_about_what_bullseye_reports_is_dropped(
    dropped: logging.LogRecord,
) -> None:
    assert not is_news(dropped)


@pytest.mark.parametrize(
    "kept",
    [
        record("celery.worker", ValueError("a bug"), "unrecoverable"),
        record("celery.worker", None, "ready"),
        record("worker.outages", Refused("gone"), "lost"),
        record("celeryd", Refused("gone"), "of another program"),
    ],
)
def test_other_records_are_kept(kept: logging.LogRecord) -> None:
    assert is_news(kept)


class Written(logging.StreamHandler):  # type: ignore[type-arg]
    """Keeps what it would write."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))


@pytest.mark.attack
def test_text_from_outside_cannot_steer_the_terminal_of_a_worker() -> None:
    logger, written = logging.Logger("celery.worker"), Written()
    logger.addHandler(written)
    logs.prepare(logger, as_json=False)
    logger.warning("rejected %s", "\x1b[2J")
    error = ValueError("\x1b[1A\r")
    logger.error("a line\nand \u202eanother", exc_info=error)
    assert written.texts[0] == "rejected \ufffd[2J"
    assert written.texts[1].startswith("a line\nand \ufffdanother\n")
    assert written.texts[1].endswith("ValueError: \ufffd[1A\ufffd")


def test_a_log_in_json_has_an_object_on_each_line() -> None:
    logger, written = logging.Logger("celery.worker"), Written()
    logger.addHandler(written)
    logs.prepare(logger, as_json=True)
    logger.warning("rejected %s", "a\nb\x1b")
    logger.error("failed", exc_info=ValueError("a bug"))
    plain, failed = map(json.loads, written.texts)
    age = datetime.now(UTC) - datetime.fromisoformat(plain.pop("time"))
    assert timedelta(0) <= age < timedelta(minutes=1)
    assert isinstance(plain.pop("process"), int)
    assert plain == {
        "level": "WARNING",
        "logger": "celery.worker",
        "message": "rejected a\nb\ufffd",
    }
    assert failed["message"] == "failed"
    assert failed["traceback"].endswith("ValueError: a bug")
    assert not any("\n" in text for text in written.texts)
