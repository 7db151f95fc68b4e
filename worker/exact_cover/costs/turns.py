"""A second search for the cheapest covers, which takes turns with the rounds when they last.

Nobody can tell beforehand which of the two ends first, and they differ by any factor in both
directions, but where the rounds end within seconds they are usually the faster one. So they are
alone at first, and from then on the second search gets a quarter of the time.
"""

from collections.abc import Callable
from typing import Protocol

from worker.exact_cover.state import Path

#: nanoseconds for which the rounds are alone; or so many times their layout, if that is more
HEAD_START_NS, HEAD_START_LAYOUTS = 300_000_000, 8
#: the share of the time after that which the second search gets, as one of so many
SHARES = 4
#: nanoseconds that the second search is behind when it gets a turn
LEAST_TURN_NS = 5_000_000


class Second(Protocol):
    """A search for the cheapest covers, which can be stopped and continued."""

    kept: list[tuple[Path, int]]  #: the cheapest first: option numbers from 0; cost
    nodes: int  #: search nodes
    ns: int  #: CPU time in nanoseconds
    wall_ns: int  #: time in nanoseconds
    failed: bool  #: it cannot be continued

    def advance(self, slice_ns: int) -> bool:
        """Search for about so many nanoseconds; return whether all wanted covers are kept."""


class Turns:
    """The turns of the second search."""

    def __init__(self, begin: Callable[[], Second], layout_ns: int) -> None:
        """`begin` makes the second search; to lay out the first one took `layout_ns`."""
        self._begin = begin
        self._head_start_ns = max(HEAD_START_NS, HEAD_START_LAYOUTS * layout_ns)
        self._second: Second | None = None

    def next(self, wall_ns: int) -> tuple[Second, int] | None:
        """Return the second search and the nanoseconds of its turn; None if it has none now.

        The rounds have begun `wall_ns` nanoseconds ago.
        """
        if wall_ns < self._head_start_ns + SHARES * LEAST_TURN_NS:
            return None
        second = self._second = self._second or self._begin()
        shared_ns = wall_ns - self._head_start_ns
        turn_ns = (shared_ns - SHARES * second.wall_ns) // (SHARES - 1)
        return None if second.failed or turn_ns < LEAST_TURN_NS else (second, turn_ns)
