"""What is found beside the number of covers while a search visits all of them."""

import random

import numpy as np

from worker.exact_cover.solve import Found
from worker.exact_cover.state import EXHAUSTED, Path, Search

#: covers that a search keeps before they are counted
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
        is_drawn = self._sample and self._covers and found.status == EXHAUSTED
        paths = [(path, 0) for path in (self._drawn if is_drawn else self._first)]
        by_option = self._by_option.tolist() if found.status == EXHAUSTED else None
        return found._replace(paths=paths, by_option=by_option)


def _path(search: Search, place: int) -> Path:
    kept = search.kept
    return tuple(kept.options[place, : kept.length[place]].tolist())
