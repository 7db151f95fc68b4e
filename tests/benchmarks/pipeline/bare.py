"""Bare kernel time: the solving time of puzzles without queue and database."""

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

#: puzzles per call, as in a chunk
CALL_PUZZLES = 8192


class Kernel(NamedTuple):
    """Time for solving a file on two processes."""

    seconds: float  #: wall-clock time of the slower process
    cpu: float  #: seconds of CPU of both processes


Bare = Callable[[Path, int], Kernel]


@contextmanager
def two_processes() -> Iterator[Bare]:
    """Yield a function that solves a file several times on two processes and returns the time.

    Each process solves every other puzzle.
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
    for start in [*range(0, len(texts), CALL_PUZZLES)] * times:
        for outcomes in search(Kind.SUDOKU, texts[start : start + CALL_PUZZLES], Options()):
            spent += sum(outcomes.ns)
    return Kernel(spent / 1e9, spent / 1e9 * busy(wall, cpu))


def busy(wall: float, cpu: float) -> float:
    """Return the share of the wall-clock time since then in which this thread had a core."""
    return (time.thread_time() - cpu) / (time.perf_counter() - wall)
