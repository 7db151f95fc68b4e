"""`bullseye stats --against`: the statistics of two batches side by side."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cli.formatting import align, duration, milliseconds
from cli.progress.summary import STATUSES
from cli.report.statistics import APPROXIMATE, solving_time
from storage.queries.stats import PERCENTILES, Stats


class Statistic(NamedTuple):
    """A row of the comparison."""

    title: str
    value: Callable[[Stats], float | None]
    text: Callable[[float], str]
    has_ratio: bool = True


def _status_count(status: str) -> Statistic:
    return Statistic(status, lambda stats: stats.by_status.get(status), _integer, has_ratio=False)


def _percentile(percent: int) -> Statistic:
    return Statistic(f"ms p{percent}", lambda stats: stats.percentiles.get(percent), milliseconds)


def _nodes(percent: int) -> Statistic:
    return Statistic(f"nodes p{percent}", lambda stats: stats.nodes.get(percent), _integer)


def _integer(number: float) -> str:
    return f"{number:,.0f}"


def _mean_ms(stats: Stats) -> float | None:
    return stats.total_ms / stats.timed if stats.timed else None


def _unguessed(stats: Stats) -> float | None:
    return 100 * stats.unguessed / stats.grids if stats.grids else None


STATISTICS = (
    *(_status_count(status) for status in STATUSES),
    Statistic("best score", lambda stats: stats.best_score, str, has_ratio=False),
    Statistic("solving time", lambda stats: stats.total_ms or None, solving_time),
    Statistic("ms mean", _mean_ms, milliseconds),
    *map(_percentile, PERCENTILES),
    Statistic("ms max", lambda stats: stats.max_ms, milliseconds),
    *map(_nodes, PERCENTILES),
    Statistic("nodes max", lambda stats: stats.max_nodes, _integer),
    Statistic("% without a guess", _unguessed, _integer, has_ratio=False),
    Statistic("elapsed", lambda stats: stats.wall_seconds, duration),
    Statistic("puzzles/s", lambda stats: stats.puzzles_per_second, _integer),
)


def comparison_lines(one: Stats, other: Stats, names: tuple[str, str]) -> Iterator[str]:
    """Yield a table of the statistics that a batch has; `ratio` is the first by the second."""
    rows = [("", *(f"batch {name}" for name in names), "ratio")]
    for statistic in STATISTICS:
        values = statistic.value(one), statistic.value(other)
        if values != (None, None):
            cells = ("–" if value is None else statistic.text(value) for value in values)
            rows.append((statistic.title, *cells, _ratio(*values) if statistic.has_ratio else ""))
    yield from align(rows, "<>>>")
    if not (one.exact and other.exact):
        yield APPROXIMATE


def _ratio(one: float | None, other: float | None) -> str:
    return f"{one / other:.2f}" if one and other else ""
