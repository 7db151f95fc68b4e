from dataclasses import replace
from types import SimpleNamespace

import pytest

from worker import app, outages
from worker.outages import Outage
from worker.queue import pool
from worker.queue.sweeper import Sweeper
from worker.settings import Settings


@pytest.mark.usefixtures("engine")  # makes the tables
def test_a_busy_worker_sweeps_once_a_second_and_one_with_a_free_process_at_each_tick(
    settings: Settings,
) -> None:
    sweeps = 0

    def beat() -> None:
        nonlocal sweeps
        sweeps += 1

    consumer = SimpleNamespace(beat=beat, outage=Outage(""), task_consumer=None)
    worker = SimpleNamespace(app=app.worker_app(settings), consumer=consumer, concurrency=1)
    now = 100.0
    sweeper = Sweeper(worker, clock=lambda: now)
    sweeper.sweep(worker)
    pool.reset()
    now += 0.9
    with pool.working(1):
        sweeper.tick(worker)
    assert sweeps == 1
    sweeper.tick(worker)
    assert sweeps == 2
    now += 1.0
    with pool.working(1):
        sweeper.tick(worker)
    assert sweeps == 3


@pytest.mark.usefixtures("engine")
def test_a_sweep_during_which_a_shutdown_begins_does_not_look_at_the_pool(
    settings: Settings, redis_url: str
) -> None:
    settings = replace(settings, redis_url=redis_url)
    checked: list[int] = []
    consumer = SimpleNamespace(
        beat=lambda: None, outage=Outage(""), task_consumer=object(), check=checked.append
    )
    worker = SimpleNamespace(app=app.worker_app(settings), consumer=consumer, concurrency=1)
    Sweeper(worker).sweep(worker)
    assert len(checked) == 1
    consumer.beat = lambda: outages.set_ending(True)
    Sweeper(worker).sweep(worker)
    assert len(checked) == 1
