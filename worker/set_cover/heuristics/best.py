"""The cheapest covers that were met so far, in whatever way."""

from heapq import heappush, heappushpop

from worker.exact_cover.state import Path, Terms


class Best:
    """The cheapest covers so far: option numbers from 0, ascending."""

    def __init__(self, asked: Terms) -> None:
        #: if all covers are counted, one is enough until time runs out
        self.wanted = asked.wanted if asked.prune else max(1, asked.limit)
        self._heap: list[tuple[int, Path]] = []  #: the dearest first, by their costs negated
        self._paths: set[Path] = set()

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def worst(self) -> int | None:
        """What the dearest costs if there are as many as wanted; only cheaper ones matter then."""
        return -self._heap[0][0] if len(self._heap) == self.wanted else None

    def add(self, path: Path, cost: int) -> None:
        """Add a cover unless it is here; if there are too many, remove the dearest."""
        if path in self._paths:
            return
        self._paths.add(path)
        if len(self._heap) < self.wanted:
            heappush(self._heap, (-cost, path))
        else:
            self._paths.remove(heappushpop(self._heap, (-cost, path))[1])

    def merged(self, others: list[tuple[Path, int]]) -> list[tuple[Path, int]]:
        """Return these covers and others, each once, the cheapest first."""
        every = {path: -cost for cost, path in self._heap} | dict(others)
        return sorted(every.items(), key=lambda one: (one[1], one[0]))
