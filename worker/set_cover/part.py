"""A part of a divided search: the covers that agree with decisions about some options.

The two decisions about an option, to choose or to exclude it, have no cover in common: they are the
options of a `Level`, as `levels_of` numbers them. Costs are in units, less the bound at the root:
reduced costs, as in the parts of other searches.
"""

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from worker import exact_cover
from worker.compiling.jit import entry
from worker.compiling.numbers import ONE, ZERO, Integers, Table
from worker.exact_cover import stops
from worker.exact_cover.parts.frontier import Frontier, Levels, without_first
from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Setup
from worker.exact_cover.slices import Slices
from worker.exact_cover.state import (
    UNBOUNDED,
    UNLIMITED,
    Path,
    Search,
    Terms,
    kept_paths,
    terms,
)
from worker.set_cover.cover import choose, exclude
from worker.set_cover.dominance import reduce
from worker.set_cover.layout import (
    EXCLUDED,
    FREE,
    Multiplicity,
    Tables,
    levels_of,
    new_search,
    step_of,
    tables_of,
)
from worker.set_cover.local import LocalSearch
from worker.set_cover.run import DEFAULT
from worker.set_cover.search import descend, enter, leave, search_slice
from worker.stopwatch import Stopwatch

#: the local search gets so many times less time than the search
LOCAL_SHARE = 4


@entry(exact_cover.__file__, __file__)
def begin(tables: Tables, search: Search, terms: Terms, decisions: Table) -> None:
    """Return to the root and make decisions; if one cannot be made, no cover agrees with them."""
    if search.state.started == 0:
        enter(tables, search)
        reduce(tables, search, UNBOUNDED)
    if search.state.reduced == 0:
        return
    leave(tables, search)
    for k in range(decisions.size):
        descend(tables, search, terms)
        if search.state.dead != 0:
            break
        option, is_excluded = decisions[k] >> ONE, decisions[k] & ONE
        if tables.fate[option] != FREE:
            if (tables.fate[option] == EXCLUDED) != (is_excluded != ZERO):
                search.state.dead = 1
        elif is_excluded != ZERO:
            exclude(tables, search, option)
        else:
            choose(tables, search, option)


class PartSearch(Slices[Tables]):
    """The search of a part for the `keep` cheapest covers; it can stop at any node."""

    def __init__(
        self,
        problem: Problem,
        multiplicities: Sequence[Multiplicity] | None,
        keep: int,
        setup: Setup,
        seed: int = 0,
    ) -> None:
        asked = terms(limit=None, keep=keep, prune=True, step=step_of(problem))
        tables = tables_of(problem, multiplicities)
        search = new_search(problem, tables, asked.first_room)
        super().__init__(search_slice, tables, search, asked, Stopwatch())
        self._least = -setup.scores.base
        search.state.spent -= self._least
        search.state.sweeps = DEFAULT.sweeps
        search.state.single = keep == 1
        search.state.minimal = multiplicities is None
        self._multiplier = np.array(setup.multipliers, np.int64)
        self._local: LocalSearch | None = None
        if multiplicities is None:
            whole = tables_of(problem)
            whole.multiplier[:] = self._multiplier
            self._local = LocalSearch(whole, asked, seed)
            self._local.use_core(problem, DEFAULT.many)
        self.start(None)

    def start(self, levels: Levels | None) -> None:
        """Begin with a part, wherever the search is, and forget what was found.

        What the local search has met is known to the other parts.
        """
        state = self.search.state
        state.found = state.kept = state.nodes = 0
        state.budget = UNBOUNDED
        self.ns = self.wall_ns = 0  #: CPU time and wall time that it took, in nanoseconds
        self._levels, self._entered = levels, False
        self._met = list[tuple[Path, int]]()  #: covers of the local search in this part

    @property
    def cost(self) -> Integers:
        """Per decision: by how much it raises the bound, as far as that is known."""
        return np.zeros(2 * self.tables.cost.size, np.int64)

    def advance(self, slice_ns: int) -> int:
        """Search for `slice_ns`, until the first guess at least, so that every turn gets on.

        Return PAUSED, or why the search ended.
        """
        watch, status = Stopwatch(slice_ns / 1e9), stops.EXHAUSTED
        state = self.search.state
        while self._levels is not None and not (watch.is_over and self._entered and state.level):
            if not self._entered:
                self._enter(self._levels)
            status = super().advance(max(1, watch.left_ns))
            if status not in stops.GOING_ON:
                self._entered = False
                self._levels = without_first(self._levels)
        self._walk(watch.wall_ns // LOCAL_SHARE)
        self.ns += watch.ns
        self.wall_ns += watch.wall_ns
        return status if self._levels is None else stops.PAUSED

    def _walk(self, turn_ns: int) -> None:
        """Continue the local search, for covers that are cheaper than the best ones known."""
        budget = int(self.search.state.budget)
        if self._local is None or self._levels is None or budget < 0:
            return
        most = min(UNBOUNDED, budget + self._least)
        self._local.advance(UNLIMITED, self._least, most, turn_ns)
        met = self._local.merged([])
        self._met = [(path, cost - self._least) for path, cost in met if cost <= most]

    def kept(self) -> list[tuple[Path, int]]:
        """The cheapest covers that were found, and their costs."""
        every = dict(self._met + [(tuple(sorted(path)), c) for path, c in kept_paths(self.search)])
        return sorted(every.items(), key=lambda one: one[1])[: self.terms.wanted]

    @property
    def worst(self) -> int | None:
        """What the dearest of these costs, if there are as many as wanted."""
        kept = self.kept()
        return kept[-1][1] if len(kept) == self.terms.wanted else None

    def frontier(self) -> Frontier | None:
        """Stop, and return what is left; None if the part has ended."""
        if self._entered and self._levels is not None:
            self._levels += levels_of(self.search)
            self._entered = False
        return None if self._levels is None else Frontier(self._levels)

    def _enter(self, levels: Levels) -> None:
        """Begin with the first decision of each level."""
        self.tables.multiplier[:] = self._multiplier
        decisions = np.array([level.options[0] for level in levels], np.uint32)
        begin(self.tables, self.search, self.terms, decisions)
        self._entered = True


class Parts:
    """Makes the searches of the parts of a problem, one after the other on the same tables.

    To lay these out and to exclude dominated options at the root may take longer than a turn.
    """

    def __init__(self, problem: Problem, multiplicities: Sequence[Multiplicity] | None) -> None:
        self._given = problem, multiplicities
        self._key: object = None
        self._search: PartSearch | None = None

    def __call__(self, keep: int, setup: Setup, levels: Levels) -> PartSearch:
        """Return the search of a part, which ends the one before."""
        key = keep, setup.multipliers, setup.scores
        if self._search is None or key != self._key:
            self._key, self._search = (
                key,
                PartSearch(*self._given, keep, setup, crc32(repr(levels).encode())),
            )
        self._search.start(levels)
        return self._search
