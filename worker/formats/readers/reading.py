"""How an input is to be read."""

from typing import NamedTuple

from worker.formats.layout import Layout
from worker.formats.readers.columns import Columns


class Reading(NamedTuple):
    """How an input is to be read: its layout, and what its reader needs besides."""

    layout: Layout
    sides: tuple[int, ...] = ()  #: of grids of one line each, the commonest first
    announced: int | None = None  #: the number of puzzles that the first line announces
    headed: bool = True  #: a line `n m` stands before the rows of each matrix
    columns: Columns | None = None  #: the columns that the first line names
