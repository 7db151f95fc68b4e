"""Startup: time to compile or load the kernel, and resident memory."""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

WARM = """
import time
began = time.perf_counter()
from worker.solve import warm_up
warm_up()
print(time.perf_counter() - began)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(int(status["VmRSS"].split()[0]) / 1024)
"""


def tables(_data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a table of startup times and memory."""
    with tempfile.TemporaryDirectory() as folder:
        ours = {"NUMBA_CACHE_DIR": folder, "BULLSEYE_DATABASE_URL": f"{folder}/bullseye.db"}
        cold, _ = _warm_up(ours)
        warm = [_warm_up(ours) for _ in range(rounds)]
        yield "| start | |"
        yield "|---|---|"
        yield f"| compile the kernel for grids, once | {cold:.1f} s |"
        yield f"| load it | {_median(t for t, _ in warm):.2f} s |"
        yield f"| resident memory | {_median(mb for _, mb in warm):.0f} MB |"


def _median(numbers: Iterator[float]) -> float:
    return statistics.median(numbers)


def _warm_up(environ: Mapping[str, str]) -> tuple[float, float]:
    """Return the seconds to warm up, imports included, and the MB, of a new process."""
    done = subprocess.run(
        [sys.executable, "-c", WARM],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes
