"""Heat maps of many solved 9x9 grids: how often each cell has each digit."""

from collections.abc import Sequence
from typing import NamedTuple

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
    shares = [(mean - 1) / 8 for mean in means]
    texts = [f"{mean:.1f}" for mean in means]
    mean_map = _heat_map("mean", "Mean digit of each cell", shares, texts)
    return [mean_map, *(_digit_map(digit, grids) for digit in "987654321")]


def _digit_map(digit: str, grids: Sequence[str]) -> HeatMap:
    percents = [100 * digits.count(digit) / len(grids) for digits in zip(*grids, strict=True)]
    most = max(percents)
    title = f"Grids with a {digit} in each cell, in percent"
    shares = [percent / most for percent in percents]
    return _heat_map(digit, title, shares, [f"{percent:.0f}" for percent in percents])


def _heat_map(name: str, title: str, shares: Sequence[float], texts: Sequence[str]) -> HeatMap:
    cells = [
        Cell(index % 9 * CELL, index // 9 * CELL, round(share, 3), text)
        for index, (share, text) in enumerate(zip(shares, texts, strict=True))
    ]
    return HeatMap(name, title, cells)
