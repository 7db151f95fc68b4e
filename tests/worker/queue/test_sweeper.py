from types import SimpleNamespace

import pytest

from worker import app
from worker.queue import shutdown
from worker.queue.outage import Outage
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
    sweeper = Sweeper(worker)
    sweeper.sweep(worker)
    shutdown.reset()
    with shutdown.working(1):
        sweeper.tick(worker)
    assert sweeps == 1
    sweeper.tick(worker)
    assert sweeps == 2
