"""The best score, proven by rounds of search below a bound that dual multipliers give.

A round visits the covers whose score is within `reach` of the bound, and leaves out every option
whose reduced cost exceeds that. The first reach is about one point, and each round doubles it,
until as many covers are kept as are wanted and no better one can exist. The last round looks as
far as the *gap*, the highest reduced cost of a cover that is better than the kept ones. A round
also has a node limit. If it ends there, short searches look near the best cover so far, the options
that cost more than the gap are left out for good, the multipliers of the others are improved, at a
temperature relative to the gap, and the rounds begin again, a little above the last reach that is
proven, with twice the node limit: restarts with a node limit (Walsh, *Search in a small world*,
1999). A round that ends at its node limit, and a search near a cover, prove nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import NamedTuple

from worker.exact_cover.costs.scores import Scores, Setup
from worker.exact_cover.state import (
    EXHAUSTED,
    NODE_LIMITED,
    UNBOUNDED,
    Path,
    Search,
    Terms,
)

#: the node limit of the first rounds
FIRST_NODE_LIMIT = 1 << 12
#: searches near the best cover for each FIRST_NODE_LIMIT nodes that a round has beyond the first
NEAR_SEARCHES = 8
#: and the most nodes of all of them together, as a multiple of the node limit of the next round
NEAR_SHARE = 2
#: the node limit of a search near the best cover
NEAR_NODE_LIMIT = 1 << 12
#: parts of the best cover that the first search near it sets free
FIRST_FREED = 4
#: sweeps that improve the multipliers, and the fraction of the gap at which their temperature
#: begins, once it is known
SWEEPS, GAP_FRACTION = 80, 1 / 20
#: the first reach is no less than this fraction of the highest reduced cost, so that weights of
#: any scale take at most so many rounds
LEAST_REACH = 1 / 2**16
#: by what the reach that is proven is multiplied for the next round with more nodes
REACH_GROWTH = 1.25


class Multipliers(NamedTuple):
    """Multipliers with which no option has a negative reduced cost."""

    of_items: tuple[int, ...]
    base: int  #: their sum
    highest: int  #: the highest reduced cost of an option


class Rounds(ABC):
    """A search for the best score; a subclass lays out its problem for each round.

    Scores are counted in a `factor` from an `offset` on, as `Scores` defines them.
    """

    def __init__(
        self,
        terms: Terms,
        search: Search,
        base: int,
        bound: int,
        *,
        factor: int = 1,
        offset: int = 0,
    ) -> None:
        self.terms = terms
        self.search = search
        self.factor, self.offset = factor, offset
        self.base = base  #: the sum of the multipliers: a cover scores this less its reduced costs
        self.bound = bound  #: no cover that was not visited scores more
        self.highest = 0  #: the highest reduced cost of an option
        self.freed = FIRST_FREED  #: parts of the best cover that the next search near it sets free

        self._whole: Multipliers | None = None  #: for all options, the first that were improved

    @property
    def scores(self) -> Scores:
        """How scores and reduced costs are converted."""
        return Scores(self.base, self.terms.step, self.factor, self.offset)

    @property
    def gap(self) -> int:
        """The highest reduced cost of a cover that is wanted."""
        state, kept = self.search.state, self.search.kept
        if not self.terms.prune or state.kept < self.terms.wanted:
            return UNBOUNDED
        return int(kept.cost[kept.heap[0]] - self.terms.step)

    @abstractmethod
    def narrow(self, gap: int) -> None:
        """Leave out the options that cost more than `gap` from now on, and lay out the others."""

    @abstractmethod
    def tighten(self, sweeps: int, temperature: float) -> tuple[int, int]:
        """Improve the multipliers, as `dual.tighten` does, of the options that are laid out.

        Return by how much their sum rose, and the highest reduced cost of an option.
        """

    @abstractmethod
    def multipliers(self) -> tuple[int, ...]:
        """Return the multipliers of the items, the first for no item."""

    @abstractmethod
    def search_within(self, reach: int, node_limit: int) -> Generator[None, None, int]:
        """Search all covers within `reach` of the bound, UNBOUNDED for all.

        Yield after each slice, and return why the search stopped.
        """

    @abstractmethod
    def search_near(self) -> Generator[None, None, int]:
        """Search the covers that differ from the best one in `freed` parts only, like this."""

    def run(self) -> Generator[None, None, int]:
        """Search until the best score is proven or time is over; yield after each slice and search.

        Return why the search stopped: EXHAUSTED means that the best covers are kept.
        """
        node_limit, near_searches = FIRST_NODE_LIMIT, 0
        while True:
            enough = int(self.search.state.nodes) + NEAR_SHARE * node_limit
            for _ in range(near_searches if self.search.state.kept else 0):
                if self.search.state.nodes >= enough:
                    break
                if (status := (yield from self._search_near())) not in {EXHAUSTED, NODE_LIMITED}:
                    return status
                yield
            if self.gap >= 0:
                self._lower_bound()
            if (status := (yield from self._widen(node_limit))) != NODE_LIMITED:
                return status
            yield
            near_searches = NEAR_SEARCHES * (node_limit // FIRST_NODE_LIMIT - 1)
            node_limit *= 2

    def improve(self) -> Generator[None, None, None]:
        """Search near the best cover, with no end; yield after each search and each slice."""
        while self.search.state.kept:
            yield from self._search_near()
            yield

    def start_from(self, path: Path, score: int) -> None:
        """Keep a cover that is known already, as the first."""
        kept = self.search.kept
        kept.options[0, : len(path)], kept.length[0] = path, len(path)
        kept.cost[0] = self.scores.reduced(score)
        kept.order[0] = kept.heap[0] = 0
        self.search.state.kept = 1

    def setup(self) -> Setup:
        """Return what parts need to go on from here, with multipliers for all options."""
        state, kept, scores = self.search.state, self.search.kept, self.scores
        whole = self._whole or Multipliers(self.multipliers(), self.base, self.highest)
        reach = self._first_reach(whole.base, whole.highest) if self.terms.prune else UNBOUNDED
        setup = Setup(
            int(state.pairs_compared),
            whole.of_items,
            scores.unit,
            reach,
            whole.highest,
            scores.of(self.base - self.bound),
            self.terms.prune,
            self.factor,
            self.offset,
        )
        is_full = self.terms.prune and state.kept == self.terms.wanted
        return setup.within(scores.of(int(kept.cost[kept.heap[0]])) if is_full else None)

    def _lower_bound(self) -> None:
        """Improve the multipliers; the costs of what is kept rise and fall with their sum."""
        if self._whole:
            self.narrow(self.gap)
        is_known = self._whole and self.gap < UNBOUNDED
        temperature = max(self.gap, self.terms.step) * GAP_FRACTION if is_known else 0.0
        rise, self.highest = self.tighten(SWEEPS, temperature)
        self.search.kept.cost[: self.search.state.kept] += rise
        self.base += rise
        self.bound = min(self.bound, self.base)
        if not self._whole:
            self._whole = Multipliers(self.multipliers(), self.base, self.highest)

    def _search_near(self) -> Generator[None, None, int]:
        """Large-neighbourhood search (Shaw, 1998): free more next time if it was exhausted."""
        status = yield from self.search_near()
        self.freed += 1 if status == EXHAUSTED else -1
        return status

    def _widen(self, node_limit: int) -> Generator[None, None, int]:
        """Search with a reach that doubles from round to round until it is that of the gap.

        A round beyond one that ended at its node limit proves nothing, but may find a first cover.
        """
        looks_further = node_limit == FIRST_NODE_LIMIT or self.gap == UNBOUNDED
        reach = self._first_reach(self.base, self.highest)
        while reach < min(self.highest, self.gap):
            status = yield from self.search_within(reach, node_limit)
            if status == EXHAUSTED:
                self.bound = min(self.bound, self.base - reach - 1)
                if self._is_proven(reach):
                    return status
            elif status != NODE_LIMITED or not looks_further:
                return status
            reach = self._wider(self.base, reach)
            yield
        return (yield from self.search_within(self.gap, node_limit))

    def _first_reach(self, base: int, highest: int) -> int:
        """Return a reach a little above the one that is proven; see LEAST_REACH."""
        step = self.terms.step
        least = max(step, highest * LEAST_REACH, (base - self.bound) * REACH_GROWTH)
        return base % step + -(-int(least) // step) * step

    def _wider(self, base: int, reach: int) -> int:
        """Return twice the reach; scores are multiples of `step`, so reduced costs are, too."""
        step = self.terms.step
        return base % step + reach // step * 2 * step

    def _is_proven(self, reach: int) -> bool:
        """Return whether no cover outside this reach is better than the kept ones."""
        kept = self.search.kept
        is_full = self.search.state.kept == self.terms.wanted
        return bool(is_full and kept.cost[kept.heap[0]] - self.terms.step <= reach)
