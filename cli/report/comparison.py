"""What `bullseye stats --against` tells: two batches beside each other."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cli.formatting import align, duration, milliseconds
from cli.progress.summary import BAD
from storage.queries.stats import PERCENTILES, Stats


class Figure(NamedTuple):
    """A figure that batches have."""

    title: str
    of: Callable[[Stats], float | None]
    shown: Callable[[float], str]
    compared: bool = True  #: whether the one divided by the other says anything


def _by_status(status: str) -> Figure:
    return Figure(status, lambda stats: stats.by_status.get(status), _whole, compared=False)


def _percentile(percent: int) -> Figure:
    return Figure(f"ms p{percent}", lambda stats: stats.percentiles.get(percent), milliseconds)


def _whole(number: float) -> str:
    return f"{number:,.0f}"


def _mean(stats: Stats) -> float | None:
    return stats.total_ms / stats.timed if stats.timed else None


def _rate(stats: Stats) -> float | None:
    return sum(stats.by_status.values()) / stats.wall_seconds if stats.wall_seconds else None


FIGURES = (
    *(_by_status(status) for status in ("solved", "none", *BAD)),
    Figure("best score", lambda stats: stats.best_score, _whole, compared=False),
    Figure("solving", lambda stats: stats.total_ms / 1000 or None, duration),
    Figure("ms mean", _mean, milliseconds),
    *map(_percentile, PERCENTILES),
    Figure("ms max", lambda stats: stats.max_ms, milliseconds),
    Figure("wall clock", lambda stats: stats.wall_seconds, duration),
    Figure("puzzles/s", _rate, _whole),
)


def told(one: Stats, other: Stats, names: tuple[str, str]) -> Iterator[str]:
    """Figures that at least one of them has; `ratio` is the first divided by the second."""
    lines = [("", *(f"batch {name}" for name in names), "ratio")]
    for figure in FIGURES:
        both = figure.of(one), figure.of(other)
        if both != (None, None):
            cells = ("–" if value is None else figure.shown(value) for value in both)
            lines.append((figure.title, *cells, _ratio(*both) if figure.compared else ""))
    yield from align(lines, "<>>>")


def _ratio(one: float | None, other: float | None) -> str:
    return f"{one / other:.2f}" if one and other else ""
