"""How long a puzzle has taken, and how much of its time limit is left."""

from dataclasses import dataclass, field
from math import inf
from time import perf_counter_ns, thread_time_ns

from worker.compiling.log import spent

#: thirty years: a longer time limit, in seconds, counts as this one
LONGEST_TIMEOUT_SECONDS = 1e9
#: seconds of a slice, unless others are asked for
SLICE_SECONDS = 0.25


def wall_clock_ns() -> int:
    """Return the wall time of this thread, on a clock that stands while code is made or loaded."""
    return perf_counter_ns() - spent.wall_ns


def cpu_clock_ns() -> int:
    """Return the CPU time of this thread, but for that in which code was made or loaded."""
    return thread_time_ns() - spent.cpu_ns


def nanoseconds(seconds: float) -> int:
    """Return a time in nanoseconds, LONGEST_TIMEOUT_SECONDS at most."""
    return int(min(seconds, LONGEST_TIMEOUT_SECONDS) * 1e9)


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """The time since a puzzle was begun, in the thread that solves it.

    It runs on whatever that thread does: reading the puzzle, laying it out, searching, writing down
    solutions, and what the caller does between two slices. So a search that asks it for what is
    left keeps its limit without adding up the times of its steps.
    """

    timeout: float = LONGEST_TIMEOUT_SECONDS  #: seconds
    budget: float = inf  #: seconds after which the search is to be divided
    slice_seconds: float = SLICE_SECONDS  #: after which the caller is asked whether to go on
    began_ns: int = field(default_factory=wall_clock_ns)  #: wall time when it was started
    cpu_began_ns: int = field(default_factory=cpu_clock_ns)  #: CPU time of the thread then

    @classmethod
    def since(
        cls, wall_ns: int, cpu_ns: int, timeout: float, budget: float, slice_seconds: float
    ) -> "Stopwatch":
        """Return a watch that shows these times now."""
        began = wall_clock_ns() - wall_ns, cpu_clock_ns() - cpu_ns
        return cls(timeout, budget, slice_seconds, *began)

    @property
    def wall_ns(self) -> int:
        """The time so far, in nanoseconds."""
        return wall_clock_ns() - self.began_ns

    @property
    def ns(self) -> int:
        """The CPU time of the thread so far, in nanoseconds."""
        return cpu_clock_ns() - self.cpu_began_ns

    @property
    def slice_ns(self) -> int:
        """The nanoseconds of a slice."""
        return nanoseconds(self.slice_seconds)

    @property
    def left_ns(self) -> int:
        """The nanoseconds until the time limit; 0 when it is over."""
        return max(0, nanoseconds(self.timeout) - self.wall_ns)

    @property
    def is_over(self) -> bool:
        """Whether the time limit has been reached."""
        return self.left_ns == 0

    @property
    def is_to_divide(self) -> bool:
        """Whether the budget is used up."""
        return self.wall_ns >= nanoseconds(self.budget)
