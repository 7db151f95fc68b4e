"""The statistics of a batch as text and JSON, and those of two batches side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cli.formatting import align, bar, count, duration, milliseconds, percent, shorten
from cli.progress.summary import STATUSES, counted
from storage.queries.answers import MAX_GROUPS, Group
from storage.queries.stats import PERCENTILES, Bucket, HardPuzzle, Solved, Stats, WorkerTime
from storage.summaries.histogram import MAX_ERROR_PERCENT

#: follows percentiles that are not exact
APPROXIMATE = f"percentiles within {MAX_ERROR_PERCENT} %; --exact reads all answers"
#: columns of the longest bar of the histogram
HISTOGRAM_COLUMNS = 40
#: columns of a label in the list of hard puzzles, and of a batch above a comparison
LABEL_COLUMNS = 40
TITLE_COLUMNS = 24
#: a shorter total of solving times is shown in milliseconds
MIN_DURATION_MS = 100.0


def statistics_lines(stats: Stats) -> Iterator[str]:
    """Yield the text for a terminal."""
    yield _headline(stats)
    if not stats.timed:
        return
    yield _total_times(stats)
    if stats.facts:
        yield _facts(stats.facts)
    times = _percentiles(stats), _histogram(stats.histogram)
    for part in (*times, _hardest(stats.hardest), _workers(stats.workers)):
        yield ""
        yield from part


def _headline(stats: Stats) -> str:
    parts = [title_of(stats), *counted(stats.by_status)]
    if kinds := solved_kinds(stats):
        parts[1] += f" ({kinds})"  # `solved` is the first status
    if not stats.by_status:
        parts.append("no answers yet")
    if stats.classes is not None:
        parts.append(count(stats.classes, "class", "classes"))
    if stats.best_score is not None:
        parts.append(f"best score {stats.best_score}")
    return " · ".join(parts)


def title_of(stats: Stats) -> str:
    """Return the number and the name of the batch."""
    return "all batches" if stats.batch is None else stats.batch.title


def solved_kinds(stats: Stats) -> str:
    """Return how many of the solved puzzles are unique, multiple and capped; empty if none is."""
    return ", ".join(counted(stats.solved._asdict(), stats.solved._fields))


def _total_times(stats: Stats) -> str:
    parts = [f"{solving_time(stats.total_ms)} solving time"]
    if stats.wall_seconds and stats.puzzles_per_second:
        parts.append(f"{duration(stats.wall_seconds)} elapsed")
        parts.append(f"{stats.puzzles_per_second:,.0f} puzzles/s")
    if stats.grids:
        parts.append(f"{percent(stats.unguessed, stats.grids)} without a guess")
    return " · ".join(parts)


def _facts(facts: Mapping[str, Mapping[int, int]]) -> str:
    """Return how many puzzles are minimal, and how many have each value of the other facts."""
    minimal, *others = facts.values()
    parts = [f"{count(minimal.get(1, 0))} of {count(sum(minimal.values()))} minimal"]
    for name, puzzles in zip(list(facts)[1:], others, strict=True):
        if puzzles:
            each = (f"{value}: {count(number)}" for value, number in puzzles.items())
            parts.append(f"{name} {', '.join(each)}")
    return " · ".join(parts)


def solving_time(ms: float) -> str:
    """Return a total of solving times, which may be less than a millisecond.

    >>> solving_time(0.0875), solving_time(140), solving_time(65_000)
    ('0.0875 ms', '0.14 s', '1:05')
    """
    return f"{milliseconds(ms)} ms" if ms < MIN_DURATION_MS else duration(ms / 1000)


def _percentiles(stats: Stats) -> Iterator[str]:
    rows = [("", *(f"p{share}" for share in stats.percentiles), "max")]
    rows.append(("ms", *map(milliseconds, stats.percentiles.values()), milliseconds(stats.max_ms)))
    if stats.max_nodes is not None:
        rows.append(("nodes", *map(count, stats.nodes.values()), count(stats.max_nodes)))
    yield from align(rows, "<" + ">" * len(rows[0][1:]))
    if not stats.exact:
        yield APPROXIMATE


def _hardest(hardest: Sequence[HardPuzzle]) -> Iterator[str]:
    rows = [("hardest", "nodes", "ms", "label" if any(one.label for one in hardest) else "")]
    rows += [
        (
            *(str(one.id), count(one.nodes), milliseconds(one.ms)),
            shorten(one.label or "", LABEL_COLUMNS),
        )
        for one in hardest
    ]
    yield from align(rows, ">>><")


def _histogram(buckets: Sequence[Bucket]) -> Iterator[str]:
    most = max(bucket.puzzles for bucket in buckets)
    rows = [("ms", "puzzles")]
    rows += [
        (milliseconds(bucket.least_ms), _bar(bucket.puzzles / most, bucket.puzzles))
        for bucket in buckets
    ]
    yield from align(rows, "><")


def _bar(share: float, puzzles: int) -> str:
    """Return a bar with its number; visible even if it rounds to nothing, empty for none."""
    if not puzzles:
        return ""
    return f"{bar(share, HISTOGRAM_COLUMNS) or '▏'} {count(puzzles)}"


def _workers(workers: Sequence[WorkerTime]) -> Iterator[str]:
    rows = [("worker", "puzzles", "solving", "mean ms")]
    rows += [
        (
            work.worker,
            count(work.puzzles),
            solving_time(work.ms),
            milliseconds(work.ms / work.puzzles),
        )
        for work in workers
    ]
    yield from align(rows, "<>>>")


def as_json(stats: Stats) -> dict[str, Any]:
    """Return the statistics as JSON values; times are in milliseconds unless named seconds."""
    return {
        **stats._asdict(),
        "puzzles_per_second": stats.puzzles_per_second,
        "percentiles": {f"p{share}": ms for share, ms in stats.percentiles.items()},
        "nodes": {f"p{share}": nodes for share, nodes in stats.nodes.items()},
        "histogram": [bucket._asdict() for bucket in stats.histogram],
        "hardest": [one._asdict() for one in stats.hardest],
        "workers": [work._asdict() for work in stats.workers],
        "solved": stats.solved._asdict(),
        "batch": stats.batch and stats.batch.id,
        "name": stats.batch and stats.batch.name,
    }


# --- `bullseye stats --by` ---


def group_lines(stats: Stats, by: Sequence[str], groups: Sequence[Group]) -> Iterator[str]:
    """Yield the groups of answers that have the same values in columns, after the totals."""
    yield _headline(stats)
    if stats.timed:
        yield _total_times(stats)
    if not groups:
        return
    yield ""
    titles = ["puzzles", "solved", "mean ms", "max ms"]
    titles += ["best score"] if stats.best_score is not None else []
    rows = [(*by, *titles)]
    rows += [(*map(_value, one.values), *_figures(one)[: len(titles)]) for one in groups]
    yield from align(rows, "<" * len(by) + ">" * len(titles))
    if rest := sum(stats.by_status.values()) - sum(one.puzzles for one in groups):
        yield f"{count(rest, 'puzzle')} in groups smaller than these {MAX_GROUPS:,}"


def _value(value: float | str | None) -> str:
    return "–" if value is None else shorten(str(value), LABEL_COLUMNS)


def _figures(group: Group) -> tuple[str, ...]:
    numbers = count(group.puzzles), count(group.solved)
    times = (milliseconds(ms) if ms is not None else "–" for ms in (group.mean_ms, group.max_ms))
    return (*numbers, *times, _value(group.best_score))


def groups_as_json(by: Sequence[str], groups: Sequence[Group]) -> list[dict[str, Any]]:
    """Return the groups as JSON values: those of the columns by name, then the figures."""
    return [
        {"values": dict(zip(by, one.values, strict=True))}
        | {name: value for name, value in one._asdict().items() if name != "values"}
        for one in groups
    ]


# --- `bullseye stats --against` ---


#: the statistics of which a ratio says nothing
WITHOUT_RATIO = {*STATUSES, *Solved._fields, "best score", "without a guess"}


def _values(stats: Stats) -> dict[str, tuple[float | None, Callable[[float], str]]]:
    """Return each statistic, None if it is not known, and how it is written."""
    solved = {kind: (number or None, _integer) for kind, number in stats.solved._asdict().items()}
    others = {status: (stats.by_status.get(status), _integer) for status in STATUSES[1:]}
    return {
        "solved": (stats.by_status.get("solved"), _integer),
        **solved,
        **others,
        "best score": (stats.best_score, str),
        "solving time": (stats.total_ms or None, solving_time),
        "ms mean": (stats.total_ms / stats.timed if stats.timed else None, milliseconds),
        **{f"ms p{share}": (stats.percentiles.get(share), milliseconds) for share in PERCENTILES},
        "ms max": (stats.max_ms, milliseconds),
        **{f"nodes p{share}": (stats.nodes.get(share), _integer) for share in PERCENTILES},
        "nodes max": (stats.max_nodes, _integer),
        "without a guess": (
            stats.unguessed if stats.grids else None,
            lambda number: percent(number, stats.grids),
        ),
        "elapsed": (stats.wall_seconds, duration),
        "puzzles/s": (stats.puzzles_per_second, _integer),
    }


def _integer(number: float) -> str:
    return f"{number:,.0f}"


def comparison_lines(one: Stats, other: Stats) -> Iterator[str]:
    """Yield a table of the statistics that a batch has; `ratio` is the first by the second."""
    names = (shorten(title_of(stats), TITLE_COLUMNS) for stats in (one, other))
    yield from align([("", *names, "ratio"), *comparison_rows(one, other)], "<>>>")
    if not (one.exact and other.exact):
        yield APPROXIMATE


def comparison_rows(one: Stats, other: Stats) -> Iterator[tuple[str, str, str, str]]:
    """Yield each statistic that one of two batches has: its name, its values and their ratio."""
    others = _values(other)
    for title, (value, text) in _values(one).items():
        value_of_other, text_of_other = others[title]
        if (value, value_of_other) != (None, None):
            first, second = _cell(value, text), _cell(value_of_other, text_of_other)
            ratio = "" if title in WITHOUT_RATIO else _ratio(value, value_of_other)
            yield title, first, second, ratio


def _cell(value: float | None, text: Callable[[float], str]) -> str:
    return "–" if value is None else text(value)


def _ratio(one: float | None, other: float | None) -> str:
    return f"{one / other:.2f}" if one and other else ""
