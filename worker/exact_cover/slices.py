"""The one loop of slices: how Python runs a compiled search that may last.

No signal interrupts compiled code. So a search returns after each slice of time, and whoever waits
for it goes on with it, divides it, or leaves it. Between two slices there is more room for
solutions if it is needed, and the time limit runs on, whatever Python does there.
"""

from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from worker.exact_cover import stops
from worker.exact_cover.state import Search, Terms, longer
from worker.stopwatch import Stopwatch

#: nanoseconds in which a kept solution is read, written as text and stored, and what each option
#: of it adds
WRITING_NS, WRITING_OPTION_NS = 10_000, 100


Tables = TypeVar("Tables")


class Slices(Generic[Tables]):
    """A search that runs in slices, and the clock of whoever waits for it."""

    def __init__(
        self,
        kernel: Callable[[Tables, Search, Terms, int, int], tuple[int, int]],
        tables: Tables,
        search: Search,
        terms: Terms,
        watch: Stopwatch,
    ) -> None:
        """`kernel` is called with the nanoseconds of a slice and those until the time limit.

        It returns why it stopped, a constant of `stops`, and the nanoseconds that it ran.
        """
        self.tables, self.search, self.terms = tables, search, terms
        self.watch = watch
        self.kernel_ns = 0  #: wall time in the kernel; to load it takes longer, the first time
        self._kernel = kernel

    def advance(self, slice_ns: int) -> int:
        """Search for `slice_ns`; return why the search stopped."""
        kept, count = self.search.kept, int(self.search.state.kept)
        each_ns = WRITING_NS + WRITING_OPTION_NS * int(kept.length[count - 1]) if count else 1
        given = (self.terms.wanted, self.watch.left_ns, each_ns)
        self.search, left_ns = with_room(self.search, *given)
        status, took_ns = self._kernel(self.tables, self.search, self.terms, slice_ns, left_ns)
        self.kernel_ns += took_ns
        return int(status)

    def run(self, ends: Callable[[int], bool] = lambda _: False) -> Generator[None, None, int]:
        """Search to the end, and yield after each slice; return why the search stopped.

        `ends` is told why the search returned after each slice, PAUSED or FULL, and says whether
        it ends there.
        """
        while (status := self.advance(self.watch.slice_ns)) in stops.GOING_ON and not ends(status):
            yield
        return status


def with_room(search: Search, wanted: int, left_ns: int, writing_ns: int) -> tuple[Search, int]:
    """Return a search, and which of the nanoseconds that are left it may take.

    The solutions that it keeps must be written down within the time limit, too, which takes
    `writing_ns` for each. It has more room if it had none for a further one that is wanted.
    """
    count, room = int(search.state.kept), len(search.kept.cost)
    left_ns = max(0, left_ns - count * writing_ns)
    wanted = min(wanted, count + left_ns // writing_ns)
    if count == room < wanted:
        search = search._replace(kept=longer(search.kept, min(room, wanted - room)))
    return search, left_ns
