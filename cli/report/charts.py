"""Geometry of the page's charts and heat maps: what is drawn where, in SVG user units.

The template `html/charts.html` draws the charts.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cli.drawing import rings
from cli.formatting import count, milliseconds, percent

#: size of a chart, margins around its plot, and size of the plot, in user units
WIDTH, HEIGHT = 400, 220
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 16, 24
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
#: labelled ticks of the horizontal axis
MAX_TICKS = 8
#: columns of a chart of scores
MAX_BINS = 36
#: vertical distance between the labels of two points, in user units
LABEL_HEIGHT = 18
#: side of a cell of a heat map, in SVG user units
CELL = 36


class Tick(NamedTuple):
    """A labelled position on an axis."""

    at: float
    text: str


class Bar(NamedTuple):
    """A bar and its tooltip."""

    x: float
    y: float
    width: float
    height: float
    tip: str


class Point(NamedTuple):
    """A labelled point of a curve."""

    x: float
    y: float
    label_y: float
    text: str


class Chart(NamedTuple):
    """Everything that a chart draws."""

    across: list[Tick]
    up: list[Tick]
    bars: Sequence[Bar] = ()
    line: str = ""  #: an SVG path
    points: Sequence[Point] = ()
    marker: Tick | None = None  #: a vertical line with a label


class Column(NamedTuple):
    """A column of a bar chart."""

    value: int  #: puzzles
    tip: str


def bar_chart(
    columns: Sequence[Column], ticks: Sequence[Tick], marker: Tick | None = None
) -> Chart:
    """Return a chart of vertical bars; ticks and marker are placed in columns from the left."""
    steps = axis_steps(max(column.value for column in columns))
    top = steps[-1]
    wide = PLOT_WIDTH / len(columns)
    return Chart(
        across=[Tick(round(LEFT + tick.at * wide, 2), tick.text) for tick in ticks],
        up=[Tick(_y(step / top), axis_label(step)) for step in steps],
        bars=[
            Bar(
                round(LEFT + index * wide + wide * 0.06, 2),
                _y(column.value / top),
                round(wide * 0.88, 2),
                round(column.value / top * PLOT_HEIGHT, 2),
                column.tip,
            )
            for index, column in enumerate(columns)
        ],
        marker=marker and Tick(round(LEFT + marker.at * wide, 2), marker.text),
    )


def percentile_chart(
    curve: Sequence[tuple[float, float]], labelled: Sequence[tuple[float, float, str]]
) -> Chart:
    """Return a curve of (percent of the puzzles, milliseconds) with some points labelled.

    The vertical axis is logarithmic, and leaves room for two labels above the highest point.
    """
    least = math.floor(math.log10(max(curve[0][1], 1e-4)))
    most = max(math.ceil(math.log10(max(curve[-1][1], 1e-4))), least + 1)
    powers = range(least, most + 1, math.ceil((most - least) / 5))

    def height(ms: float) -> float:
        share = (math.log10(max(ms, 10.0**least)) - least) / (most - least)
        return _y(share * (1 - 2 * LABEL_HEIGHT / PLOT_HEIGHT))

    def place(share: float, ms: float) -> tuple[float, float]:
        return round(LEFT + share / 100 * PLOT_WIDTH, 2), height(ms)

    return Chart(
        across=[Tick(LEFT + share / 100 * PLOT_WIDTH, f"{share} %") for share in range(0, 101, 25)],
        up=[Tick(height(10.0**power), axis_label(10.0**power)) for power in powers],
        line="M" + "L".join(f"{x:g} {y:g}" for x, y in (place(*at) for at in curve)),
        points=list(_stacked([(*place(share, ms), text) for share, ms, text in labelled])),
    )


def _stacked(points: Sequence[tuple[float, float, str]]) -> Iterator[Point]:
    """Yield points from left to right, each label above its point and above the label before."""
    below = math.inf
    for x, y, text in points:
        below = min(y - 5, below - LABEL_HEIGHT)
        yield Point(x, y, below, text)


def _y(share: float) -> float:
    return round(TOP + PLOT_HEIGHT * (1 - share), 2)


def axis_steps(most: int) -> list[int]:
    """Return at most five round whole numbers, from 0 to the first that is not below `most`.

    >>> axis_steps(987), axis_steps(3), axis_steps(0)
    ([0, 500, 1000], [0, 1, 2, 3], [0, 1])
    """
    step = next(step for step in _round_numbers() if most <= 4 * step)
    return [index * step for index in range(max(1, math.ceil(most / step)) + 1)]


def _round_numbers() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50, ... up to 5 * 10**17."""
    for power in range(18):
        yield from (factor * 10**power for factor in (1, 2, 5))


def bin_counts(counts: Sequence[tuple[int, int]], around: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the width of the bins, and each bin's least value with its count.

    `counts` holds (value, count) in ascending order.  The bins are contiguous and include
    `around`, even if its bin is empty.

    >>> bin_counts([(3, 5), (4, 1)], around=6)
    (1, [(3, 5), (4, 1), (5, 0), (6, 0)])
    """
    least, most = min(counts[0][0], around), max(counts[-1][0], around)
    width = next(width for width in _round_numbers() if most // width - least // width < MAX_BINS)
    bins = dict.fromkeys(range(least // width, most // width + 1), 0)
    for value, number in counts:
        bins[value // width] += number
    return width, [(index * width, number) for index, number in bins.items()]


def value_ticks(first: int, width: int, columns: int) -> list[Tick]:
    """Return ticks at round values below columns of `width` values each, from `first` on.

    >>> [(tick.at, tick.text) for tick in value_ticks(2849, 2, 9)]
    [(0.75, '2850'), (3.25, '2855'), (5.75, '2860'), (8.25, '2865')]
    """
    last = first + width * columns - 1
    step = next(
        step for step in _round_numbers() if step >= width and last - first < step * MAX_TICKS
    )
    values = range(math.ceil(first / step) * step, last + 1, step)
    return [Tick((value + 0.5 - first) / width, str(value)) for value in values]


def doubling_ticks(first: float, columns: int) -> list[Tick]:
    """Return ticks at round values below columns that each start at twice the one before.

    >>> [tick.text for tick in doubling_ticks(0.03125, 7)]
    ['0.05', '0.1', '0.2', '0.5', '1', '2']
    """
    decades = columns * math.log10(2)
    factors = (1, 2, 5) if decades < MAX_TICKS / 3 else (1,)
    lowest = math.floor(math.log10(first))
    values = (
        factor * 10.0**power
        for power in range(lowest, lowest + math.ceil(decades) + 2)
        for factor in factors
    )
    places = ((math.log2(value / first), value) for value in values)
    return [Tick(at, axis_label(value)) for at, value in places if 0 <= at <= columns]


def axis_label(number: float) -> str:
    """Return a number in few characters.

    >>> [axis_label(number) for number in (0, 0.001, 2500, 20_000, 3e6)]
    ['0', '0.001', '2500', '20k', '3M']
    """
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if number >= size and number >= 10_000:
            return f"{number / size:g}{letter}"
    return f"{number:g}" if number >= 1e-4 or not number else milliseconds(number)


# --- heat maps of many solved 9x9 grids: how often each cell has each digit ---


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
    rows: list[list[str]]  #: of the table: the number of a row, then its cells

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The column titles of the table, and whether the column holds numbers."""
        return [("row", True), *((str(column), True) for column in range(1, 10))]


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
    numbers = [digits.count(digit) for digits in zip(*grids, strict=True)]
    title = f"Share of {count(len(grids), 'grid')} with a {digit} in each cell, in percent"
    shares = [percent(number, len(grids)).removesuffix(" %") for number in numbers]
    return _heat_map(digit, title, numbers, shares)


def _heat_map(name: str, title: str, values: Sequence[float], texts: Sequence[str]) -> HeatMap:
    """Return a map whose lowest value has no colour, and whose highest value has the strongest."""
    least = min(values)
    spread = max(values) - least or 1.0
    cells = [
        Cell(index % 9 * CELL, index // 9 * CELL, round((value - least) / spread, 3), text)
        for index, (value, text) in enumerate(zip(values, texts, strict=True))
    ]
    rows = [[str(at // 9 + 1), *texts[at : at + 9]] for at in range(0, 81, 9)]
    return HeatMap(name, title, cells, rows)
