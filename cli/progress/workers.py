"""What each worker does at the moment, a line for each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cli.formatting import align, count, duration, shorten
from cli.progress.rate import Rate, per_second
from storage.queries.progress import ActiveLease, WorkerShare

#: workers that are told at most; columns of a name, and of what it does: nothing jumps about
MOST = 12
NAME = 24
DOING = 27
#: seconds without a renewal after which a worker is called silent; it renews every 10
SILENT = 25.0


class WorkerLine(NamedTuple):
    """A live worker."""

    worker: str
    chunks: int  #: how many it works on
    longest: int | None  #: the one that it has had longest
    seconds: float  #: for so long
    silent: float  #: seconds since it renewed that one
    speed: float | None  #: answers a second
    answered: int


class WorkerTable:
    """Remembers since when chunks have been held, and how fast workers were."""

    def __init__(self) -> None:
        self._since: dict[tuple[int, int], float] = {}
        self._speeds: defaultdict[str, Rate] = defaultdict(Rate)

    def at(
        self,
        now: float,
        alive: Iterable[str],
        shares: Iterable[WorkerShare],
        held: Sequence[ActiveLease],
    ) -> list[WorkerLine]:
        """The workers that are alive or hold something, by name."""
        self._since = {
            (one.chunk, one.attempt): self._since.get((one.chunk, one.attempt), now - one.silent)
            for one in held
        }
        answered = {share.worker: share.puzzles for share in shares}
        names = sorted({*alive, *(one.worker for one in held)})
        return [
            self._lane(now, name, answered.get(name, 0), [h for h in held if h.worker == name])
            for name in names
        ]

    def _lane(
        self, now: float, name: str, answered: int, held: Sequence[ActiveLease]
    ) -> WorkerLine:
        speed = self._speeds[name].at(now, answered)
        if not held:
            return WorkerLine(name, 0, None, 0.0, 0.0, speed, answered)
        longest = min(held, key=lambda one: self._since[one.chunk, one.attempt])
        seconds = now - self._since[longest.chunk, longest.attempt]
        return WorkerLine(name, len(held), longest.chunk, seconds, longest.silent, speed, answered)


def told(lanes: Sequence[WorkerLine]) -> Iterator[str]:
    """Lines of 80 columns at most."""
    lines = [
        (
            f"  {shorten(lane.worker, NAME)}",
            f"{_doing(lane):{DOING}}",
            per_second(lane.speed) if lane.speed else "",
            f"{count(lane.answered)} done",
        )
        for lane in lanes[:MOST]
    ]
    yield from (shorten(line, 80) for line in align(lines, "<<>>"))
    if len(lanes) > MOST:
        yield f"  and {count(len(lanes) - MOST, 'more worker')}"


def _doing(lane: WorkerLine) -> str:
    if lane.longest is None:
        return "waits"
    more = f", {lane.chunks - 1} more" if lane.chunks > 1 else ""
    if lane.silent > SILENT:
        return f"chunk {lane.longest} silent {duration(lane.silent)}{more}"
    return f"chunk {lane.longest} for {duration(lane.seconds)}{more}"
