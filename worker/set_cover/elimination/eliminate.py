"""The cheapest set cover by elimination of its options (dynamic programming over a tree).

Options that share no item can be decided apart from each other, if those in between are decided.
So for each option, a table tells what it and those before it cost at least, for each choice of its
neighbours that come later (Bertelè and Brioschi, *Nonserial dynamic programming*, 1972; Dechter,
*Bucket elimination*, 1999). The tables are small where few options are neighbours at once, as in
maps of roads and long boards.
"""

from collections.abc import Generator

import numpy as np

from worker.compiling.clock import CLOCK_SIZE
from worker.exact_cover.state import Path
from worker.set_cover.elimination.order import steps_of
from worker.set_cover.elimination.plan import NO_COVER, Plan, plan_of
from worker.set_cover.elimination.tables import fill_slice
from worker.set_cover.layout import CHOSEN, FREE, Tables
from worker.stopwatch import Stopwatch

Items = list[list[int]]
#: seconds that an entry of a table takes, about
ENTRY_SECONDS = 10e-9


def open_items(tables: Tables) -> Items:
    """Return the free options of each open item."""
    items: Items = []
    item = int(tables.right[0])
    while item:
        options = tables.options[tables.begin[item] : tables.begin[item + 1]]
        items.append(options[tables.fate[options] == FREE].tolist())
        item = int(tables.right[item])
    return items


class Elimination:
    """The elimination of the free options of a set cover, at the root of a search."""

    def __init__(self, tables: Tables, step: int, watch: Stopwatch) -> None:
        """All costs are multiples of `step`; there is no secondary item."""
        self._watch = watch
        self._items = open_items(tables)
        self._chosen = np.flatnonzero(tables.fate == CHOSEN).tolist()
        self._cost = dict(enumerate((tables.cost // step).tolist()))
        is_small = bool(self._items) and all(self._items) and sum(self._cost.values()) < NO_COVER
        self._steps = (steps_of(self._items, watch) if is_small else None) or []
        self._plan = plan_of(self._steps, self._items, self._cost) if self._steps else None
        #: how long it takes, about; 0 if the tables would be too large
        self.seconds = ENTRY_SECONDS * int(self._plan.choice_begin[-1]) if self._plan else 0.0

    def slices(self) -> Generator[None, None, Path | None]:
        """Compute all tables, and yield after each slice; return the cheapest cover.

        Return None if the tables would be too large, or if the time limit has been reached.
        """
        clock = np.zeros(CLOCK_SIZE, np.int64)
        while self._plan and not self._watch.is_over:
            if fill_slice(self._plan, clock, self._watch.slice_ns):
                return self._cover(self._plan)
            yield
        return None

    def _cover(self, plan: Plan) -> Path:
        """Return the cover that the choices of all tables make, from the last to the first."""
        chosen = set[int]()
        begins = plan.choice_begin[:-1].tolist()
        for (option, scope), begin in zip(reversed(self._steps), reversed(begins), strict=True):
            choice = begin + sum(1 << bit for bit, other in enumerate(scope) if other in chosen)
            if plan.choices[choice >> 3] >> (choice & 7) & 1:
                chosen.add(option)
        return tuple(sorted([*self._chosen, *chosen]))
