"""How far batches are, for people and for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from cli.formatting import align, bar, count, duration, shorten
from cli.progress.rate import per_second
from cli.progress.summary import BAD, reused
from storage.queries.progress import Progress
from storage.values import ChunkState
from worker.errors import RedisUnreachable
from worker.queue.carrier import Carrier
from worker.settings import Settings

#: columns of the bar of one batch
BAR = 30
#: statuses in the order they are told
STATUSES = ("solved", "none", *BAD)


def redis_state(settings: Settings) -> str:
    """Whether Redis answers, within about a second."""
    carrier = Carrier.connect(settings.redis_url, "")
    try:
        carrier.ping()
    except RedisUnreachable:
        return "not reachable"
    finally:
        carrier.close()
    return "reachable"


def state(progress: Progress) -> str:
    """What is going on with the batch, in a word."""
    batch = progress.batch
    if batch.ready and progress.answered >= batch.puzzles:
        return "complete"
    if batch.cancelled_at:
        return "cancelled"
    if not batch.ready:
        return "being stored"
    return "running" if progress.answered or progress.chunks[ChunkState.TAKEN] else "waiting"


def listed(found: Sequence[Progress], place: str) -> Iterator[str]:
    """A line for each batch."""
    if not found:
        yield f"no batches in {place}"
        return
    lines = [("batch", "answered", "puzzles", "", "state", "created", "name")]
    for progress in found:
        batch = progress.batch
        name = batch.name or batch.source
        lines.append(
            (
                str(batch.id),
                count(progress.answered),
                count(batch.puzzles),
                percent(progress),
                state(progress),
                f"{batch.created_at[:10]} {batch.created_at[11:16]}",
                name,
            )
        )
    for line in align(lines, ">>>><<<"):
        yield shorten(line, 80)


def told(progress: Progress) -> Iterator[str]:
    """One batch in a few lines."""
    batch = progress.batch
    share = progress.answered / batch.puzzles if batch.puzzles else 1.0
    name = f" {batch.name}" if batch.name else ""
    yield f"batch {batch.id}{name} · {state(progress)} · {shorten(batch.source, 40)}"
    done = f"{count(progress.answered)} / {count(batch.puzzles)}"
    yield f"  {bar(share, BAR):{BAR}}  {percent(progress)}  {done}{_speed(progress)}"
    statuses = [
        f"{status} {count(number)}"
        for status in STATUSES
        if (number := progress.by_status.get(status, 0))
    ]
    if again := reused(batch):
        statuses.append(again)
    if statuses:
        yield "  " + " · ".join(statuses)
    lines = [
        (
            f"  {worker.worker}",
            count(worker.puzzles, "puzzle"),
            f"last seen {worker.last_seen[:19].replace('T', ' ')} UTC",
        )
        for worker in progress.workers
    ]
    yield from align(lines, "<><")


def _speed(progress: Progress) -> str:
    """From the batch's making to its last chunk: what it took, and what is left at that speed."""
    if not progress.seconds or not progress.answered:
        return ""
    left = progress.batch.puzzles - progress.answered
    speed = progress.answered / progress.seconds
    rate = per_second(speed)
    if not left:
        return f"  {duration(progress.seconds)}  {rate}"
    return f"  {rate}  about {duration(left / speed)} left"


def percent(progress: Progress) -> str:
    """Rounded down, so that 100 % means all."""
    total = progress.batch.puzzles
    return f"{100 * progress.answered // total if total else 100} %"


def as_json(progress: Progress) -> dict[str, Any]:
    """All that is known, for programs."""
    batch = progress.batch
    return {
        "batch": batch.id,
        "name": batch.name,
        "source": batch.source,
        "kind": batch.kind,
        "state": state(progress),
        "puzzles": batch.puzzles,
        "answered": progress.answered,
        "by_status": progress.by_status or None,
        "chunks": {str(state): number for state, number in progress.chunks.items()},
        "workers": [worker._asdict() for worker in progress.workers],
        "seconds": progress.seconds,
        "created_at": batch.created_at,
        "cancelled_at": batch.cancelled_at,
        "first_id": batch.first_id,
        "options": batch.options,
    }
