"""Where the puzzles of a batch stand in its inputs, in runs of equal steps."""

from collections.abc import Iterator, Sequence

from worker.formats.entry import Origin


def runs(places: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield index, place and step of each run of places; the step of a single one is 1.

    >>> list(runs([1, 11, 21, 30, 31]))
    [(0, 1, 10), (3, 30, 1)]
    """
    if isinstance(places, range):
        yield 0, places[0], places.step
        return
    start, step = 0, 0
    for at in range(1, len(places)):
        gap = places[at] - places[at - 1]
        if at == start + 1:
            step = gap
        elif gap != step:
            yield start, places[start], step
            start, step = at, 0
    yield start, places[start], step or 1


class Origins:
    """Finds the runs of the blocks of inputs; one that goes on in the next block is one run."""

    def __init__(self) -> None:
        self._input = -1
        self._next: tuple[int, int] | None = None  #: line and step with which the last run goes on

    def begin(self) -> None:
        """Begin the next input."""
        self._input += 1
        self._next = None

    def add(self, first: int, places: Sequence[int]) -> list[Origin]:
        """Return the runs that begin in a block, whose first puzzle has the position `first`."""
        found = [Origin(first + at, self._input, *run) for at, *run in runs(places)]
        head, last = found[0], found[-1]
        is_single = (found[1].position if len(found) > 1 else first + len(places)) == first + 1
        step = last.step
        if self._next and head.line == self._next[0] and (is_single or head.step == self._next[1]):
            if len(found) == 1:
                step = self._next[1]
            del found[0]
        self._next = (places[-1] + step, step)
        return found
