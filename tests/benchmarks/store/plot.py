"""Draws recorded figures against the number of answers, as small multiples with logarithmic axes.

    python -m tests.benchmarks.store.plot FIGURES.jsonl docs/store.svg

Of figures that were recorded twice, the last is drawn.
"""

import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

#: size of a plot and the margins around it, in user units
WIDTH, HEIGHT = 150, 80
LEFT, TOP, RIGHT, BOTTOM = 44, 26, 16, 24
COLUMNS = 4
#: height of the legend above the plots
LEGEND = 24
#: name and colour of each kind of database
DATABASES = {"sqlite": ("SQLite", "#2b6cb0"), "postgresql": ("PostgreSQL", "#dd6b20")}
#: figures whose times are drawn per answer: commands take 0.3 s to start, storing does not
PER_ANSWER = "store them, this process"
SIZE = "their size"
#: queries that last less are drawn as if they lasted so long, in seconds
LEAST_SECONDS = 1e-3
STYLE = (
    "text{font:10px sans-serif;fill:#555}.title{fill:#222}.grid{stroke:#ddd}path{fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#bbb}.title{fill:#eee}.grid{stroke:#444}}"
)


class Axis(NamedTuple):
    """A logarithmic axis from one power of ten to another."""

    first: int  #: exponent of the first power
    last: int
    length: float  #: in user units

    @classmethod
    def around(cls, values: Iterable[float], length: float) -> "Axis":
        """Return an axis with all values and at least two decades."""
        some = list(values)
        first, last = math.floor(math.log10(min(some))), math.ceil(math.log10(max(some)))
        return cls(first, max(last, first + 2), length)

    def place(self, value: float) -> float:
        """Return the distance of a value from the beginning of the axis."""
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return round(share * self.length, 1)

    def powers(self) -> Iterator[tuple[float, str]]:
        """Yield the place of each power of ten, and its label."""
        for power in range(self.first, self.last + 1):
            label = f"{10.0**power:g}" if -4 < power < 4 else f"10{_superscript(power)}"
            yield self.place(10.0**power), label


def _superscript(number: int) -> str:
    return "".join("⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".index(digit)] for digit in str(number))


#: (number of answers, value) of each kind of database
Lines = Mapping[str, Mapping[int, float]]


def drawn(records: Sequence[Mapping[str, Any]]) -> str:
    """Return the plots as SVG: one for each name, in the order of the first record of each."""
    plots: dict[str, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        title, value = _value(record)
        plots[title][record["database"]][record["answers"]] = value
    across = Axis.around((record["answers"] for record in records), WIDTH)
    wide, high = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    width, height = COLUMNS * wide, LEGEND + math.ceil(len(plots) / COLUMNS) * high
    groups = [_group(LEFT, 16, _legend())]
    for number, (title, lines) in enumerate(plots.items()):
        row, column = divmod(number, COLUMNS)
        plot = _plot(title, lines, across)
        groups.append(_group(column * wide + LEFT, LEGEND + row * high + TOP, plot))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f"<style>{STYLE}</style>\n{''.join(groups)}</svg>\n"
    )


def _value(record: Mapping[str, Any]) -> tuple[str, float]:
    """Return the title of the plot of a figure, with its unit, and the value that is drawn."""
    name = record["name"]
    if name == SIZE:
        return "size, bytes per answer", record["bytes"]
    if name == PER_ANSWER:
        return "store, µs per answer", 1e6 * record["seconds"] / record["rows"]
    return f"{name}, s", max(record["seconds"], LEAST_SECONDS)


def _group(x: float, y: float, parts: Iterable[str]) -> str:
    return f'<g transform="translate({x},{y})">{"".join(parts)}</g>\n'


def _legend() -> Iterator[str]:
    for number, (name, colour) in enumerate(DATABASES.values()):
        x = 100 * number
        yield f'<circle cx="{x}" cy="-3" r="4" fill="{colour}"/><text x="{x + 8}">{name}</text>'


def _plot(title: str, lines: Lines, across: Axis) -> Iterator[str]:
    up = Axis.around((value for line in lines.values() for value in line.values()), HEIGHT)
    yield f'<text class="title" y="-8">{escape(title)}</text>'
    for x, label in across.powers():
        yield f'<path class="grid" d="M{x} 0V{HEIGHT}"/>'
        yield f'<text x="{x}" y="{HEIGHT + 13}" text-anchor="middle">{label}</text>'
    for height, label in up.powers():
        y = round(HEIGHT - height, 1)
        yield f'<path class="grid" d="M0 {y}H{WIDTH}"/>'
        yield f'<text x="-5" y="{y + 3}" text-anchor="end">{label}</text>'
    for database, line in lines.items():
        _, colour = DATABASES[database]
        points = [(across.place(n), HEIGHT - up.place(line[n])) for n in sorted(line)]
        yield f'<path stroke="{colour}" d="M{"L".join(f"{x:g} {y:g}" for x, y in points)}"/>'
        yield from (f'<circle cx="{x:g}" cy="{y:g}" r="2" fill="{colour}"/>' for x, y in points)


def main(figures: str, picture: str) -> None:
    """Draw the figures of a file of JSON lines into an SVG file."""
    records = [json.loads(line) for line in Path(figures).read_text().splitlines()]
    Path(picture).write_text(drawn(records))


if __name__ == "__main__":
    main(*sys.argv[1:])
