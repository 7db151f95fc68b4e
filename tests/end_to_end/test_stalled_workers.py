"""Workers that are alive and consume nothing."""

import os
import sys
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import QUICK, submit
from tests.processes import children


@pytest.fixture
def stalled(bullseye: Bullseye, request: pytest.FixtureRequest) -> Bullseye:
    """An installation whose workers have the fault `request.param`."""
    bullseye.program = (sys.executable, "-m", "tests.end_to_end.stalled_worker", request.param)
    bullseye.settings |= QUICK
    return bullseye


@pytest.mark.parametrize("stalled", ["once"], indirect=True)
def test_a_worker_that_consumes_nothing_connects_again_and_goes_on(stalled: Bullseye) -> None:
    with stalled.worker() as worker:
        eventually(lambda: stalled.live_workers() == 1)
        submit(stalled, 41, 20).assert_complete()
        assert worker.poll() is None
    assert stalled.logs().count("connecting to Redis again") == 1


@pytest.mark.soak
@pytest.mark.attack
@pytest.mark.parametrize("stalled", ["always"], indirect=True)
def test_a_worker_that_never_consumes_ends_so_that_its_supervisor_starts_it(
    stalled: Bullseye,
) -> None:
    with stalled.worker() as worker:
        eventually(lambda: stalled.live_workers() == 1)
        load = submit(stalled, 42, 20)
        assert worker.wait(60) == os.EX_TEMPFAIL
    log = stalled.logs()
    assert "the worker ends: no chunk was begun for" in log
    assert "Traceback" not in log
    assert not load.answered()


@pytest.mark.soak  # the alarm has a time of grace
@pytest.mark.parametrize("stalled", ["hung"], indirect=True)
def test_a_worker_whose_event_loop_hangs_ends_with_its_processes(stalled: Bullseye) -> None:
    stalled.settings["BULLSEYE_SILENCE"] = "1"
    with stalled.worker(2) as worker:
        eventually(lambda: len(children(worker.pid)) == 2)
        processes = children(worker.pid)
        assert worker.wait(60) == os.EX_TEMPFAIL
        eventually(lambda: not any(Path(f"/proc/{one}").exists() for one in processes))
    assert "its main process has hung for 2 s" in stalled.logs()
