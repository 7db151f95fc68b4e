"""Find covers with multiplicities, in slices of time: any of them, or all."""

import random
from collections.abc import Generator, Iterator, Sequence

import numpy as np

from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNLIMITED, Path, Search, Terms, terms
from worker.multiplicity.layout import new_search, tables_of
from worker.multiplicity.search import search_slice
from worker.set_cover.layout import Multiplicity
from worker.stopwatch import Stopwatch

#: covers that a search keeps before they are tallied
ROOM = 1 << 12


class Tally:
    """Counts the covers that have each option, and draws some of them at random.

    Every cover that is drawn is drawn from all of them: it is a reservoir of one (Vitter, *Random
    sampling with a reservoir*, 1985).
    """

    def __init__(self, options: int, sample: int = 0, seed: int = 0) -> None:
        self._by_option = np.zeros(options, np.int64)
        self._sample = sample
        self._chance = random.Random(seed)  # noqa: S311 # no secret depends on it
        self._covers = 0
        self._first: list[Path] = []
        self._drawn: list[Path] = [()] * sample

    def add(self, search: Search) -> None:
        """Count the covers that a search keeps, and empty their places."""
        kept, count = search.kept, int(search.state.kept)
        if count == 0:
            return
        options, length = kept.options[:count], kept.length[:count]
        used = options[np.arange(options.shape[1]) < length[:, None]]
        self._by_option += np.bincount(used, minlength=self._by_option.size)
        self._first = self._first or [_path(search, 0)]
        self._covers += count
        for place in range(self._sample):
            if self._chance.randrange(self._covers) < count:
                self._drawn[place] = _path(search, self._chance.randrange(count))
        search.state.kept = 0

    def added_to(self, found: Found) -> Found:
        """Return the result of a search with what was counted, if it has visited every cover."""
        is_drawn = self._sample and self._covers and found.status == stops.EXHAUSTED
        paths = [(path, 0) for path in (self._drawn if is_drawn else self._first)]
        by_option = self._by_option.tolist() if found.status == stops.EXHAUSTED else None
        return found._replace(paths=paths, by_option=by_option)


def _path(search: Search, place: int) -> Path:
    kept = search.kept
    return tuple(kept.options[place, : kept.length[place]].tolist())


def solve(
    problem: Problem,
    multiplicities: Sequence[Multiplicity],
    *,
    limit: int | None = None,
    keep: int = 1,
) -> Found:
    """Return the result of a search without a time limit; see `in_slices`."""
    return next(one for one in in_slices(problem, multiplicities, limit=limit, keep=keep) if one)


def in_slices(
    problem: Problem,
    multiplicities: Sequence[Multiplicity],
    *,
    limit: int | None = None,
    keep: int = 1,
    watch: Stopwatch | None = None,
    tally: Tally | None = None,
) -> Iterator[Found | None]:
    """Find covers in which each primary item occurs as often as its multiplicity allows.

    Yield None after each slice of time but the last, then the result. At most `limit` covers are
    visited, and the first `keep` of them kept, or those that `tally` draws; costs do not count.
    """
    asked = terms(limit=limit, keep=UNLIMITED if tally else keep, costly=False)
    run = Run(problem.without_costs, multiplicities, asked, watch or Stopwatch(), tally)
    status = yield from run.search()
    found = run.found(status)
    yield tally.added_to(found) if tally else found


def visit_all(
    problem: Problem,
    multiplicities: Sequence[Multiplicity],
    *,
    keep: int = 1,
    watch: Stopwatch | None = None,
) -> Iterator[Found | None]:
    """Visit every cover, and keep the `keep` cheapest; yield as `in_slices` does."""
    asked = terms(limit=None, keep=keep)
    run = Run(problem, multiplicities, asked, watch or Stopwatch())
    status = yield from run.search()
    yield run.found(status).bounded(0)


def warm_up() -> None:
    """Compile what covers with multiplicities need, or load it from the cache."""
    solve(number(1, 0, [[1]]), [(1, 1)])


class Run:
    """A search for covers with multiplicities."""

    def __init__(
        self,
        problem: Problem,
        multiplicities: Sequence[Multiplicity],
        asked: Terms,
        watch: Stopwatch,
        tally: Tally | None = None,
    ) -> None:
        self._tally = tally
        search = new_search(problem, multiplicities, ROOM if tally else asked.first_room)
        tables = tables_of(problem, multiplicities)
        self.slices = Slices(search_slice, tables, search, asked, watch)

    def found(self, status: int) -> Found:
        """Return what was found until now."""
        return Found.of(status, self.slices.search, self.slices.watch)

    def search(self) -> Generator[None, None, int]:
        """Search to the end; yield after each slice, return why the search stopped."""
        status = yield from self.slices.run(self._read)
        self._read(status)
        return status

    def _read(self, status: int) -> bool:
        """Let the tally, if there is one, empty a search that is full or has ended; never stop."""
        if self._tally and status != stops.PAUSED:
            self._tally.add(self.slices.search)
        return False
