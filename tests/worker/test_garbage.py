import gc
import json
import weakref
from types import SimpleNamespace

import pytest

from worker import app, garbage
from worker.covers.decoding import decode
from worker.outages import Outage
from worker.queue.sweeper import Sweeper
from worker.settings import Settings


@pytest.mark.usefixtures("collector")
def test_cycles_are_still_collected_after_many_allocations() -> None:
    garbage.collect_rarely()
    before = gc.get_stats()[0]["collections"]
    for _ in range(2 * garbage.GENERATION_0_THRESHOLD):
        cycle: list[object] = []
        cycle.append(cycle)
    assert gc.get_stats()[0]["collections"] > before


def test_decoding_many_options_collects_nothing_and_leaves_the_collector_on() -> None:
    text = json.dumps({"items": 3, "options": [[1], [2, 3]] * 20_000})
    before = gc.get_stats()[0]["collections"]
    decode(text)
    assert gc.isenabled()
    assert gc.get_stats()[0]["collections"] - before <= 1  # what was to be collected before


@pytest.mark.usefixtures("engine")  # makes the tables
def test_a_sweep_collects_garbage(settings: Settings) -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself = self

    consumer = SimpleNamespace(beat=lambda: None, outage=Outage(""), task_consumer=None)
    worker = SimpleNamespace(app=app.worker_app(settings), consumer=consumer)
    gc.disable()
    try:
        gone = weakref.ref(Cycle())
        Sweeper(worker).sweep(worker)
    finally:
        gc.enable()
    assert gone() is None
