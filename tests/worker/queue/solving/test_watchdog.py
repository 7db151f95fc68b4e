import subprocess
import sys
import time

from tests.end_to_end.bullseye import ROOT
from worker.queue.solving.watchdog import EXIT_CODE, watched

#: sleeps as a kernel computes: PyDLL keeps the interpreter's lock, so no Python code can run
STUCK = """
import ctypes
from worker.queue.solving.watchdog import watched

def slices():
    yield "first"
    ctypes.PyDLL(None).sleep(60)

for one in watched(slices(), 0.3):
    print(one, flush=True)
"""


def test_slices_that_return_in_time_are_passed_on() -> None:
    assert list(watched(iter([[1], [], [2]]), 5.0)) == [[1], [], [2]]


def test_a_process_whose_kernel_does_not_return_is_ended_with_a_traceback() -> None:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", STUCK],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == EXIT_CODE
    assert done.stdout == "first\n"
    assert "in slices" in done.stderr
    assert time.monotonic() - began < 20


def test_the_time_between_two_slices_is_not_limited() -> None:
    passed = []
    for number in watched(iter([1, 2]), 0.05):
        time.sleep(0.2)  # longer than the limit of a slice
        passed.append(number)
    assert passed == [1, 2]
