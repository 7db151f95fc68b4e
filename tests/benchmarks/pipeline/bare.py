"""Bare kernel time: the solving time of puzzles without queue and database."""

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
    """CPU time for solving a file on two processes, in seconds."""

    seconds: float  #: of the slower process
    cpu: float  #: of both processes


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
    return Kernel(max(halves), sum(halves))


def _half(which: int, file: Path, times: int) -> float:
    texts = file.read_text().split()[which::2]
    spent = 0
    for start in [*range(0, len(texts), CALL_PUZZLES)] * times:
        for outcomes in search(Kind.SUDOKU, texts[start : start + CALL_PUZZLES], Options()):
            spent += sum(outcomes.ns)
    return spent / 1e9
