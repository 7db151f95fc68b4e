"""The cheapest cover by elimination of its options (dynamic programming over a tree).

Options that share no item can be decided apart from each other, if those in between are decided.
So for each option, a table tells what it and those before it cost at least, for each choice of its
neighbours that come later (Bertelè and Brioschi, *Nonserial dynamic programming*, 1972; Dechter,
*Bucket elimination*, 1999). The tables are small where few options are neighbours at once, as in
maps of roads and long boards.
"""

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from worker.compiling.clock import CLOCK_SIZE
from worker.exact_cover.state import Path
from worker.set_cover.elimination.order import Item, steps_of
from worker.set_cover.elimination.plan import NO_COVER, plan_of
from worker.set_cover.elimination.tables import fill_slice
from worker.set_cover.layout import CHOSEN, FREE, Tables
from worker.stopwatch import Stopwatch

#: seconds that an entry of a table takes, about
ENTRY_SECONDS = 10e-9


def items_of(tables: Tables, is_free: NDArray[np.bool_]) -> list[Item]:
    """Return the items that restrict how many of the free options are chosen."""
    items = []
    for item in range(1, tables.times.size):
        options = tables.options[tables.begin[item] : tables.begin[item + 1]]
        free, times = options[is_free[options]].tolist(), int(tables.times[item])
        least, most = int(tables.least[item]) - times, int(tables.most[item]) - times
        if least > 0 or most < len(free):
            items.append(Item(free, max(0, least), min(most, len(free))))
    return items


class Elimination:
    """The elimination of the free options at the root of a search for one cheapest cover."""

    def __init__(self, tables: Tables, step: int, watch: Stopwatch) -> None:
        """All costs are multiples of `step`; there are no colours."""
        self._watch = watch
        is_free = (tables.fate == FREE) & (tables.first[:-1] < tables.middle)
        items, cost = items_of(tables, is_free), (tables.cost // step).tolist()
        is_small = sum(map(abs, cost)) < NO_COVER and all(len(i.options) >= i.least for i in items)
        self._steps = (steps_of(items, watch) if is_small and items else None) or []
        self._plan = plan_of(self._steps, items, cost) if self._steps else None
        is_chosen = (tables.fate == CHOSEN) | (is_free & (tables.cost < 0))
        is_chosen[[option for option, _ in self._steps]] = False
        self._chosen = np.flatnonzero(is_chosen).tolist()
        #: how long it takes, about; 0 if the tables would be too large
        self.seconds = ENTRY_SECONDS * int(self._plan.choice_begin[-1]) if self._plan else 0.0

    def slices(self) -> Generator[None, None, bool]:
        """Compute all tables, and yield after each slice; return whether that came to an end.

        It does not if the tables would be too large, or if the time limit has been reached.
        """
        clock = np.zeros(CLOCK_SIZE, np.int64)
        while self._plan and not self._watch.is_over:
            if fill_slice(self._plan, clock, self._watch.slice_ns):
                return True
            yield
        return False

    def cover(self) -> Path | None:
        """The cheapest cover, once all tables are computed; None if there is none."""
        plan, chosen = self._plan, set[int]()
        if plan is None or np.any(plan.values[plan.begin[plan.width == 0]] >= NO_COVER):
            return None
        begins = plan.choice_begin[:-1].tolist()
        for (option, scope), begin in zip(reversed(self._steps), reversed(begins), strict=True):
            choice = begin + sum(1 << bit for bit, other in enumerate(scope) if other in chosen)
            if plan.choices[choice >> 3] >> (choice & 7) & 1:
                chosen.add(option)
        return tuple(sorted([*self._chosen, *chosen]))
