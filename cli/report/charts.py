"""Charts as numbers: where bars, points and ticks stand; `html/charts.html` draws them."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cli.formatting import milliseconds

#: units of a whole chart, and of what is around its plot
WIDTH, HEIGHT = 400, 220
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 16, 24
ACROSS, UP = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
#: ticks of an axis, and columns of a chart of scores, at most
TICKS, COLUMNS = 8, 36
#: units between the words of two points
LINE = 14


class Tick(NamedTuple):
    """A mark on an axis."""

    at: float
    text: str


class Bar(NamedTuple):
    """One column; `tip` is what it says when pointed at."""

    x: float
    y: float
    width: float
    height: float
    tip: str


class Point(NamedTuple):
    """A place on a curve, with its words at a height where nothing else stands."""

    x: float
    y: float
    words_y: float
    text: str


class Chart(NamedTuple):
    """All that is drawn."""

    across: list[Tick]
    up: list[Tick]
    bars: Sequence[Bar] = ()
    line: str = ""  #: an SVG path
    points: Sequence[Point] = ()
    marker: Tick | None = None  #: an upright line with a word


class Column(NamedTuple):
    """What one column shows."""

    value: float
    label: str  #: below it, if there is room
    tip: str


def columns(shown: Sequence[Column], marker: Tick | None = None) -> Chart:
    """Upright bars side by side; `marker` stands at so many columns from the left."""
    up = steps(max(column.value for column in shown))
    top = up[-1]
    wide = ACROSS / len(shown)
    every = math.ceil(len(shown) / TICKS)
    return Chart(
        across=[
            Tick(round(LEFT + (index + 0.5) * wide, 2), column.label)
            for index, column in enumerate(shown)
            if index % every == 0
        ],
        up=[Tick(_y(step / top), short(step)) for step in up],
        bars=[
            Bar(
                round(LEFT + index * wide + wide * 0.06, 2),
                _y(column.value / top),
                round(wide * 0.88, 2),
                round(column.value / top * UP, 2),
                column.tip,
            )
            for index, column in enumerate(shown)
        ],
        marker=marker and Tick(round(LEFT + marker.at * wide, 2), marker.text),
    )


def curve(shown: Sequence[tuple[float, float]], named: Sequence[tuple[float, float, str]]) -> Chart:
    """Milliseconds on a scale of powers of ten over percent of the puzzles."""
    least = math.floor(math.log10(max(shown[0][1], 1e-4)))
    most = max(math.ceil(math.log10(max(shown[-1][1], 1e-4))), least + 1)
    powers = range(least, most + 1, math.ceil((most - least) / 5))

    def place(share: float, ms: float) -> tuple[float, float]:
        height = (math.log10(max(ms, 10.0**least)) - least) / (most - least)
        return round(LEFT + share / 100 * ACROSS, 2), _y(height)

    return Chart(
        across=[Tick(LEFT + share / 100 * ACROSS, f"{share} %") for share in (0, 25, 50, 75, 100)],
        up=[Tick(_y((power - least) / (most - least)), short(10.0**power)) for power in powers],
        line="M" + "L".join(f"{x:g} {y:g}" for x, y in (place(*at) for at in shown)),
        points=list(_spread([(*place(share, ms), text) for share, ms, text in named])),
    )


def _spread(points: Sequence[tuple[float, float, str]]) -> Iterator[Point]:
    """From the highest down, words a little above their point, or below those before them."""
    before = -math.inf
    for x, y, text in sorted(points, key=lambda point: point[1]):
        before = max(y - 5, before + LINE)
        yield Point(x, y, before, text)


def _y(share: float) -> float:
    return round(TOP + UP * (1 - share), 2)


def steps(most: float) -> list[float]:
    """Round numbers from 0 to the first that is not below `most`, five at most.

    >>> steps(987), steps(0.7), steps(0)
    ([0.0, 500.0, 1000.0], [0.0, 0.2, 0.4, 0.6, 0.8], [0.0, 1.0])
    """
    if most <= 0:
        return [0.0, 1.0]
    power = 10.0 ** math.floor(math.log10(most / 4))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if most <= 4 * step)
    return [round(index * step, 12) for index in range(math.ceil(most / step) + 1)]


def binned(counts: Sequence[tuple[int, int]], around: int) -> tuple[int, list[tuple[int, int]]]:
    """The width of the bins, and each bin's least value with what is in it; none is left out.

    The bins go as far as `around`, even if nothing is there.

    >>> binned([(3, 5), (4, 1)], around=6)
    (1, [(3, 5), (4, 1), (5, 0), (6, 0)])
    """
    least, most = min(counts[0][0], around), max(counts[-1][0], around)
    sizes = (factor * 10**power for power in range(18) for factor in (1, 2, 5))
    width = next(size for size in sizes if most // size - least // size < COLUMNS)
    bins = dict.fromkeys(range(least // width, most // width + 1), 0)
    for value, number in counts:
        bins[value // width] += number
    return width, [(index * width, number) for index, number in bins.items()]


def short(number: float) -> str:
    """A number for an axis.

    >>> short(0), short(0.001), short(2500), short(20_000), short(3e6)
    ('0', '0.001', '2500', '20k', '3M')
    """
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if number >= size and number >= 10_000:
            return f"{number / size:g}{letter}"
    return f"{number:g}" if number >= 1e-4 or not number else milliseconds(number)
