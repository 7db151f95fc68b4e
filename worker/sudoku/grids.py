"""Many grids of one size, how far they are, and the results of the compiled search."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import Record, record

#: how far a grid is
FRESH = 1  #: its search has not begun
SEARCHING = 2  #: its search has begun
LEFT = 3  #: its search has stopped, and goes on elsewhere
WRITING = 4  #: its search has ended, and its solutions are to be written

_INT = np.int64
#: the result of one grid
Report: Any = record(
    ("status", _INT),  # why the search stopped, a constant of `exact_cover.state`
    ("found", _INT),  # solutions found
    ("kept", _INT),  # solutions written to `Grids.kept`
    ("nodes", _INT),  # options chosen by the search
    ("ns", _INT),  # CPU time, in nanoseconds
    ("wall_ns", _INT),  # wall time, in nanoseconds
)


class Grids(NamedTuple):
    """Many grids of one size, and their results."""

    given: NDArray[np.uint8]  #: per grid and cell: the clue, 0 if there is none
    report: Record  #: per grid: a `Report`
    kept: NDArray[np.uint8]  #: a solution per row, symbols from 1, one grid after the other


def new_grids(given: NDArray[np.uint8], rows: int) -> Grids:
    """Return grids without results, and room for so many solutions."""
    report = np.zeros(len(given), Report)
    return Grids(given, report, np.zeros((rows, given.shape[1]), np.uint8))
