"""What a search in lanes that stopped has left, as the levels of a search of the empty grid."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from worker.compiling.vectors import WIDTH, Vector
from worker.exact_cover.parts.frontier import Level, Levels
from worker.sudoku.lanes.board import CELL_LANES, CELLS, LANES, SIDE, Grid


def levels_left(grid: Grid, level: int, given: NDArray[np.uint8]) -> Levels:
    """Return the levels of a search that stopped at this level of guesses.

    Each option that was chosen has a level, whether it was guessed or forced.
    """
    found, chosen = list[Level](), set(np.flatnonzero(given).tolist())
    snapshots = grid.snapshots.reshape(-1, LANES)
    for guess in range(1, level + 1):
        found += _chosen(grid, snapshots[guess], chosen)
        lane, rest = int(grid.branch[guess]), int(grid.rest[guess])
        options = [_option(grid, lane, bit) for bit in range(SIDE)]
        tried = [option for option in options if _is_chosen(grid, option)]
        untried = [option for bit, option in enumerate(options) if rest >> bit & 1]
        found.append(Level(_item(lane), 1, (*tried, *untried)))
        chosen.add(tried[0] // SIDE)
    return (*found, *_chosen(grid, grid.mask, chosen))


def _chosen(grid: Grid, mask: Vector, before: set[int]) -> Iterator[Level]:
    """Yield the options of the cells that are covered in these lanes, and not yet `before`."""
    for cell in np.flatnonzero(mask[CELL_LANES : CELL_LANES + CELLS] == 0).tolist():
        if cell not in before:
            before.add(cell)
            yield Level(cell + 1, 1, (cell * SIDE + int(grid.symbols[cell]),))


def _is_chosen(grid: Grid, option: int) -> bool:
    cell, symbol = divmod(option, SIDE)
    return bool(grid.mask[CELL_LANES + cell] == 0 and grid.symbols[cell] == symbol)


def _item(lane: int) -> int:
    """Return the item of a lane as `board.problem` numbers it."""
    if lane >= CELL_LANES:
        return lane - CELL_LANES + 1
    return CELLS + lane % WIDTH * SIDE + lane // WIDTH + 1


def _option(grid: Grid, lane: int, bit: int) -> int:
    """Return the option that is this bit of a lane's item."""
    if lane >= CELL_LANES:
        return (lane - CELL_LANES) * SIDE + bit
    return int(grid.rows.unit_cells[lane % WIDTH, bit]) * SIDE + lane // WIDTH
