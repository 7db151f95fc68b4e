import pytest

from worker.queue.consumer import STALLED_CHECKS, Consumption


@pytest.fixture
def now() -> list[float]:
    return [100.0]


@pytest.fixture
def consumption(now: list[float]) -> Consumption:
    return Consumption(lambda: now[0])


def check(
    consumption: Consumption, times: int, waiting: int = 7, free: int = 1, starts: bytes = b""
) -> None:
    for _ in range(times):
        consumption.check(waiting, free, starts)


def test_a_worker_is_stalled_if_messages_wait_and_it_consumes_nothing(
    consumption: Consumption, now: list[float]
) -> None:
    check(consumption, STALLED_CHECKS - 1)
    assert not consumption.is_stalled()
    check(consumption, 1)
    assert consumption.is_stalled()
    assert consumption.needs_restart()
    now[0] = 115.0
    assert consumption.seconds() == 15


@pytest.mark.parametrize(("waiting", "free"), [(0, 2), (7, 0)])
def test_a_worker_with_nothing_to_do_or_without_a_free_process_is_not_stalled(
    consumption: Consumption, waiting: int, free: int
) -> None:
    check(consumption, 9, waiting, free)
    assert not consumption.is_stalled()


def test_whoever_consumes_between_two_checks_is_not_stalled(consumption: Consumption) -> None:
    for _ in range(9):
        consumption.note()
        check(consumption, STALLED_CHECKS)
        assert not consumption.is_stalled()


def test_a_worker_whose_processes_begin_with_chunks_is_not_stalled(
    consumption: Consumption,
) -> None:
    for number in range(9):
        check(consumption, STALLED_CHECKS, starts=bytes([number]))
        assert not consumption.is_stalled()


def test_a_restarted_consumer_has_time_to_consume_and_is_stalled_until_then(
    consumption: Consumption,
) -> None:
    check(consumption, STALLED_CHECKS)
    consumption.restart()
    check(consumption, STALLED_CHECKS - 1)
    assert not consumption.needs_restart()
    assert consumption.is_stalled()
    check(consumption, 1)
    assert consumption.needs_restart()
    assert consumption.restarts == 1
    consumption.note()
    check(consumption, 1)
    assert not consumption.is_stalled()
    assert consumption.restarts == 0
