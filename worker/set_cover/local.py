"""Local search for set covers, in turns, and the cheapest covers that were met.

Where options are many, it goes on in a core of those that have the least reduced costs (Caprara,
Fischetti and Toth, *A heuristic method for the set covering problem*, 1999).
"""

from heapq import heappush, heappushpop

import numpy as np

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import UNBOUNDED, Path, Terms
from worker.set_cover.layout import CHOSEN, FREE, Tables, tables_of
from worker.set_cover.neighbourhood import walk_slice
from worker.set_cover.walk import Walk, new_walk

#: options of the core: for each item, and besides these for each item on average
EACH, AVERAGE = 6, 10


def core_of(problem: Problem, tables: Tables) -> Integers:
    """Return the options of least reduced costs, ascending, and those that are chosen."""
    reduced = np.where(tables.fate == FREE, tables.reduced, UNBOUNDED)
    option = problem.option_of_member
    order = np.lexsort((reduced[option], problem.members))
    begin = np.searchsorted(problem.members[order], np.arange(problem.items + 1))
    rank = np.arange(order.size) - begin[problem.members[order]]
    each = option[order[rank < EACH]]
    cheapest = np.argsort(reduced, kind="stable")[: AVERAGE * problem.primary]
    return np.unique(np.concatenate([each, cheapest, np.flatnonzero(tables.fate == CHOSEN)]))


class LocalSearch:
    """A local search, and the cheapest covers so far: option numbers from 0, ascending."""

    def __init__(self, tables: Tables, asked: Terms, seed: int = 0) -> None:
        """Look for covers on which only cheaper ones improve, or for any, as was asked."""
        self._prune, self._tables, self._seed = asked.prune, tables, seed
        #: if all covers are counted, one is enough until time runs out
        self.wanted = asked.wanted if asked.prune else max(1, asked.limit)
        self._walk: Walk | None = None  #: the set that changes; most problems are solved without
        self._core = tables, np.arange(tables.cost.size)  #: its tables, and which options they have
        self._heap: list[tuple[int, Path]] = []  #: the dearest first, by their costs negated
        self._paths: set[Path] = set()

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def worst(self) -> int | None:
        """What the dearest costs if there are as many as wanted; only cheaper ones matter then."""
        return -self._heap[0][0] if len(self._heap) == self.wanted else None

    def add(self, path: Path, cost: int) -> None:
        """Add a cover unless it is here; if there are too many, remove the dearest."""
        if path in self._paths:
            return
        self._paths.add(path)
        if len(self._heap) < self.wanted:
            heappush(self._heap, (-cost, path))
        else:
            self._paths.remove(heappushpop(self._heap, (-cost, path))[1])

    def merged(self, others: list[tuple[Path, int]]) -> list[tuple[Path, int]]:
        """Return these covers and others, each once, the cheapest first."""
        every = {path: -cost for cost, path in self._heap} | dict(others)
        return sorted(every.items(), key=lambda one: (one[1], one[0]))

    def use_core(self, problem: Problem, many: int) -> None:
        """If one cover is wanted and each item has `many` options, go on with the best of them.

        These are the options with the least reduced costs. There must be no secondary items.
        """
        if self.wanted > 1 or problem.items > problem.primary:
            return
        if problem.cost.size < many * problem.primary:
            return
        core = core_of(problem, self._tables)
        self._core, self._walk = (tables_of(problem.only(core)), core), None
        self._core[0].cost[:] = self._tables.cost[core]  # in the same units

    def advance(self, steps: int, goal: int, most: int, turn_ns: int) -> bool:
        """Search for covers that cost `most`, in so many steps or nanoseconds, or down to `goal`.

        Return whether it stopped because it had no room for other covers.
        """
        walk = self._walk = self._walk or new_walk(self._core[0], self.wanted, self._seed)
        if self._prune:
            walk.state.limit = min(most + 1, UNBOUNDED)
        elif self.wanted > 1:
            walk.state.floor = min(most + 1, UNBOUNDED)
        status: int = walk_slice(self._core[0], walk, steps, goal, turn_ns)
        for row in range(walk.state.covers):
            path = np.sort(self._core[1][walk.covers[row, : walk.length[row]]])
            cost = int(self._tables.cost[path].sum())
            if self._prune or cost <= most:
                self.add(tuple(path.tolist()), cost)
        walk.state.covers = 0
        return status == stops.FULL
