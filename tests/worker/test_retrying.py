import logging
from collections.abc import Callable, Iterator

import pytest
from redis import RedisError

from storage.errors import BadQuery, DatabaseBusy, DatabaseUnreachable, StorageError
from worker import outages
from worker.errors import RedisUnreachable
from worker.outages import Outage, retrying


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def outage() -> Iterator[Outage]:
    """The outage that the main process reports; it has not begun."""
    yield Outage("redis://localhost:6379/0")
    Outage("redis://localhost:6379/0")


def step_failing_with(*errors: Exception) -> Callable[[], str]:
    """Return a step that raises one error after the other, and then succeeds."""
    left = list(errors)

    def step() -> str:
        if left:
            raise left.pop(0)
        return "stored"

    return step


def test_a_step_that_succeeds_is_not_delayed(slept: list[float]) -> None:
    assert retrying(step_failing_with(), sleep=slept.append) == "stored"
    assert slept == []


def test_the_pauses_grow_and_each_is_logged_with_its_reason(
    slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    step = step_failing_with(*[DatabaseBusy("it is locked")] * 6)
    assert retrying(step, sleep=slept.append) == "stored"
    seconds = ["0.5", "1", "2", "4", "4", "4"]
    *failures, end = caplog.messages
    assert failures == [f"it is locked; retrying in {s} s" for s in seconds]
    assert end == "continued (failed attempts: 6)"
    assert sum(slept) == pytest.approx(15.5)


def test_only_the_first_failure_and_the_end_are_warnings(
    slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    retrying(step_failing_with(*[DatabaseBusy("it is locked")] * 3), sleep=slept.append)
    levels = [logging.getLevelName(entry.levelno) for entry in caplog.records]
    assert levels == ["WARNING", "INFO", "INFO", "WARNING"]


def test_an_outage_that_the_main_process_has_reported_is_not_reported_again(
    outage: Outage, slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    outage.fail(RedisError("gone"))
    caplog.clear()
    retrying(step_failing_with(*[RedisUnreachable("gone")] * 9), sleep=slept.append)
    assert caplog.messages == []


@pytest.mark.usefixtures("outage")
def test_an_outage_that_only_this_process_notices_is_reported_by_it(
    slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    retrying(step_failing_with(*[RedisUnreachable("no permission")] * 9), sleep=slept.append)
    assert caplog.messages == [
        "no permission; retrying in 2 s",
        "continued (failed attempts: 9)",
    ]


def test_a_shutdown_ends_the_pause_and_raises_the_error(slept: list[float]) -> None:
    def sleep(seconds: float) -> None:
        slept.append(seconds)
        outages.set_ending(True)

    step = step_failing_with(*[DatabaseUnreachable("gone")] * 9)
    with pytest.raises(DatabaseUnreachable):
        retrying(step, sleep=sleep)
    assert len(slept) == 1


@pytest.mark.parametrize("error", [BadQuery("no such column"), StorageError("a bug"), KeyError(1)])
def test_other_errors_are_raised_at_once(error: Exception, slept: list[float]) -> None:
    with pytest.raises(type(error)):
        retrying(step_failing_with(error), sleep=slept.append)
    assert slept == []
