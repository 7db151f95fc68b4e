"""Find the least radius within which a few options cover every item: the K-centre problem.

Every item of an option has a distance, and the option covers it within any radius of at least that
distance. A binary search over the distances asks for each radius whether so few options suffice.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain

import numpy as np

from worker.covers.text import Cover, option_numbers
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, distinct, flat
from worker.exact_cover.state import Path
from worker.outcome import Outcome, Solution
from worker.set_cover.solve import within
from worker.stopwatch import Stopwatch


class Distances:
    """The members of all options, one option after the other, with the distance of each."""

    def __init__(self, cover: Cover) -> None:
        self.item, first = flat(cover.options)
        self.distance = np.fromiter(chain.from_iterable(cover.distances or ()), np.int64)
        self._option = np.repeat(np.arange(first.size - 1), np.diff(first))
        self._options, self._items = len(cover.options), cover.primary

    def radius(self, chosen: Path | None = None) -> int:
        """Return the least radius within which options cover every item; by default, all do."""
        least = np.full(self._items + 1, np.iinfo(np.int64).max)
        among = slice(None) if chosen is None else np.isin(self._option, chosen)
        np.minimum.at(least, self.item[among], self.distance[among])
        return int(least[1:].max(initial=0))

    def within(self, radius: int) -> Problem:
        """Return the problem in which an option has the items within a radius, and costs 1."""
        near = self.distance <= radius
        first = np.searchsorted(self._option[near], np.arange(self._options + 1))
        members, cost = self.item[near].astype(np.uint32), np.ones(self._options, np.int64)
        return Problem(self._items, self._items, members, first.astype(np.uint32), cost)


def least_radius(cover: Cover, watch: Stopwatch) -> Iterator[Outcome | None]:
    """Yield None after each slice of time but the last, then the outcome of such a problem.

    The score of a cover is the least radius within which it covers every item, negated.
    """
    distances = Distances(cover)
    radii = distinct(distances.distance).tolist()
    low = high = len(radii)
    most = cover.at_most or 0
    # If no option has some item there is no cover, and nothing is laid out for all items.
    if distinct(distances.item).size == cover.primary:
        low = bisect_left(radii, distances.radius())
    best: Path | None = None
    nodes, timed_out = 0, watch.is_over
    while low < high and not timed_out:
        middle = high - 1 if best is None else (low + high) // 2
        problem = distances.within(radii[middle])
        for found in within(problem, most, watch=watch):
            if found is None:
                yield None
                continue
            nodes, timed_out = nodes + found.nodes, found.status == stops.TIMED_OUT
            if found.paths:
                best = found.paths[0][0]
                high = bisect_left(radii, distances.radius(best))
            elif not timed_out:
                low = middle + 1
    yield Outcome(
        kind="cover",
        size=cover.items,
        clues=None,
        solutions=0 if best is None else None,
        complete=not timed_out,
        timed_out=timed_out,
        kept=() if best is None else (Solution(option_numbers(best), -radii[high]),),
        bound=-radii[low] if low < len(radii) else None,
        nodes=nodes,
        ns=watch.ns,
    )
