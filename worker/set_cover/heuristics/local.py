"""Local search for set covers, in turns.

Where options are many, it goes on in cores, sets of options with the least reduced costs (Caprara,
Fischetti and Toth, *A heuristic method for the set covering problem*, 1999), which take turns.
"""

from collections import deque
from typing import NamedTuple

import numpy as np

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import UNBOUNDED, Terms
from worker.set_cover.heuristics.best import Best
from worker.set_cover.heuristics.neighbourhood import walk_slice
from worker.set_cover.heuristics.walk import Walk, new_walk
from worker.set_cover.layout import CHOSEN, FREE, Tables, tables_of

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
    """A local search for covers that are among the best."""

    def __init__(self, best: Best, tables: Tables, asked: Terms, seed: int = 0) -> None:
        """Look for covers on which only cheaper ones improve, or for any, as was asked."""
        self._best, self._prune, self._tables, self._seed = best, asked.prune, tables, seed
        self._cores = deque[Core]()  #: the next one first; most problems are solved without

    def use_cores(self, problem: Problem, many: int) -> None:
        """If one cover is wanted and each item has `many` options, go on with the best of them.

        These are the options with the least reduced costs. There must be no secondary items.
        """
        if self._best.wanted > 1 or problem.items > problem.primary:
            return
        if problem.cost.size < many * problem.primary:
            return
        self._cores.clear()
        for options in cores_of(problem, self._tables):
            tables = tables_of(problem.only(options))
            tables.cost[:] = self._tables.cost[options]  # in the same units
            self._use(tables, options)

    def _use(self, tables: Tables, options: Integers) -> None:
        self._cores.append(Core(tables, options, new_walk(tables, self._best.wanted, self._seed)))

    def advance(self, steps: int, goal: int, most: int, turn_ns: int) -> bool:
        """Search for covers that cost `most`, in so many steps or nanoseconds, or down to `goal`.

        Return whether it can go on. Cores take turns.
        """
        if not self._cores:
            self._use(self._tables, np.arange(self._tables.cost.size))
        tables, options, walk = self._cores[0]
        self._cores.rotate(-1)
        if self._prune:
            walk.state.limit = min(most + 1, UNBOUNDED)
        elif self._best.wanted > 1:
            walk.state.floor = min(most + 1, UNBOUNDED)
        status: int = walk_slice(tables, walk, steps, goal, turn_ns)
        for row in range(walk.state.covers):
            path = np.sort(options[walk.covers[row, : walk.length[row]]])
            cost = int(self._tables.cost[path].sum())
            if self._prune or cost <= most:
                self._best.add(tuple(path.tolist()), cost)
        walk.state.covers = 0
        return status != stops.EXHAUSTED
