"""The cheapest set cover by elimination of its options (dynamic programming over a tree).

Options that share no item can be decided apart from each other, if those in between are decided.
So for each option, a table tells what it and those before it cost at least, for each choice of its
neighbours that come later (Bertelè and Brioschi, *Nonserial dynamic programming*, 1972; Dechter,
*Bucket elimination*, 1999). The tables are small where few options are neighbours at once, as in
maps of roads and long boards.
"""

from collections.abc import Generator
from functools import cached_property

import numpy as np

from worker.compiling.clock import CLOCK_SIZE
from worker.exact_cover.state import Path
from worker.set_cover.elimination.order import steps_of
from worker.set_cover.elimination.plan import NO_COVER, Plan, plan_of
from worker.set_cover.elimination.tables import both, fill_slice
from worker.set_cover.layout import CHOSEN, FREE, Tables
from worker.stopwatch import Stopwatch

Items = list[list[int]]
#: seconds that an entry of a table takes, about
ENTRY_SECONDS = 60e-9


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
        #: how long it takes, about; 0 if the tables would be too large
        self.seconds = ENTRY_SECONDS * sum(1 << len(step.scope) for step in self._steps)

    @cached_property
    def _plan(self) -> Plan:
        return plan_of(self._steps, self._items, self._cost)

    def slices(self) -> Generator[None, None, bool]:
        """Compute all tables, and yield after each slice; return whether that came to an end."""
        clock = np.zeros(CLOCK_SIZE, np.int64)
        while self._steps and not self._watch.is_over:
            if fill_slice(self._plan, clock, self._watch.slice_ns):
                return True
            yield
        return False

    def cover(self) -> Path | None:
        """The cheapest cover, once all tables are computed; None if there is none."""
        plan, chosen = self._plan, set[int]()
        for number in reversed(range(len(self._steps))):
            option, scope = self._steps[number]
            at = sum(1 << bit for bit, other in enumerate(scope) if other in chosen)
            without, with_ = both(plan, number, at)
            if min(without, with_) >= NO_COVER:
                return None
            if with_ < without:
                chosen.add(option)
        return tuple(sorted([*self._chosen, *chosen]))
