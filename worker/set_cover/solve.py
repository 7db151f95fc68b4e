"""Find cheap covers of a problem, in slices of time: the cheapest, or any that are cheap enough."""

from collections.abc import Iterator, Sequence

from worker.exact_cover.problem import Problem, number
from worker.exact_cover.scores import Setup
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNBOUNDED, terms
from worker.set_cover.elimination.eliminate import Elimination
from worker.set_cover.heuristics.approximation import Approximation
from worker.set_cover.heuristics.best import Best
from worker.set_cover.heuristics.neighbourhood import walk_slice
from worker.set_cover.heuristics.walk import new_walk
from worker.set_cover.layout import Multiplicity, once, step_of, tables_of
from worker.set_cover.part import Parts
from worker.set_cover.run import Run
from worker.set_cover.strategy import DEFAULT, Strategy
from worker.stopwatch import Stopwatch

#: seconds between two returns of a search that takes turns
SLICE_SECONDS = 0.01


def cheapest(
    problem: Problem,
    multiplicities: Sequence[Multiplicity] | None = None,
    *,
    keep: int = 1,
    watch: Stopwatch | None = None,
    strategy: Strategy = DEFAULT,
) -> Iterator[Found | None]:
    """Find the `keep` cheapest covers in which primary items occur as often as they may.

    Without `multiplicities`, these are the set covers from which no option can be left out. Yield
    None after each slice of time but the last, then the result.
    """
    asked = terms(limit=None, keep=keep, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, watch or Stopwatch(), strategy, multiplicities)
    yield from run.slices()
    yield run.result()


def within(
    problem: Problem,
    at_most: int,
    *,
    limit: int | None = 1,
    keep: int = 1,
    watch: Stopwatch | None = None,
    strategy: Strategy = DEFAULT,
) -> Iterator[Found | None]:
    """Find set covers that cost at most `at_most`, and yield as `cheapest` does.

    Stop after `limit` covers, and keep `keep` of them, the first that were found.
    """
    asked = terms(limit=limit, keep=keep, step=step_of(problem))
    run = Run(problem, asked, at_most, watch or Stopwatch(), strategy)
    yield from run.slices()
    yield run.result()


class ExactCovers:
    """A search for the `keep` cheapest exact covers, which takes turns with others."""

    failed = False  #: it can always be continued

    def __init__(self, problem: Problem, keep: int) -> None:
        self.wall_ns = 0  #: time in nanoseconds
        asked = terms(limit=None, keep=keep, prune=True, step=step_of(problem))
        watch = Stopwatch(slice_seconds=SLICE_SECONDS)
        self._run = Run(problem, asked, UNBOUNDED, watch, multiplicities=once(problem))
        self._slices = self._run.slices()

    def advance(self, slice_ns: int, most: int | None = None) -> bool:
        """Search for about `slice_ns`; return whether all wanted covers are kept.

        Those that cost more than `most` are left out.
        """
        watch, ended = Stopwatch(), False
        if most is not None:
            self._run.limit_to(most)
        while not ended and watch.wall_ns < slice_ns:
            ended = next(self._slices, True) is True
        self.wall_ns += watch.wall_ns
        return ended

    @property
    def found(self) -> Found:
        """The cheapest covers so far, the cheapest first, and the bound."""
        return self._run.result()

    def divided(self, found: Found) -> Found:
        """Return a result with what is left of this search for parts of it."""
        return self._run.divided(found)


def warm_up() -> None:
    """Compile what cheap covers need, or load it from the cache."""
    problem = number(1, 0, [[1]], [1])
    for _ in cheapest(problem, strategy=Strategy(first_visits=0, early_visits=0)):
        pass
    Parts(problem, None)(1, Setup(0, multipliers=(0, 0)), ()).advance(1)
    tables, asked = tables_of(problem), terms(limit=None, keep=1, prune=True)
    walk_slice(tables, new_walk(tables, 1), 1, 0, 0)
    attempts = Approximation(Best(asked), problem, tables_of(problem, once(problem)), once(problem))
    attempts.advance(1, 0, 1, 0)
    for _ in Elimination(tables, step_of(problem), Stopwatch()).slices():
        pass
