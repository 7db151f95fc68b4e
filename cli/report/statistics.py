"""What `bullseye stats` tells: counts, percentiles, histogram, the slowest, who worked."""

from collections.abc import Iterator, Sequence
from typing import Any

from cli.formatting import align, bar, count, duration, milliseconds
from cli.progress.summary import BAD
from storage.queries.stats import Bucket, Stats, Work

#: columns of the longest bar of the histogram
BAR = 40


def told(stats: Stats, batch: int | None) -> Iterator[str]:
    """In a few lines."""
    yield _headline(stats, batch)
    if not stats.timed:
        return
    yield _times(stats)
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
        for status in ("solved", "none", *BAD)
        if (number := stats.by_status.get(status, 0))
    ]
    if not stats.by_status:
        parts.append("no answers yet")
    if stats.best_score is not None:
        parts.append(f"best score {stats.best_score}")
    return " · ".join(parts)


def _times(stats: Stats) -> str:
    """What it took: the solvers together, and on the clock on the wall."""
    parts = [f"{duration(stats.total_ms / 1000)} of solving"]
    if stats.wall_seconds:
        speed = sum(stats.by_status.values()) / stats.wall_seconds
        parts += [f"{duration(stats.wall_seconds)} on the wall clock", f"{speed:,.0f} puzzles/s"]
    return " · ".join(parts)


def _percentiles(stats: Stats) -> str:
    parts = [f"p{percent} {milliseconds(ms)}" for percent, ms in stats.percentiles.items()]
    return "   ".join(["ms", *parts, f"max {milliseconds(stats.max_ms)}"])


def _histogram(buckets: Sequence[Bucket]) -> Iterator[str]:
    """Each line from twice the time of the line before it."""
    most = max(bucket.puzzles for bucket in buckets)
    lines = [
        (milliseconds(bucket.least_ms), _bar(bucket.puzzles / most, bucket.puzzles))
        for bucket in buckets
    ]
    yield from align(lines, "><")


def _bar(share: float, puzzles: int) -> str:
    """Nothing for none; else at least something to see."""
    if not puzzles:
        return ""
    return f"{bar(share, BAR) or '▏'} {count(puzzles)}"


def _workers(workers: Sequence[Work]) -> Iterator[str]:
    lines = [("worker", "puzzles", "solving", "mean ms")]
    lines += [
        (
            work.worker,
            count(work.puzzles),
            duration(work.ms / 1000),
            milliseconds(work.ms / work.puzzles),
        )
        for work in workers
    ]
    yield from align(lines, "<>>>")


def as_json(stats: Stats) -> dict[str, Any]:
    """All of it, for programs; times in milliseconds unless their name says seconds."""
    return {
        **stats._asdict(),
        "percentiles": {f"p{percent}": ms for percent, ms in stats.percentiles.items()},
        "histogram": [bucket._asdict() for bucket in stats.histogram],
        "slowest": [slow._asdict() for slow in stats.slowest],
        "workers": [work._asdict() for work in stats.workers],
    }
