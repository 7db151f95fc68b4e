"""The result of format detection, with which the readers are called."""

from typing import NamedTuple

from worker.formats.files.blanks import Blanks
from worker.formats.layout import Layout
from worker.formats.readers.columns import Columns


class Reading(NamedTuple):
    """The layout of an input, and further facts that its reader needs."""

    layout: Layout
    sides: tuple[int, ...] = ()  #: the sides of grids of one line each, the commonest first
    announced: int | None = None  #: the number of puzzles that the first line announces
    headed: bool = True  #: a line `n m` stands before the rows of each matrix
    blanks: Blanks | None = None  #: how rows are written in which blanks are empty cells
    columns: Columns | None = None  #: the columns that the first line names
