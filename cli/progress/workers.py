"""What each worker does at the moment: a line below the progress of a batch, a table, or JSON."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from cli.formatting import align, count, duration, shorten
from cli.progress.display import Rate, per_second
from cli.streams import DEFAULT_COLUMNS
from storage.queries.progress import ActiveLease, Work, WorkerShare

#: workers that get a line; further ones are only counted
MAX_LINES = 12
#: columns of a worker's name and of its activity; fixed, so that lines do not move
NAME_COLUMNS = 24
ACTIVITY_COLUMNS = 27
#: seconds without a chunk after which a worker is shown as idle: it has none for some milliseconds
#: between two chunks
IDLE_SECONDS = 1.0
#: columns of a worker's name, however narrow the terminal is
MIN_NAME_COLUMNS = 12


class WorkerState(StrEnum):
    """The state of a worker."""

    BUSY = "busy"  #: it has taken a chunk
    IDLE = "idle"  #: it is alive and has no chunk
    SILENT = "silent"  #: it has missed a renewal of a lease
    STALLED = "stalled"  #: it is alive and consumes nothing, although chunks wait


class WorkerLine(NamedTuple):
    """The activity of one worker."""

    worker: str
    state: WorkerState
    chunks: int  #: chunks that it has taken
    oldest: ActiveLease | None  #: the lease that it has had longest
    seconds: float  #: since that lease was first seen
    rate: float | None  #: answers per second
    answered: int


class WorkerTable:
    """Measures each worker's rate and since when it has had each chunk.

    A worker is silent if it has not renewed a lease for `renewal` seconds, the interval in which
    workers renew at the latest.
    """

    def __init__(self, renewal: float) -> None:
        self._renewal = renewal
        self._taken_at: dict[tuple[int, int], float] = {}
        self._rates: defaultdict[str, Rate] = defaultdict(Rate)
        self._busy: dict[str, tuple[float, WorkerLine]] = {}

    def update(
        self,
        now: float,
        alive: Iterable[str],
        shares: Iterable[WorkerShare | Work],
        held: Sequence[ActiveLease],
        stalled: Collection[str] = (),
    ) -> list[WorkerLine]:
        """Return the workers that are alive or have a chunk, by name."""
        before = self._taken_at
        # A renewal shortens `silent`, so the time of taking is that of the first sighting.
        self._taken_at = {
            (one.chunk, one.attempt): before.get((one.chunk, one.attempt), now - one.silent)
            for one in held
        }
        answered = {share.worker: share.puzzles for share in shares}
        names = sorted({*alive, *(lease.worker for lease in held)})
        lines = [self._line(now, name, answered.get(name, 0), held) for name in names]
        return [
            line._replace(state=WorkerState.STALLED) if line.worker in stalled else line
            for line in lines
        ]

    def _line(
        self, now: float, name: str, answered: int, all_held: Sequence[ActiveLease]
    ) -> WorkerLine:
        held = [one for one in all_held if one.worker == name]
        rate = self._rates[name].update(now, answered)
        if not held:
            busy = self._busy.get(name)
            if busy and now - busy[0] < IDLE_SECONDS:
                return busy[1]._replace(rate=rate, answered=answered)
            return WorkerLine(name, WorkerState.IDLE, 0, None, 0.0, None, answered)
        oldest = min(held, key=lambda lease: self._taken_at[lease.chunk, lease.attempt])
        state = WorkerState.SILENT if oldest.silent > self._renewal else WorkerState.BUSY
        seconds = now - self._taken_at[oldest.chunk, oldest.attempt]
        line = WorkerLine(name, state, len(held), oldest, seconds, rate, answered)
        self._busy[name] = now, line
        return line


def format_workers(workers: Sequence[WorkerLine], batch: int) -> Iterator[str]:
    """Yield a line of 80 columns for each worker, and a count of the rest; `batch` is watched."""
    rows = [
        (
            f"  {shorten(worker.worker, NAME_COLUMNS)}",
            f"{_activity(worker, batch):{ACTIVITY_COLUMNS}}",
            per_second(worker.rate) if worker.rate else "",
            f"{count(worker.answered)} done",
        )
        for worker in workers[:MAX_LINES]
    ]
    yield from (shorten(line, DEFAULT_COLUMNS) for line in align(rows, "<<>>"))
    if len(workers) > MAX_LINES:
        yield f"  and {count(len(workers) - MAX_LINES, 'more worker')}"


def _activity(worker: WorkerLine, batch: int) -> str:
    """Return what a worker does: its chunk, or its batch if that is not the one watched."""
    lease = worker.oldest
    if lease is None:
        return worker.state
    what = f"chunk {lease.chunk}" if lease.batch == batch else f"batch {lease.batch}"
    if worker.state is WorkerState.SILENT:
        since = f"silent {duration(lease.silent)}"
    else:
        since = f"for {duration(worker.seconds)}"
    more = f", {worker.chunks - 1} more" if worker.chunks > 1 else ""
    return f"{what} {since}{more}"


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


def as_json(worker: WorkerLine, work: Work | None) -> dict[str, Any]:
    """Return a worker as JSON values; times are in seconds, the rate in answers per second."""
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
