"""Bare kernel time: what puzzles take in processes that do nothing but solve."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from storage.values import Kind
from worker.options import Options
from worker.solve import search, warm_up

#: puzzles in one call, as in a chunk
TOGETHER = 8192


class Kernel(NamedTuple):
    """What solving alone takes."""

    seconds: float  #: of the process that took longer
    cpu: float  #: seconds of CPU of both


Bare = Callable[[Path, int], Kernel]


@contextmanager
def two_processes() -> Iterator[Bare]:
    """Tells the time of a file's puzzles, several times over, on two processes in parallel.

    Each process does every other puzzle.
    """
    with ProcessPoolExecutor(2, get_context("spawn"), initializer=warm_up) as pool:
        yield partial(_both, pool)


def _both(pool: ProcessPoolExecutor, file: Path, times: int) -> Kernel:
    halves = list(pool.map(_half, (0, 1), (file, file), (times, times)))
    return Kernel(max(half.seconds for half in halves), sum(half.cpu for half in halves))


def _half(which: int, file: Path, times: int) -> Kernel:
    texts = file.read_text().split()[which::2]
    spent = 0
    wall, cpu = time.perf_counter(), time.thread_time()
    for start in [*range(0, len(texts), TOGETHER)] * times:
        for outcomes in search(Kind.SUDOKU, texts[start : start + TOGETHER], Options()):
            spent += sum(outcomes.ns)
    return Kernel(spent / 1e9, spent / 1e9 * busy(wall, cpu))


def busy(wall: float, cpu: float) -> float:
    """Which part of the time since then this thread really had: others want the cores, too."""
    return (time.thread_time() - cpu) / (time.perf_counter() - wall)
