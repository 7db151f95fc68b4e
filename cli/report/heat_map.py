"""Heat maps of many solved 9x9 grids: how often each cell has each digit."""

from collections.abc import Sequence
from typing import NamedTuple

from cli.drawing import rings
from cli.formatting import count

#: side of a cell, in SVG user units
CELL = 36


class Cell(NamedTuple):
    """A square of the map."""

    x: int
    y: int
    share: float  #: its opacity, from 0 to 1
    text: str


class HeatMap(NamedTuple):
    """A map of 81 cells, as a picture and as a table."""

    name: str  #: a digit, or `mean`
    title: str
    cells: list[Cell]

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The column titles of the table, and whether the column holds numbers."""
        return [("row", True), *((str(column), True) for column in range(1, 10))]

    @property
    def rows(self) -> list[list[str]]:
        """The cells of the table, each row preceded by its number."""
        texts = [cell.text for cell in self.cells]
        return [[str(row + 1), *texts[9 * row : 9 * row + 9]] for row in range(9)]


def heat_maps(grids: Sequence[str]) -> list[HeatMap]:
    """Return a map of the mean digit and one of the frequency of each digit, from 9 down."""
    means = [sum(map(int, digits)) / len(grids) for digits in zip(*grids, strict=True)]
    title = f"Mean digit of each cell over {count(len(grids), 'grid')}"
    mean_map = _heat_map("mean", title, means, [f"{mean:.1f}" for mean in means])
    return [mean_map, *(_digit_map(digit, grids) for digit in "987654321")]


def ring_means(grids: Sequence[str]) -> list[float]:
    """Return the mean digit of each ring, from the centre to the border."""
    summed = [[ring.digits / ring.cells for ring in rings(grid)] for grid in grids]
    return [sum(means) / len(grids) for means in zip(*summed, strict=True)]


def _digit_map(digit: str, grids: Sequence[str]) -> HeatMap:
    percents = [100 * digits.count(digit) / len(grids) for digits in zip(*grids, strict=True)]
    title = f"Share of {count(len(grids), 'grid')} with a {digit} in each cell, in percent"
    return _heat_map(digit, title, percents, [f"{percent:.0f}" for percent in percents])


def _heat_map(name: str, title: str, values: Sequence[float], texts: Sequence[str]) -> HeatMap:
    """Return a map whose lowest value has no colour, and whose highest value has the strongest."""
    least = min(values)
    spread = max(values) - least or 1.0
    cells = [
        Cell(index % 9 * CELL, index // 9 * CELL, round((value - least) / spread, 3), text)
        for index, (value, text) in enumerate(zip(values, texts, strict=True))
    ]
    return HeatMap(name, title, cells)
