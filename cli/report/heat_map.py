"""Which digit stands where in many finished 9x9 grids."""

from collections.abc import Sequence
from typing import NamedTuple

#: units of a cell
CELL = 36


class Cell(NamedTuple):
    """A place; `share` is how dark it is, from 0 to 1."""

    x: int
    y: int
    share: float
    text: str


class Map(NamedTuple):
    """One grid of places, and the same as a table."""

    name: str  #: a digit, or `mean`
    title: str
    cells: list[Cell]

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """Of the table."""
        return [("row", True), *((str(column), True) for column in range(1, 10))]

    @property
    def lines(self) -> list[list[str]]:
        """Of the table."""
        texts = [cell.text for cell in self.cells]
        return [[str(row + 1), *texts[9 * row : 9 * row + 9]] for row in range(9)]


def maps(grids: Sequence[str]) -> list[Map]:
    """The mean digit of each place, then for each digit the percent of grids that have it there."""
    means = [sum(map(int, digits)) / len(grids) for digits in zip(*grids, strict=True)]
    shares = [(mean - 1) / 8 for mean in means]
    mean = _map("mean", "The mean digit of each cell", shares, [f"{mean:.1f}" for mean in means])
    return [mean, *(_of_digit(digit, grids) for digit in "987654321")]


def _of_digit(digit: str, grids: Sequence[str]) -> Map:
    percents = [100 * digits.count(digit) / len(grids) for digits in zip(*grids, strict=True)]
    most = max(percents)
    title = f"Where the {digit} stands, in percent of the grids"
    shares = [percent / most for percent in percents]
    return _map(digit, title, shares, [f"{percent:.0f}" for percent in percents])


def _map(name: str, title: str, shares: Sequence[float], texts: Sequence[str]) -> Map:
    cells = [
        Cell(index % 9 * CELL, index // 9 * CELL, round(share, 3), text)
        for index, (share, text) in enumerate(zip(shares, texts, strict=True))
    ]
    return Map(name, title, cells)
