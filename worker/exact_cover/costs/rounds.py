"""The best score, proven by rounds of search below a bound that dual multipliers give.

A round visits the covers whose score is within `reach` of the bound, and leaves out every option
whose reduced cost exceeds that. The first reach is about one point, and each round doubles it,
until as many covers are kept as are wanted and no better one can exist. A round also has a node
limit; if it ends there, the next round looks further all the same. After the round that left
nothing out, some short searches look near the best cover so far, the multipliers are improved once
more, and the rounds begin again with twice the node limit: restarts with a node limit (Walsh,
*Search in a small world*, 1999). A round that ends at its node limit, and a search near a cover,
prove nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator

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
FIRST_NODE_LIMIT = 1 << 14
#: searches near the best cover after rounds of FIRST_NODE_LIMIT nodes; more after longer rounds
NEAR_SEARCHES = 32
#: the node limit of a search near the best cover
NEAR_NODE_LIMIT = 1 << 12
#: parts of the best cover that the first search near it sets free
FIRST_FREED = 4


class Rounds(ABC):
    """A search for the best score; a subclass lays out its problem for each round."""

    def __init__(self, terms: Terms, search: Search, base: int, bound: int) -> None:
        self.terms = terms
        self.search = search
        self.base = base  #: the sum of the multipliers: a cover scores this less its reduced costs
        self.bound = bound  #: no cover that was not visited scores more
        self.highest = 0  #: the highest reduced cost of an option
        self.freed = FIRST_FREED  #: parts of the best cover that the next search near it sets free

    @abstractmethod
    def tighten(self) -> tuple[int, int]:
        """Improve the multipliers.

        Return by how much their sum rose, and the highest reduced cost of an option.
        """

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
            self._lower_bound()
            for _ in range(near_searches if self.search.state.kept else 0):
                if (status := (yield from self._search_near())) not in {EXHAUSTED, NODE_LIMITED}:
                    return status
                yield
            if (status := (yield from self._widen(node_limit))) != NODE_LIMITED:
                return status
            yield
            near_searches = NEAR_SEARCHES * node_limit // FIRST_NODE_LIMIT
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
        kept.cost[0] = self.base - score * self.terms.step
        kept.order[0] = kept.heap[0] = 0
        self.search.state.kept = 1

    def setup(self, multipliers: tuple[int, ...]) -> Setup:
        """Return what parts need to go on from here; `multipliers` are those of the items."""
        state, kept, step = self.search.state, self.search.kept, self.terms.step
        scores, best = Scores(self.base, step), None
        if state.kept == self.terms.wanted:
            best = scores.of(int(kept.cost[kept.heap[0]]))
        compared, bound, pruned = int(state.pairs_compared), self.bound // step, self.terms.prune
        reach = self._first_reach() if pruned else UNBOUNDED
        setup = Setup(compared, multipliers, step, reach, self.highest, bound, pruned)
        return setup.within(best if pruned else None)

    def _lower_bound(self) -> None:
        """Improve the multipliers; the costs of what is kept rise and fall with their sum."""
        rise, self.highest = self.tighten()
        self.search.kept.cost[: self.search.state.kept] += rise
        self.base += rise
        self.bound = min(self.bound, self.base)

    def _search_near(self) -> Generator[None, None, int]:
        """Large-neighbourhood search (Shaw, 1998): free more next time if it was exhausted."""
        status = yield from self.search_near()
        self.freed += 1 if status == EXHAUSTED else -1
        return status

    def _widen(self, node_limit: int) -> Generator[None, None, int]:
        """Search with a reach that doubles from round to round until nothing is left out."""
        reach = self._first_reach()
        while reach < self.highest:
            status = yield from self.search_within(reach, node_limit)
            if status == EXHAUSTED:
                self.bound = min(self.bound, self.base - reach - 1)
                if self._is_proven(reach):
                    return status
            elif status != NODE_LIMITED:
                return status
            reach = self._wider(reach)
            yield
        return (yield from self.search_within(UNBOUNDED, node_limit))

    def _first_reach(self) -> int:
        """Return the least reach for which nothing is proven yet."""
        reach = self.base % self.terms.step + self.terms.step
        while self.base - reach > self.bound:
            reach = self._wider(reach)
        return reach

    def _wider(self, reach: int) -> int:
        """Return twice the reach; scores are multiples of `step`, so reduced costs are, too."""
        step = self.terms.step
        return self.base % step + reach // step * 2 * step

    def _is_proven(self, reach: int) -> bool:
        """Return whether no cover outside this reach is better than the kept ones."""
        kept = self.search.kept
        is_full = self.search.state.kept == self.terms.wanted
        return bool(is_full and kept.cost[kept.heap[0]] - self.terms.step <= reach)
