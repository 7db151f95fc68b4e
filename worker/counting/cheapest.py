"""The cheapest covers of a problem, from a decision diagram of all its covers."""

from collections.abc import Iterator
from itertools import islice
from time import perf_counter_ns, thread_time_ns

import numpy as np

from worker.counting.by_option import PORTION
from worker.counting.diagram import NO_COVER, TooLarge, new_diagram
from worker.counting.entries import least_costs
from worker.counting.order import Piece, pieces
from worker.counting.ranking import BRANCH_BYTES, Priced, ranked
from worker.counting.table import default_memory
from worker.counting.ways import Remembering, States
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import Path

#: covers that are listed between two returns to the caller
COVERS_PER_RETURN = 64


class FromDiagram:
    """A search for the `keep` cheapest covers, which can be stopped and continued.

    The tables take at most half of `memory`, and so do the diagrams. It fails if that is not
    enough, or if more covers are wanted than it can list with that memory.
    """

    def __init__(self, problem: Problem, keep: int, memory: int | None) -> None:
        self.kept: list[tuple[Path, int]] = []  #: the cheapest first: option numbers from 0; cost
        self.nodes = 0  #: search nodes
        self.ns = self.wall_ns = 0  #: CPU time and wall time in nanoseconds
        self.failed = False
        self._slice_ns = 0
        self._steps = self._run(problem, keep, default_memory() if memory is None else memory)

    def advance(self, slice_ns: int) -> bool:
        """Search for about `slice_ns`; return whether all wanted covers are kept."""
        began, cpu_began = perf_counter_ns(), thread_time_ns()
        ended, self._slice_ns = self.failed, slice_ns
        try:
            while not ended and self._slice_ns > 0:
                ended = next(self._steps, True)
                self._slice_ns = began + slice_ns - perf_counter_ns()
        except (TooLarge, MemoryError):
            self.failed = True
        self.wall_ns += perf_counter_ns() - began
        self.ns += thread_time_ns() - cpu_began
        return ended and not self.failed

    def _run(self, problem: Problem, keep: int, memory: int) -> Iterator[bool]:
        """Yield False after each slice of time or less; end when all wanted covers are kept."""
        if 2 * keep * BRANCH_BYTES > memory:
            raise TooLarge
        priced = []
        for piece in pieces(problem):
            share = memory // 2 * piece.options.size // max(1, problem.cost.size)
            way = Remembering(
                piece, States(piece, share), by_size=False, diagram=new_diagram(share, 1)
            )
            nodes = self.nodes
            while not way.advance(self._slice_ns):
                self.nodes = nodes + way.nodes
                yield False
            self.nodes = nodes + way.nodes
            made = _priced(piece, problem, way)
            priced.append(made)
            for begin in range(2, made.root + 1, PORTION):
                end = min(begin + PORTION, made.root + 1)
                least_costs(made.diagram, made.least, made.cost, begin, end)
                yield False
        covers = ranked(priced, keep)
        while some := list(islice(covers, COVERS_PER_RETURN)):
            self.kept += some
            yield False


def warm_up() -> None:
    """Compile what the class needs, or load it from the cache."""
    FromDiagram(number(1, 0, [[1]]), 1, 1 << 12).advance(10**9)


def _priced(piece: Piece, problem: Problem, way: Remembering) -> Priced:
    """Return the diagram that a search has made; `least` is known of its ends only."""
    diagram, root = way.diagram
    least = np.full(root + 2, NO_COVER, np.int64)
    least[1] = 0
    return Priced(diagram, root, least, piece.options, problem.cost[piece.options])
