import logging
from collections.abc import Iterator

import pytest

from storage.errors import BadQuery, DatabaseBusy, DatabaseUnreachable, StorageError
from worker.queue import shutdown
from worker.queue.backoff import retrying


@pytest.fixture
def slept() -> list[float]:
    return []


def failing(*errors: Exception | None) -> Iterator[Exception | None]:
    return iter(errors)


def step(outcomes: Iterator[Exception | None]) -> str:
    outcome = next(outcomes)
    if outcome is not None:
        raise outcome
    return "stored"


def test_a_step_that_succeeds_is_not_delayed(slept: list[float]) -> None:
    assert retrying(lambda: step(failing(None)), sleep=slept.append) == "stored"
    assert slept == []


def test_the_pauses_grow_and_each_is_logged_with_its_reason(
    slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    outcomes = failing(*[DatabaseBusy("it is locked")] * 7, None)
    assert retrying(lambda: step(outcomes), sleep=slept.append) == "stored"
    seconds = ["0.5", "1", "2", "4", "8", "8", "8"]
    assert caplog.messages == [f"it is locked; retrying in {s} s" for s in seconds]
    assert {entry.levelno for entry in caplog.records} == {logging.WARNING}
    assert sum(slept) == pytest.approx(31.5)


def test_a_shutdown_ends_the_pause_and_raises_the_error(slept: list[float]) -> None:
    def sleep(seconds: float) -> None:
        slept.append(seconds)
        shutdown.begin()

    outcomes = failing(*[DatabaseUnreachable("gone")] * 9)
    with pytest.raises(DatabaseUnreachable):
        retrying(lambda: step(outcomes), sleep=sleep)
    assert len(slept) == 1


@pytest.mark.parametrize("error", [BadQuery("no such column"), StorageError("a bug"), KeyError(1)])
def test_other_errors_are_raised_at_once(error: Exception, slept: list[float]) -> None:
    with pytest.raises(type(error)):
        retrying(lambda: step(failing(error)), sleep=slept.append)
    assert slept == []
