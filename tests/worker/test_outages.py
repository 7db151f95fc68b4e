from collections.abc import Iterator
from contextlib import closing

import pytest
from redis import ConnectionError as Refused
from redis import ResponseError

from storage.errors import DatabaseBusy
from worker.errors import RedisUnreachable
from worker.outages import STABLE_SECONDS, Outage, retrying
from worker.queue.carrier import Carrier

NAME = "Redis at redis://:***@box:6379/0"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lost(clock: Clock) -> Iterator[Outage]:
    """An outage that began at 100 s."""
    begun = Outage(NAME, clock)
    begun.fail(Refused("Connection closed by server."))
    yield begun
    Outage(NAME)


def test_an_outage_is_one_line_at_its_begin_and_one_at_its_end(
    lost: Outage, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    lost.fail(Refused("Connection refused."))
    lost.fail(ResponseError("no memory"))
    clock.now = 112.5
    lost.connect()
    lost.settle()
    lost.settle()
    assert caplog.messages == [f"{NAME} answers again after 12.5 s (failed attempts: 3)"]


def test_the_first_line_gives_the_address_and_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    Outage(NAME).fail(Refused("Connection closed by server."))
    Outage(NAME)
    assert caplog.messages == [f"lost {NAME}: connection closed by server; retrying"]


def test_of_an_error_of_the_carrier_the_log_has_its_cause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with closing(Carrier.connect("redis://localhost:1", "")) as carrier:
        with pytest.raises(RedisUnreachable) as raised:
            carrier.ping()
        Outage(NAME).fail(raised.value)
    Outage(NAME)
    assert caplog.messages == [f"lost {NAME}: connection refused; retrying"]


def test_an_outage_is_not_over_while_connections_fail_again(
    lost: Outage, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    for _ in range(9):
        lost.connect()
        clock.now += STABLE_SECONDS - 1
        lost.settle()
        lost.fail(ResponseError("no memory"))
    assert caplog.messages == []
    clock.now += STABLE_SECONDS
    lost.settle()
    assert len(caplog.messages) == 1


def test_after_an_outage_the_next_one_is_reported(
    lost: Outage, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    clock.now += STABLE_SECONDS
    lost.settle()
    caplog.clear()
    lost.fail(Refused("Connection refused."))
    assert len(caplog.messages) == 1


@pytest.mark.attack
def test_a_locked_database_is_reported_when_it_lasts_and_once(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    outage = Outage("the database", clock, of_database=True, silent=2)
    for failures in (2, 9):
        for _ in range(failures):
            outage.fail(DatabaseBusy("the database is locked"))
            clock.now += 5
        outage.settle()
    assert caplog.messages == [
        "lost the database: the database is locked; retrying",
        "the database answers again after 40.0 s (failed attempts: 9)",
    ]


@pytest.mark.attack
def test_of_several_processes_one_reports_an_outage(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    outage = Outage("the database", clock, of_database=True, silent=2)
    failures = iter(range(9))

    def step() -> None:
        if next(failures, None) is not None:
            outage.fail(DatabaseBusy("the database is locked"))
            raise DatabaseBusy("the database is locked")

    retrying(step, sleep=lambda _: None)
    clock.now += 5
    outage.settle()
    assert caplog.messages == [
        "lost the database: the database is locked; retrying",
        "the database answers again after 0.0 s (failed attempts: 9)",
    ]
