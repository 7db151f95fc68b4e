"""A solver of exact cover problems in plain Python, whose searches stop after so many nodes.

It shares nothing with the kernel but the types of its results, so it is an oracle for what delivers
and stores parts; and each of its turns is as short as a test wants it.
"""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from math import inf

from storage.values import Candidate, Kind
from worker.exact_cover.parts.frontier import Frontier, Level, decode
from worker.options import Options
from worker.outcome import Incumbent, Known, Outcome, Outcomes, Rest, Solution, Turn


class Walk:
    """A depth-first walk through the search tree of a problem, or of a part of it."""

    def __init__(self, text: str, levels: str = "[]") -> None:
        problem = json.loads(text)
        self.items = range(1, problem["items"] + 1)
        self.options = [frozenset(option) for option in problem["options"]]
        self.costs = problem.get("costs", [0] * len(self.options))
        self.levels = [(one.item, one.branching, list(one.options)) for one in decode(levels)]
        if levels == "[]":
            self._descend()

    @property
    def frontier(self) -> Frontier | None:
        """What is left; None if nothing is."""
        left = tuple(Level(item, width, tuple(some)) for item, width, some in self.levels)
        return Frontier(left) if left else None

    def step(self) -> Candidate | None:
        """Enter the next node; return its solution if it is one."""
        if self._descend():
            return None
        path = tuple(options[0] for _, _, options in self.levels)
        is_cover = set().union(*(self.options[k] for k in path)).issuperset(self.items)
        while self.levels:  # go back to the next option that was not tried
            self.levels[-1][2].pop(0)
            if self.levels[-1][2]:
                break
            self.levels.pop()
        numbers = " ".join(str(k + 1) for k in sorted(path))
        score = -sum(self.costs[k] for k in path)
        return Candidate(score, path, numbers) if is_cover else None

    def _descend(self) -> bool:
        """Add a level for the item with the fewest options; return False if none can be added."""
        covered = set().union(*(self.options[options[0]] for _, _, options in self.levels))
        free = [k for k, option in enumerate(self.options) if covered.isdisjoint(option)]
        left = [item for item in self.items if item not in covered]
        branches = [(item, [k for k in free if item in self.options[k]]) for item in left]
        item, options = min(branches, key=lambda branch: len(branch[1]), default=(0, []))
        if options:
            self.levels.append((item, len(options), options))
        return bool(options)


@dataclass
class Toy:
    """The solver: `search` and `search_part`, with budgets and turns of a number of nodes."""

    nodes: int
    fault: Callable[[], None] | None = None  #: happens in the middle of a turn
    event: Callable[[], None] | None = None  #: happens at the beginning of a turn
    budgets: list[float] = field(default_factory=list)  #: that it was given for whole puzzles

    def search(
        self, kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        self.budgets.append(budget)
        for text in texts:
            walk = Walk(text)
            turn = self._walk(walk, options, None)
            kept = tuple(Solution(one.text, one.score) for one in turn.kept)
            complete = turn.frontier is None and not turn.limited
            rest = turn.frontier and Rest(turn.frontier, "", turn.kept)
            size, bound = len(walk.items), turn.kept[0].score if turn.kept else None
            is_pruned = options.target and not options.every and len(kept) == options.keep
            solutions = None if is_pruned else turn.found
            found = (solutions, complete, False, kept, bound, turn.nodes, turn.ns, None, rest)
            yield Outcomes.of([Outcome("cover", size, None, *found)])

    def search_part(
        self,
        kind: Kind,
        text: str,
        options: Options,
        setup: str,
        levels: str,
        seconds: float,
        incumbent: Incumbent,
        slice_seconds: float = 0.25,
        known: Known | None = None,
    ) -> Generator[Turn | None, bool | None]:
        if self.event:
            self.event()
        return self._turn(Walk(text, levels), options, incumbent)

    def _turn(
        self, walk: Walk, options: Options, incumbent: Incumbent
    ) -> Generator[Turn | None, bool | None]:
        if self.fault:
            self.fault()
        yield None
        yield self._walk(walk, options, incumbent)

    def _walk(self, walk: Walk, options: Options, incumbent: Incumbent | None) -> Turn:
        nodes, found, wanted = 0, 0, list[Candidate]()
        prunes = options.target and not options.every
        best = incumbent.best() if incumbent and prunes else None
        limit = inf if options.target or options.limit is None else options.limit
        while walk.levels and nodes < self.nodes and found < limit:
            nodes += 1
            solution = walk.step()
            if solution is None:
                continue
            score = solution.score if options.target else None
            if best is None or score is None or score > best:
                found += 1
                wanted.append(solution._replace(score=score))
        wanted.sort(key=lambda one: (-(one.score or 0), one.path))
        kept = tuple(wanted[: options.keep])
        if incumbent and options.target and len(kept) == options.keep:
            incumbent.offer(kept[-1].score or 0)
        frontier = walk.frontier if found < limit else None
        return Turn(found, nodes, 1000 * nodes, 1000 * nodes, kept, frontier, found >= limit)
