import gc
import weakref
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import pytest
from celery import signals

from worker import app
from worker.local.pool import Pool
from worker.queue import garbage
from worker.queue.sweeper import Sweeper
from worker.settings import Settings


@pytest.fixture
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("as_before")
def test_a_process_of_a_worker_seldom_searches_for_garbage() -> None:
    signals.worker_process_init.send(sender=None)
    assert gc.get_threshold()[0] == garbage.YOUNG


def test_a_process_of_a_pool_seldom_searches_for_garbage(settings: Settings) -> None:
    with closing(Pool(settings, 1)) as pool:
        assert pool.executor.submit(gc.get_threshold).result()[0] == garbage.YOUNG


@pytest.mark.usefixtures("as_before")
def test_cycles_are_found_all_the_same() -> None:
    garbage.search_seldom()
    before = gc.get_stats()[0]["collections"]
    for _ in range(2 * garbage.YOUNG):
        cycle: list[object] = []
        cycle.append(cycle)
    assert gc.get_stats()[0]["collections"] > before


@pytest.mark.usefixtures("engine")  # its tables are there
def test_a_sweep_leaves_no_garbage_behind(settings: Settings) -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself = self

    worker = SimpleNamespace(app=app.worker_app(settings), hostname="box-1")
    gc.disable()
    try:
        gone = weakref.ref(Cycle())
        Sweeper.sweep(SimpleNamespace(), worker)  # type: ignore[arg-type]
    finally:
        gc.enable()
    assert gone() is None
