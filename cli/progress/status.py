"""What `bullseye status` prints: batches as lines of text or as JSON."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import click
from sqlalchemy import Engine

from cli.formatting import align, bar, count, duration, ends, percent, shorten
from cli.progress.display import per_second
from cli.progress.searches import SearchTimes, left_text, of_batch, search_lines
from cli.progress.summary import STATUSES, reused
from cli.streams import echo, terminal_columns
from storage import batches
from storage.batches import Batch
from storage.database import display_name, read
from storage.queries.progress import Progress, read_progress
from storage.queries.searches import OpenSearch
from storage.values import ChunkState, Priority
from worker.estimate.ranges import Range
from worker.queue.carrier import Carrier, presence
from worker.settings import Settings

#: columns of a full progress bar
PROGRESS_COLUMNS = 30
#: columns of the input's name
SOURCE_COLUMNS = 40


def print_status(
    settings: Settings, engine: Engine, batch: Batch | None, first: int, *, as_json: bool
) -> None:
    """Print one batch with its statuses, or the newest ones without them; and the state of Redis.

    It takes about a second if Redis does not answer.
    """
    with read(engine) as connection:
        some = [batch] if batch else batches.newest(connection, first, being_stored=True)
        found = [read_progress(connection, one.id, tally=bool(batch)) for one in some]
    with closing(Carrier.connect(settings.redis_url, "")) as carrier:
        redis = presence(carrier).redis
    if as_json:
        values = [_values(progress) for progress in found]
        answer = values[0] if batch else {"batches": values}
        click.echo(json.dumps({**answer, "redis": redis}, indent=2))
        return
    whole, columns = display_name(settings.database_url), terminal_columns(sys.stdout)
    for line in describe_batch(found[0]) if batch else list_batches(found, whole, columns):
        echo(line)
    echo(f"redis: {redis}")


def state(progress: Progress) -> str:
    """Return archived, complete, cancelled, being stored, paused, running or waiting."""
    batch = progress.batch
    if progress.is_archived:
        return "archived"
    if batch.ready and progress.answered >= batch.puzzles:
        return "complete"
    if batch.cancelled_at:
        return "cancelled"
    if not batch.ready:
        return "being stored"
    if batch.paused:
        return "paused"
    begun = progress.answered or progress.searches or progress.chunks[ChunkState.TAKEN]
    return "running" if begun else "waiting"


def list_batches(found: Sequence[Progress], location: str, columns: int) -> Iterator[str]:
    """Yield a header and a line for each batch, cut to this number of terminal columns."""
    if not found:
        yield f"no batches in {location}"
        return
    rows = [("batch", "answered", "puzzles", "", "state", "created", "name")]
    for progress in found:
        batch = progress.batch
        rows.append(
            (
                str(batch.id),
                count(progress.answered),
                count(batch.puzzles),
                percent(progress.done, batch.puzzles),
                state(progress),
                f"{batch.created_at[:10]} {batch.created_at[11:16]}",
                batch.name or batch.source,
            )
        )
    for line in align(rows, ">>>><<<"):
        yield shorten(line, columns)


def describe_batch(progress: Progress) -> Iterator[str]:
    """Yield the lines about one batch: state, progress, statuses and workers."""
    batch, times = progress.batch, _times(progress)
    share = progress.done / batch.puzzles if batch.puzzles else 1.0
    priority = "" if batch.priority is Priority.NORMAL else f" · {batch.priority} priority"
    source = shorten(batch.source, SOURCE_COLUMNS)
    yield f"{batch.title} · {state(progress)}{priority} · {source}"
    if not batch.ready and not batch.cancelled_at:
        yield "  if its command was killed, the next solve, submit or worker here removes it"
    drawn = f"{bar(share, PROGRESS_COLUMNS):{PROGRESS_COLUMNS}}"
    done = f"{count(progress.answered)} / {count(batch.puzzles)}"
    yield f"  {drawn}  {percent(progress.done, batch.puzzles)}  {done}{pace(progress)}"
    by_status = progress.by_status
    statuses = [f"{one} {count(by_status[one])}" for one in STATUSES if by_status.get(one)]
    if facts := [fact for fact in (*statuses, reused(batch)) if fact]:
        yield "  " + " · ".join(facts)
    yield from search_lines(progress, times)
    rows = [
        (
            f"  {worker.worker}",
            count(worker.puzzles, "puzzle"),
            f"last seen {worker.last_seen[:19].replace('T', ' ')} UTC",
        )
        for worker in progress.workers
    ]
    yield from align(rows, "<><")


def _times(progress: Progress) -> dict[int, Range]:
    """Return the seconds left of the searches, at their mean rates since they began."""
    return SearchTimes().update(0.0, progress)


def pace(progress: Progress) -> str:
    """Return the mean rate of all and the time taken, or the recent rate and the time left."""
    if progress.batch.paused:
        return ""
    if searches_left := of_batch(progress, _times(progress)):
        return f"  {left_text(searches_left, progress.batch.options)}"
    if not progress.seconds or not progress.answered:
        return ""
    left = progress.batch.puzzles - progress.answered
    if not left:
        return f"  {duration(progress.seconds)}  {per_second(progress.answered / progress.seconds)}"
    if not progress.rate:
        return "  no answer in the last minute"
    return f"  {per_second(progress.rate)}  about {duration(left / progress.rate)} left"


def _search(search: OpenSearch, times: Mapping[int, Range]) -> dict[str, Any]:
    """Return a search as JSON values."""
    whole = None if search.estimate is None else ends(Range.decode(search.estimate), 0)
    left = times.get(search.id)
    return {
        **search._asdict(),
        "estimate": whole,
        "seconds_left": None if left is None else ends(left, 1),
    }


def _values(progress: Progress) -> dict[str, Any]:
    """Return everything known about a batch as JSON values."""
    batch, times = progress.batch, _times(progress)
    return {
        "batch": batch.id,
        "name": batch.name,
        "source": batch.source,
        "kind": batch.kind,
        "state": state(progress),
        "priority": batch.priority,
        "puzzles": batch.puzzles,
        "answered": progress.answered,
        "by_status": progress.by_status or None,
        "searches": [_search(search, times) for search in progress.open_searches],
        "chunks": {str(state): number for state, number in progress.chunks.items()},
        "workers": [worker._asdict() for worker in progress.workers],
        "seconds": progress.seconds,
        "created_at": batch.created_at,
        "cancelled_at": batch.cancelled_at,
        "first_id": batch.first_id,
        "options": batch.options,
        "rate": progress.rate,
    }
