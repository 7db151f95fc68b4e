"""The textbook's Dancing Links in C: compiled where there is a compiler, called by ctypes."""

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
from worker.sudoku.solve import problem

COMPILER = "gcc"
SOURCE = Path(__file__).with_suffix(".c")


def missing() -> str | None:
    """Why there is no textbook program, if there is none."""
    return None if shutil.which(COMPILER) else f"Left out: the textbook needs {COMPILER} on PATH."


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Compile it once; FileNotFoundError without a compiler."""
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
    """Solutions of an exact cover problem; all of them with a negative limit."""
    _lay(asked)
    return int(library().count(limit))


def sudokus(grids: Sequence[str], limit: int = -1) -> int:
    """Solutions of 9x9 grids, at most `limit` of each, together."""
    _lay(problem(3))
    return int(library().sudokus("".join(grids).encode(), len(grids), limit))


def visited() -> int:
    """Search nodes since the start of the process."""
    return int(library().visited())


_laid: list[Problem] = []


def _lay(asked: Problem) -> None:
    """Lay out a problem, unless it is the one that was laid out last."""
    if _laid and _laid[0] is asked:
        return
    members, first = _words(asked.members), _words(asked.first)
    options = asked.first.size - 1
    pointers = (members.ctypes.data_as(ctypes.c_void_p), first.ctypes.data_as(ctypes.c_void_p))
    if not library().lay(asked.items, asked.primary, options, *pointers):
        raise ValueError("the textbook has no room for so large a problem")
    _laid[:] = [asked]


def _words(table: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return np.ascontiguousarray(table, np.uint32)
