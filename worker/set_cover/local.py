"""Local search for set covers, in turns, and the cheapest covers that were met.

Where options are many, it goes on in cores, sets of options with the least reduced costs (Caprara,
Fischetti and Toth, *A heuristic method for the set covering problem*, 1999), which take turns.
"""

from collections import deque
from heapq import heappush, heappushpop
from typing import NamedTuple

import numpy as np

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import UNBOUNDED, Path, Terms
from worker.set_cover.layout import CHOSEN, FREE, Tables, tables_of
from worker.set_cover.neighbourhood import walk_slice
from worker.set_cover.walk import Walk, new_walk

#: options that a core has of each item; and for each core, how many it has besides, per item
EACH, AVERAGES = 2, (2, 5, 10)


class Core(NamedTuple):
    """Some options of a problem, and the set of them that the local search changes."""

    tables: Tables
    options: Integers  #: their numbers in the problem, ascending
    walk: Walk


def cores_of(problem: Problem, tables: Tables) -> list[Integers]:
    """Return the options of each core, ascending; all cores have those that are chosen."""
    option = problem.option_of_member
    multiplier = np.where(tables.times < tables.least, tables.multiplier, 0)
    reduced = tables.cost - np.bincount(option, multiplier[problem.members], tables.cost.size)
    reduced[tables.fate != FREE] = UNBOUNDED
    order = np.lexsort((reduced[option], problem.members))
    begin = np.searchsorted(problem.members[order], np.arange(problem.items + 1))
    rank = np.arange(order.size) - begin[problem.members[order]]
    needed = [option[order[rank < EACH]], np.flatnonzero(tables.fate == CHOSEN)]
    cheapest = np.argsort(reduced, kind="stable")
    sizes = (average * problem.primary for average in AVERAGES)
    return [np.unique(np.concatenate([*needed, cheapest[:size]])) for size in sizes]


class LocalSearch:
    """A local search, and the cheapest covers so far: option numbers from 0, ascending."""

    def __init__(self, tables: Tables, asked: Terms, seed: int = 0) -> None:
        """Look for covers on which only cheaper ones improve, or for any, as was asked."""
        self._prune, self._tables, self._seed = asked.prune, tables, seed
        #: if all covers are counted, one is enough until time runs out
        self.wanted = asked.wanted if asked.prune else max(1, asked.limit)
        self._cores = deque[Core]()  #: the next one first; most problems are solved without
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

    def use_cores(self, problem: Problem, many: int) -> None:
        """If one cover is wanted and each item has `many` options, go on with the best of them.

        These are the options with the least reduced costs. There must be no secondary items.
        """
        if self.wanted > 1 or problem.items > problem.primary:
            return
        if problem.cost.size < many * problem.primary:
            return
        self._cores.clear()
        for options in cores_of(problem, self._tables):
            tables = tables_of(problem.only(options))
            tables.cost[:] = self._tables.cost[options]  # in the same units
            self._use(tables, options)

    def _use(self, tables: Tables, options: Integers) -> None:
        self._cores.append(Core(tables, options, new_walk(tables, self.wanted, self._seed)))

    def advance(self, steps: int, goal: int, most: int, turn_ns: int) -> bool:
        """Search for covers that cost `most`, in so many steps or nanoseconds, or down to `goal`.

        Return whether it stopped because it had no room for other covers. Cores take turns.
        """
        if not self._cores:
            self._use(self._tables, np.arange(self._tables.cost.size))
        tables, options, walk = self._cores[0]
        self._cores.rotate(-1)
        if self._prune:
            walk.state.limit = min(most + 1, UNBOUNDED)
        elif self.wanted > 1:
            walk.state.floor = min(most + 1, UNBOUNDED)
        status: int = walk_slice(tables, walk, steps, goal, turn_ns)
        for row in range(walk.state.covers):
            path = np.sort(options[walk.covers[row, : walk.length[row]]])
            cost = int(self._tables.cost[path].sum())
            if self._prune or cost <= most:
                self.add(tuple(path.tolist()), cost)
        walk.state.covers = 0
        return status == stops.FULL
