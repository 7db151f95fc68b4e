"""What `bullseye workers` prints: every worker, as a table or as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cli.formatting import align, count, duration, shorten
from cli.progress.rate import per_second
from cli.progress.workers import WorkerLine, WorkerState
from storage.queries.workers import Work

#: columns of a worker's name, however narrow the terminal is
MIN_NAME_COLUMNS = 12


def list_workers(
    workers: Sequence[WorkerLine], done: Mapping[str, Work], columns: int, absence: str | None
) -> Iterator[str]:
    """Yield a header and a line for each worker; names are cut to fit these terminal columns.

    `done` is the work of each worker, by name; `absence` is that of `Presence`.
    """
    if not workers:
        yield str(absence)
        return
    rows = [("state", "chunk", "rate", "answered")]
    for worker in workers:
        work = done.get(worker.worker)
        rate = per_second(work.rate) if work and work.rate else ""
        rows.append((_state(worker), _chunks(worker), rate, count(worker.answered)))
    facts = align(rows, "<<>>")
    room = max(MIN_NAME_COLUMNS, columns - max(map(len, facts)) - 2)
    names = ["worker", *(shorten(worker.worker, room) for worker in workers)]
    yield from align(zip(names, facts, strict=True), "<<")


def _state(worker: WorkerLine) -> str:
    if worker.oldest and worker.state is WorkerState.SILENT:
        return f"silent {duration(worker.oldest.silent)}"
    return worker.state


def _chunks(worker: WorkerLine) -> str:
    if worker.oldest is None:
        return ""
    more = f", {worker.chunks - 1} more" if worker.chunks > 1 else ""
    return f"batch {worker.oldest.batch} chunk {worker.oldest.chunk}{more}"


def as_json(workers: Sequence[WorkerLine], done: Mapping[str, Work]) -> list[dict[str, Any]]:
    """Return the workers as JSON values; times are in seconds, the rate in answers per second."""
    return [_values(worker, done.get(worker.worker)) for worker in workers]


def _values(worker: WorkerLine, work: Work | None) -> dict[str, Any]:
    lease = worker.oldest
    return {
        "worker": worker.worker,
        "state": worker.state,
        "chunks": worker.chunks,
        "batch": lease and lease.batch,
        "chunk": lease and lease.chunk,
        "silent": lease and lease.silent,
        "rate": work and work.rate,
        "answered": worker.answered,
        "last_seen": work and work.last_seen,
    }
