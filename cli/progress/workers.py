"""What each worker of a batch does at the moment, one line per worker."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cli.formatting import align, count, duration, shorten
from cli.progress.rate import Rate, per_second
from cli.terminal import DEFAULT_COLUMNS
from storage.queries.progress import ActiveLease, WorkerShare

#: workers that get a line; further ones are only counted
MAX_LINES = 12
#: columns of a worker's name and of its activity; fixed, so that lines do not move
NAME_COLUMNS = 24
ACTIVITY_COLUMNS = 27
#: seconds without a renewal of its lease after which a worker is shown as silent; the default
#: interval of renewals is 10 s
SILENT_SECONDS = 25.0


class WorkerLine(NamedTuple):
    """The activity of one worker."""

    worker: str
    chunks: int  #: chunks that it has taken
    oldest: int | None  #: the chunk that it has had longest; None if it has none
    seconds: float  #: since it took that chunk
    silent: float  #: seconds since it renewed the lease of that chunk
    rate: float | None  #: answers per second
    answered: int


class WorkerTable:
    """Measures each worker's rate and since when it has had each chunk."""

    def __init__(self) -> None:
        self._taken_at: dict[tuple[int, int], float] = {}
        self._rates: defaultdict[str, Rate] = defaultdict(Rate)

    def update(
        self,
        now: float,
        alive: Iterable[str],
        shares: Iterable[WorkerShare],
        held: Sequence[ActiveLease],
    ) -> list[WorkerLine]:
        """Return the workers that are alive or have a chunk, by name."""
        # A renewal shortens `silent`, so the time of taking is that of the first sighting.
        self._taken_at = {
            (chunk.chunk, chunk.attempt): self._taken_at.get(
                (chunk.chunk, chunk.attempt), now - chunk.silent
            )
            for chunk in held
        }
        answered = {share.worker: share.puzzles for share in shares}
        names = sorted({*alive, *(chunk.worker for chunk in held)})
        return [
            self._line(now, name, answered.get(name, 0), [c for c in held if c.worker == name])
            for name in names
        ]

    def _line(
        self, now: float, name: str, answered: int, held: Sequence[ActiveLease]
    ) -> WorkerLine:
        rate = self._rates[name].update(now, answered)
        if not held:
            return WorkerLine(name, 0, None, 0.0, 0.0, rate, answered)
        oldest = min(held, key=lambda chunk: self._taken_at[chunk.chunk, chunk.attempt])
        seconds = now - self._taken_at[oldest.chunk, oldest.attempt]
        return WorkerLine(name, len(held), oldest.chunk, seconds, oldest.silent, rate, answered)


def format_workers(workers: Sequence[WorkerLine]) -> Iterator[str]:
    """Yield a line for each worker, cut to 80 columns, and a count of those without a line."""
    rows = [
        (
            f"  {shorten(worker.worker, NAME_COLUMNS)}",
            f"{_activity(worker):{ACTIVITY_COLUMNS}}",
            per_second(worker.rate) if worker.rate else "",
            f"{count(worker.answered)} done",
        )
        for worker in workers[:MAX_LINES]
    ]
    yield from (shorten(line, DEFAULT_COLUMNS) for line in align(rows, "<<>>"))
    if len(workers) > MAX_LINES:
        yield f"  and {count(len(workers) - MAX_LINES, 'more worker')}"


def _activity(worker: WorkerLine) -> str:
    if worker.oldest is None:
        return "idle"
    more = f", {worker.chunks - 1} more" if worker.chunks > 1 else ""
    if worker.silent > SILENT_SECONDS:
        return f"chunk {worker.oldest} silent {duration(worker.silent)}{more}"
    return f"chunk {worker.oldest} for {duration(worker.seconds)}{more}"
