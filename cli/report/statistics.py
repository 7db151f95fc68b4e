"""The statistics of a batch as text and JSON: percentiles, histogram, slowest, workers."""

from collections.abc import Iterator, Sequence
from typing import Any

from cli.formatting import align, bar, count, duration, milliseconds
from cli.progress.summary import STATUSES
from storage.queries.stats import Bucket, Stats, WorkerTime

#: columns of the longest bar of the histogram
HISTOGRAM_COLUMNS = 40


def statistics_lines(stats: Stats, batch: int | None) -> Iterator[str]:
    """Yield the text for a terminal; `batch` None stands for all batches."""
    yield _headline(stats, batch)
    if not stats.timed:
        return
    yield _total_times(stats)
    yield ""
    yield _percentiles(stats)
    yield from _histogram(stats.histogram)
    slowest = " · ".join(f"#{slow.id} {milliseconds(slow.ms)} ms" for slow in stats.slowest)
    yield f"slowest  {slowest}"
    yield f"         bullseye show {stats.slowest[0].id}"
    yield ""
    yield from _workers(stats.workers)


def _headline(stats: Stats, batch: int | None) -> str:
    parts = ["all batches" if batch is None else f"batch {batch}"]
    parts += [
        f"{count(number)} {status}"
        for status in STATUSES
        if (number := stats.by_status.get(status, 0))
    ]
    if not stats.by_status:
        parts.append("no answers yet")
    if stats.best_score is not None:
        parts.append(f"best score {stats.best_score}")
    return " · ".join(parts)


def _total_times(stats: Stats) -> str:
    parts = [f"{duration(stats.total_ms / 1000)} solving time"]
    if stats.wall_seconds:
        rate = sum(stats.by_status.values()) / stats.wall_seconds
        parts += [f"{duration(stats.wall_seconds)} elapsed", f"{rate:,.0f} puzzles/s"]
    return " · ".join(parts)


def _percentiles(stats: Stats) -> str:
    parts = [f"p{percent} {milliseconds(ms)}" for percent, ms in stats.percentiles.items()]
    return "   ".join(["ms", *parts, f"max {milliseconds(stats.max_ms)}"])


def _histogram(buckets: Sequence[Bucket]) -> Iterator[str]:
    most = max(bucket.puzzles for bucket in buckets)
    rows = [
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
            duration(work.ms / 1000),
            milliseconds(work.ms / work.puzzles),
        )
        for work in workers
    ]
    yield from align(rows, "<>>>")


def as_json(stats: Stats) -> dict[str, Any]:
    """Return the statistics as JSON values; times are in milliseconds unless named seconds."""
    return {
        **stats._asdict(),
        "percentiles": {f"p{percent}": ms for percent, ms in stats.percentiles.items()},
        "histogram": [bucket._asdict() for bucket in stats.histogram],
        "slowest": [slow._asdict() for slow in stats.slowest],
        "workers": [work._asdict() for work in stats.workers],
    }
