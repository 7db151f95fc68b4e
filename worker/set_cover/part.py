"""A part of a divided search: the covers that agree with decisions about some options.

The two decisions about an option, to choose or to exclude it, have no cover in common: they are the
options of a `Level`, as `levels_of` numbers them. Costs are in units, less the bound at the root:
reduced costs, as in the parts of other searches.
"""

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.numbers import ZERO, Int, Integers, Table, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.parts.frontier import Frontier, Levels
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
from worker.set_cover.bound import price
from worker.set_cover.cover import settle
from worker.set_cover.dominance import reduce
from worker.set_cover.heuristics.approximation import Approximation, fits
from worker.set_cover.heuristics.best import Best
from worker.set_cover.heuristics.local import LocalSearch
from worker.set_cover.layout import (
    BOTH,
    CHOSEN,
    EXCLUDED,
    FREE,
    ONLY_CHOOSE,
    ONLY_EXCLUDE,
    Multiplicity,
    Tables,
    levels_of,
    new_search,
    step_of,
    tables_of,
)
from worker.set_cover.search import (
    descend,
    enter,
    guess,
    leave,
    search_slice,
)
from worker.set_cover.strategy import DEFAULT
from worker.set_cover.vertex_cover.conflicts import see_edges
from worker.stopwatch import Stopwatch

#: the local search gets so many times less time than the search
LOCAL_SHARE = 4
#: which part of a slice the bounds on a path may take
ENTRY_SHARE = 4
#: pivots without a guess after which a turn may end
MOST_PIVOTS = 256
#: guesses at the end of a path that have a bound when a turn begins, and not only propagation
BOUNDED = Unsigned(64)


@entry(exact_cover.__file__, __file__)
def begin(
    tables: Tables,
    search: Search,
    terms: Terms,
    options: Table,
    others: Table,
    left: Table,
    slice_ns: Int,
) -> None:
    """Return to the root, and go down a path of guesses, as `Guess` has them, and what is `left`.

    A guess on the path that contradicts what follows from those above ends there, if nothing else
    is left of it; otherwise the search goes on with that. Only the last guesses have a bound: each
    decides options that the others do not, so it is improved for up to `slice_ns` nanoseconds.
    """
    state = search.state
    if state.started == 0:
        enter(tables, search)
        reduce(tables, search)
        if state.dead == 0:
            state.swept = price(tables, search)
            see_edges(tables, search)
    if state.reduced == 0:
        return
    leave(tables, search)
    state.until = now(search.clock) + slice_ns
    for level in range(Unsigned(options.size)):
        if level + BOUNDED < Unsigned(options.size):
            settle(tables, search)
        else:
            descend(tables, search, terms)
        option, other = options[level], others[level]
        fate = EXCLUDED if left[level] == ONLY_EXCLUDE else CHOSEN
        if state.dead != 0:
            return
        if other != ZERO or tables.fate[option] == FREE:
            guess(tables, search, option, other, left[level])
        elif tables.fate[option] != fate:
            if left[level] != BOTH:
                state.dead = 1
            return


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
        self._best = Best(asked)
        self._local: LocalSearch | Approximation | None = None
        whole = tables_of(problem, multiplicities)
        whole.multiplier[:] = self._multiplier
        if multiplicities is None:
            self._local = LocalSearch(self._best, whole, asked, seed)
            self._local.use_cores(problem, DEFAULT.many)
        elif fits(whole):
            self._local = Approximation(self._best, problem, whole, multiplicities, seed)
        self.start(())

    def start(self, levels: Levels) -> None:
        """Begin with a part, wherever the search is, and forget what was found.

        What the local search has met is known to the other parts.
        """
        state = self.search.state
        state.found = state.kept = state.nodes = 0
        state.budget = UNBOUNDED
        self.ns = self.wall_ns = 0  #: CPU time and wall time that it took, in nanoseconds
        self._levels, self._entered, self._has_ended = levels, False, False
        self._met = list[tuple[Path, int]]()  #: covers of the local search in this part

    @property
    def cost(self) -> Integers:
        """Per decision: by how much it raises the bound, as far as that is known."""
        numbers = self.tables.cost.size + self.tables.size.size**2
        return np.broadcast_to(np.int64(0), 2 * numbers)

    def advance(self, slice_ns: int) -> int:
        """Search for `slice_ns`, but at least until the first guess, so that turns make progress.

        A turn may also end after `MOST_PIVOTS` while the linear relaxation is being solved, which
        the next one continues. Return PAUSED, or why the search ended.
        """
        watch, state = Stopwatch(slice_ns / 1e9), self.search.state
        if not self._entered:
            self._enter(slice_ns // ENTRY_SHARE)
        nodes = state.nodes
        status = super().advance(max(1, watch.left_ns))
        while status in stops.GOING_ON and not (
            watch.is_over and (state.nodes > nodes or state.pivots >= MOST_PIVOTS)
        ):
            status = super().advance(max(1, watch.left_ns))
        self._has_ended = status not in stops.GOING_ON
        self._walk(watch.wall_ns // LOCAL_SHARE)
        self._levels = levels_of(self.tables, self.search)
        self.ns += watch.ns
        self.wall_ns += watch.wall_ns
        return status if self._has_ended else stops.PAUSED

    def _walk(self, turn_ns: int) -> None:
        """Look elsewhere for covers that are cheaper than the best ones known."""
        budget = int(self.search.state.budget)
        if self._local is None or self._has_ended or budget < 0:
            return
        most = min(UNBOUNDED, budget + self._least)
        watch, goes_on = Stopwatch(), True
        while goes_on and (left := turn_ns - watch.wall_ns) > 0:
            goes_on = self._local.advance(UNLIMITED, self._least, most, left)
        met = self._best.merged([])
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
        return None if self._has_ended else Frontier(self._levels)

    def _enter(self, slice_ns: int) -> None:
        """Go down the path of the part, with bounds that take up to `slice_ns`."""
        self.tables.multiplier[:] = self._multiplier
        path = np.array([level.options[0] for level in self._levels], np.int64)
        both = [len(level.options) == 2 for level in self._levels]
        left = np.where(both, BOTH, np.where(path % 2, ONLY_EXCLUDE, ONLY_CHOOSE))
        numbers, options = path // 2, self.tables.cost.size
        pair = np.divmod(numbers - options, self.tables.size.size)
        first, other = np.where(numbers < options, (numbers, 0 * numbers), pair).astype(np.uint32)
        given = self.tables, self.search, self.terms, first, other, left.astype(np.uint32)
        begin(*given, slice_ns)
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
            seed = crc32(repr(levels).encode())  # each process begins with another part
            self._key, self._search = key, PartSearch(*self._given, keep, setup, seed)
        self._search.start(levels)
        return self._search
