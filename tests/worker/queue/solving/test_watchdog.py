import subprocess
import sys
import time

from tests.end_to_end.bullseye import ROOT
from worker.queue.solving.watchdog import EXIT_CODE, watching

#: sleeps as a kernel computes: PyDLL keeps the interpreter's lock, so no Python code can run
STUCK = """
import ctypes
from worker.queue.solving.watchdog import watching

with watching(0.3):
    print("first", flush=True)

def solve():
    ctypes.PyDLL(None).sleep(60)

with watching(0.3):
    solve()
"""


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
    assert "in solve" in done.stderr
    assert time.monotonic() - began < 20


def test_the_time_between_two_slices_is_not_limited() -> None:
    for _ in range(2):
        with watching(0.05):
            pass
        time.sleep(0.2)  # longer than the limit of a slice
