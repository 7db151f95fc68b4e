import subprocess
import sys
import time

from tests.end_to_end.bullseye import ROOT
from worker.queue.watchdog import BITTEN, watched

#: sleeps as a kernel works: no other thread of Python's runs meanwhile, and no signal handler
STUCK = """
import ctypes
from worker.queue.watchdog import watched

def slices():
    yield "first"
    ctypes.PyDLL(None).sleep(60)

for one in watched(slices(), 0.3):
    print(one, flush=True)
"""


def test_slices_in_time_pass() -> None:
    assert list(watched(iter([[1], [], [2]]), 5.0)) == [[1], [], [2]]


def test_a_kernel_that_does_not_come_back_ends_its_process_and_shows_where_it_was() -> None:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", STUCK],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == BITTEN
    assert done.stdout == "first\n"
    assert "in slices" in done.stderr
    assert time.monotonic() - began < 20


def test_between_two_slices_there_is_all_the_time_in_the_world() -> None:
    for _ in watched(iter([1, 2]), 0.05):
        time.sleep(0.2)
