"""Waiting for a batch, with a simulated clock."""

from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import make_url

from cli.progress.display import ProgressDisplay
from cli.progress.wait import finish, follow
from storage.batches import cancel
from storage.database import open_database, read, write
from storage.outbox import steering
from storage.queries.progress import QUERY_SECONDS, Progress, read_progress
from tests import databases
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Database
from tests.storage.harness import QUEUE, Harness
from worker.errors import NoLiveWorker
from worker.queue.carrier import Carrier
from worker.queue.dispatch import Outbox, queue_of
from worker.queue.message import WorkerInfo
from worker.settings import Settings


class Clock:
    """A clock that advances only in `sleep`, which then calls `meanwhile`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.meanwhile: Callable[[float], None] = lambda _: None

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.meanwhile(self.now)


def wait(database: Database, clock: Clock, batch: int, patience: float | None = 60.0) -> Progress:
    settings, engine = Settings.from_env(), database.engine
    carrier = Carrier.connect(settings.redis_url, queue_of(settings, engine))
    outbox = Outbox(engine, carrier, settings)
    return follow(outbox, batch, patience, clock=clock, sleep=clock.sleep)


def test_wait_gives_up_after_a_minute_without_a_worker(database: Database, redis: str) -> None:
    clock = Clock()
    batch = database.store([UNIQUE], waiting=1)
    with pytest.raises(NoLiveWorker, match=f"bullseye status -w {batch}"):
        wait(database, clock, batch)
    assert 60 < clock.now < 62


def test_wait_does_not_give_up_while_a_worker_is_alive(database: Database, redis: str) -> None:
    clock = Clock()
    batch = database.store([UNIQUE], waiting=1)
    carrier = Carrier.connect(redis, queue_of(Settings.from_env(), database.engine))

    def live(now: float) -> None:
        if now < 300:
            carrier.beat("box-1", WorkerInfo())
        else:
            carrier.leave("box-1")

    clock.meanwhile = live
    with pytest.raises(NoLiveWorker):
        wait(database, clock, batch)
    carrier.close()
    assert 355 < clock.now < 370


def test_without_redis_the_wait_warns_once_and_continues(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    batch = database.store([UNIQUE], waiting=1)

    def stop(now: float) -> None:
        if now > 40:
            with write(database.engine) as connection:
                cancel(connection, batch)

    clock.meanwhile = stop
    assert wait(database, clock, batch).batch.cancelled_at
    assert capsys.readouterr().err.count("warning: cannot reach Redis") == 1


def test_without_a_patience_limit_the_wait_never_gives_up(database: Database) -> None:
    clock = Clock()
    batch = database.store([UNIQUE], waiting=1)

    class Enough(Exception):
        """Ten simulated minutes have passed."""

    def ten_minutes(now: float) -> None:
        if now > 600:
            raise Enough

    clock.meanwhile = ten_minutes
    with pytest.raises(Enough):
        wait(database, clock, batch, patience=None)


def test_the_wait_for_a_paused_batch_says_so_and_never_gives_up(
    database: Database, redis: str, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    batch = database.store([UNIQUE], waiting=3)
    with write(database.engine) as connection:
        steering.pause(connection, batch)

    def go_on(now: float) -> None:
        if 300 <= now < 300 + QUERY_SECONDS:
            with write(database.engine) as connection:
                steering.resume(connection, batch)

    clock.meanwhile = go_on
    with pytest.raises(NoLiveWorker):
        wait(database, clock, batch)
    assert 360 <= clock.now < 362
    lines = capsys.readouterr().err.splitlines()
    assert lines[:9] == [f"batch {batch}: 25 %, 1 / 4, paused"] * 9
    assert lines[-1] == f"batch {batch}: 25 %, 1 / 4"


def test_a_log_gets_a_line_every_30_seconds(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    batch = database.store([UNIQUE], waiting=3)
    with read(database.engine) as connection:
        progress = read_progress(connection, batch)
    with ProgressDisplay(clock) as display:
        for _ in range(400):
            display.update(progress)
            clock.sleep(0.25)
    assert capsys.readouterr().err.splitlines() == [f"batch {batch}: 25 %, 1 / 4"] * 3


def test_a_log_line_has_the_rate_and_the_time_left(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    batch, clock = database.store([], waiting=1000), Clock()
    with read(database.engine) as connection:
        progress = read_progress(connection, batch)
    with ProgressDisplay(clock) as display:
        for second in range(31):
            display.update(progress._replace(answered=20 * second))
            clock.sleep(1.0)
    assert capsys.readouterr().err == f"batch {batch}: 60 %, 600 / 1,000, 20/s, 20.0 s left\n"


@pytest.mark.attack
def test_a_wait_and_its_summary_survive_the_end_of_a_connection_to_postgresql(
    postgresql_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with databases.on_server(postgresql_url) as url:
        harness = Harness.at(url)
        settings = Settings(url, "redis://127.0.0.1:1/0", queue=QUEUE)
        batch, clock = harness.submit(3), Clock()

        def disturb(now: float) -> None:
            if now > 2:
                harness.solve(batch)
            terminate_others(url, harness)

        clock.meanwhile = disturb
        engine = open_database(url)
        with closing(Carrier.connect(settings.redis_url, QUEUE)) as carrier:
            outbox = Outbox(engine, carrier, settings)
            last = follow(outbox, batch.id, None, clock=clock, sleep=clock.sleep)
            terminate_others(url, harness)
            finish(last, engine, settings)
        engine.dispose()
        harness.engine.dispose()
    shown = capsys.readouterr().err
    assert shown.count("warning: cannot reach the database") == 1
    assert "3 solved" in shown


def terminate_others(url: str, harness: Harness) -> None:
    """End all sessions of a database but one of a harness, which begins a new one later."""
    harness.engine.dispose()
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    with closing(psycopg.connect(plain, autocommit=True)) as other:
        other.execute(
            f"{ours} WHERE datname = current_database() AND pid <> pg_backend_pid()".encode()
        )
