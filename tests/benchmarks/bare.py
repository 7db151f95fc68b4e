"""Bare kernel time: what puzzles take in processes that do nothing but solve."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from worker.puzzles.options import Options
from worker.puzzles.search import search, warm_up

#: puzzles in one call, as in a chunk
TOGETHER = 8192

Bare = Callable[[Path, int], float]


@contextmanager
def two_processes() -> Iterator[Bare]:
    """Tells the seconds of a file's puzzles, several times over, on two processes in parallel.

    Each process does every other puzzle; the one that took longer counts.
    """
    with ProcessPoolExecutor(2, get_context("spawn"), initializer=warm_up) as pool:
        yield partial(_longest, pool)


def _longest(pool: ProcessPoolExecutor, file: Path, times: int) -> float:
    return max(pool.map(_half, (0, 1), (file, file), (times, times)))


def _half(which: int, file: Path, times: int) -> float:
    texts = file.read_text().split()[which::2]
    spent = 0
    for start in [*range(0, len(texts), TOGETHER)] * times:
        for outcomes in search(texts[start : start + TOGETHER], Options()):
            spent += sum(outcome.ns for outcome in outcomes)
    return spent / 1e9
