import subprocess
import sys

from tests.end_to_end.bullseye import ROOT
from worker.attempt.isolation import WATCHDOG_EXIT_CODE

#: sleeps as a kernel computes: PyDLL keeps the interpreter's lock, so no Python code can run
STUCK = """
import ctypes
from worker.attempt.isolation import watching

with watching(60):
    print("first", flush=True)

def solve():
    ctypes.PyDLL(None).sleep(600)

with watching(0.3):
    solve()
"""

#: pauses for longer than the limit of a slice
PAUSING = """
import time
from worker.attempt.isolation import watching

with watching(1.0):
    pass
time.sleep(1.5)
print("done")
"""


def test_a_process_whose_kernel_does_not_return_is_ended_with_a_traceback() -> None:
    done = run(STUCK)
    assert done.returncode == WATCHDOG_EXIT_CODE
    assert done.stdout == "first\n"
    assert "in solve" in done.stderr


def test_the_time_between_two_slices_is_not_limited() -> None:
    assert run(PAUSING).stdout == "done\n"


def run(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program of its own, which the watchdog may end."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
