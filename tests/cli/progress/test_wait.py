"""Waiting for a batch, on a clock of the test's own."""

from collections.abc import Callable

import pytest

from cli.errors import NoLiveWorker
from cli.outbox import outbox_of, queue_of
from cli.progress.display import ProgressDisplay, line
from cli.progress.rate import Rate
from cli.progress.wait import Wait
from storage.batches import cancel
from storage.database import read, write
from storage.queries.progress import read_progress
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Filled
from worker.queue.carrier import Carrier
from worker.settings import Settings


class Clock:
    """Time passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.meanwhile: Callable[[float], None] = lambda _: None

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.meanwhile(self.now)


def waiting(filled: Filled, clock: Clock, patience: float | None = 60.0) -> Wait:
    settings = Settings.from_env()
    outbox = outbox_of(settings, filled.engine, queue_of(settings, filled.engine))
    return Wait(filled.engine, outbox, patience, clock, clock.sleep)


def test_without_a_worker_it_gives_up_after_a_minute(filled: Filled, redis: str) -> None:
    assert redis
    clock = Clock()
    batch = filled.store([UNIQUE], waiting=1)
    with pytest.raises(NoLiveWorker, match=f"bullseye status -w {batch}"):
        waiting(filled, clock).until_over(batch)
    assert 60 < clock.now < 62


def test_a_live_worker_is_waited_for(filled: Filled, redis: str) -> None:
    clock = Clock()
    batch = filled.store([UNIQUE], waiting=1)
    wait = waiting(filled, clock)
    carrier = Carrier.connect(redis, wait.outbox.carrier.queue)

    def live(now: float) -> None:
        if now < 300:
            carrier.beat("box-1")
        else:
            carrier.leave("box-1")

    clock.meanwhile = live
    with pytest.raises(NoLiveWorker):
        waiting(filled, clock).until_over(batch)
    carrier.close()
    assert 355 < clock.now < 370


def test_without_redis_progress_is_a_sign_of_life(
    filled: Filled, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    batch = filled.store([UNIQUE], waiting=1)

    def stop(now: float) -> None:
        if now > 40:
            with write(filled.engine) as connection:
                cancel(connection, batch)

    clock.meanwhile = stop
    assert waiting(filled, clock).until_over(batch).batch.cancelled_at
    assert capsys.readouterr().err.count("warning: cannot reach Redis") == 1


def test_watching_has_all_patience(filled: Filled) -> None:
    clock = Clock()
    batch = filled.store([UNIQUE], waiting=1)

    class Enough(Exception):
        """Ten minutes went by."""

    def ten_minutes(now: float) -> None:
        if now > 600:
            raise Enough

    clock.meanwhile = ten_minutes
    with pytest.raises(Enough):
        waiting(filled, clock, patience=None).until_over(batch)


def test_a_log_gets_a_line_every_30_seconds(
    filled: Filled, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    batch = filled.store([UNIQUE], waiting=3)
    with read(filled.engine) as connection:
        progress = read_progress(connection, batch)
    with ProgressDisplay(clock) as follower:
        for _ in range(400):
            follower.look(progress)
            clock.sleep(0.25)
    assert capsys.readouterr().err.splitlines() == [f"batch {batch}: 25 %, 1 / 4"] * 3


def test_a_line_tells_speed_and_what_is_left(filled: Filled) -> None:
    batch = filled.store([UNIQUE] * 400, waiting=600)
    with read(filled.engine) as connection:
        progress = read_progress(connection, batch)
    assert line(progress, 20.0) == f"batch {batch}: 40 %, 400 / 1,000, 20/s, 30.0 s left"
    assert line(progress, 0.5) == f"batch {batch}: 40 %, 400 / 1,000, 0.5/s, 20:00 left"


def test_speed_is_that_of_the_last_seconds() -> None:
    speed = Rate()
    assert speed.at(0.0, 0) is None
    assert speed.at(1.0, 100) == 100
    for second in range(2, 40):
        measured = speed.at(float(second), 100 + 10 * second)
    assert measured == pytest.approx(10)
