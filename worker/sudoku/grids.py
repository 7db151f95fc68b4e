"""Many grids of one size, how far they are, and the results of the compiled search."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import Integers, Record, Table

#: how far a grid is
FRESH = 1  #: it is not presolved
SEARCHING = 2  #: its search has begun
NEW_ROUND = 3  #: a further search, a round, is to begin
IN_ROUND = 4  #: a round has begun; Python decides what follows it
WRITING = 5  #: its search has ended, and its solutions are to be written
IN_LANES = 6  #: its search in lanes has begun
PRESOLVING = 7  #: its search in lanes ended too early; the general search is to begin

_INT = np.int64
#: the result of one grid
Report: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("status", _INT),  # why the search stopped, a constant of `exact_cover.state`
                ("found", _INT),  # solutions found
                ("kept", _INT),  # solutions written to `Grids.kept`
                ("nodes", _INT),  # options chosen by the search
                ("ns", _INT),  # CPU time, in nanoseconds
                ("wall_ns", _INT),  # wall time, in nanoseconds
                ("dual", _INT),  # the sum of all multipliers: a solution scores this less its cost
                ("bound", _INT),  # no solution that was not visited scores more
            ],
            align=True,
        ),
    )
)


class Round(NamedTuple):
    """A further search of the grid that is presolved last."""

    candidates: Table  #: per cell, as in `Marks`
    reach: int  #: options of a higher reduced cost are left out
    node_limit: int  #: the search ends after so many more nodes


class Grids(NamedTuple):
    """Many grids of one size, and their results."""

    given: NDArray[np.uint8]  #: per grid and cell: the clue, 0 if there is none
    report: Record  #: per grid: a `Report`
    kept: NDArray[np.uint8]  #: a solution per row, symbols from 1, one grid after the other
    cost: Integers  #: per row: its cost


def new_grids(given: NDArray[np.uint8], rows: int) -> Grids:
    """Return grids without results, and room for so many solutions."""
    cells = given.shape[1]
    report = np.zeros(len(given), Report)
    return Grids(given, report, np.zeros((rows, cells), np.uint8), np.zeros(rows, np.int64))
