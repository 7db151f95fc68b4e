"""The textbook implementation of dancing links in C, compiled on demand, called with ctypes."""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover.problem import Problem
from worker.sudoku.board import problem

COMPILER = "gcc"
SOURCE = Path(__file__).with_suffix(".c")


def missing() -> str | None:
    """Return the reason why the textbook program cannot be built, or None."""
    return None if shutil.which(COMPILER) else f"Left out: the textbook needs {COMPILER} on PATH."


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Compile and load the program, once; FileNotFoundError without a compiler."""
    folder = Path(tempfile.mkdtemp(prefix="textbook-"))
    built = folder / "textbook.so"
    try:
        flags = ["-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run([COMPILER, *flags, str(SOURCE), "-o", str(built)], check=True)
        loaded = ctypes.CDLL(str(built))
    finally:
        shutil.rmtree(folder)
    loaded.count.argtypes = [ctypes.c_int64]
    loaded.sudokus.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64]
    for function in (loaded.count, loaded.sudokus, loaded.visited):
        function.restype = ctypes.c_int64
    return loaded


def count(asked: Problem, limit: int = -1) -> int:
    """Count the solutions of an exact-cover problem, up to `limit`; all if it is negative."""
    _lay(asked)
    return int(library().count(limit))


def sudokus(grids: Sequence[str], limit: int = -1) -> int:
    """Count the solutions of 9x9 grids in total, up to `limit` of each."""
    _lay(problem(9))
    return int(library().sudokus("".join(grids).encode(), len(grids), limit))


def visited() -> int:
    """Return the number of search nodes since the start of the process."""
    return int(library().visited())


_laid: list[Problem] = []


def _lay(asked: Problem) -> None:
    """Pass a problem to the program, unless it was the last one."""
    if _laid and _laid[0] is asked:
        return
    members, first = _words(asked.members), _words(asked.first)
    options = asked.first.size - 1
    pointers = (members.ctypes.data_as(ctypes.c_void_p), first.ctypes.data_as(ctypes.c_void_p))
    if not library().lay(asked.items, asked.primary, options, *pointers):
        raise ValueError("the problem is too large for the textbook program")
    _laid[:] = [asked]


def _words(table: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return np.ascontiguousarray(table, np.uint32)
