"""The bound at the root: multipliers, improved by sweeps for as long as that helps."""

from collections.abc import Generator, Sequence

import numpy as np

from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Scores, Setup
from worker.exact_cover.slices import Slices
from worker.exact_cover.state import UNBOUNDED, Terms
from worker.set_cover.layout import Multiplicity, Tables, new_search, tables_of, unit_of
from worker.set_cover.search import search_slice
from worker.set_cover.vertex_cover.conflicts import has_edges
from worker.stopwatch import Stopwatch

#: sweeps of the first two series; each further pair has twice as many, up to a most
FIRST_SWEEPS, MOST_SWEEPS = 40, 1280
#: the first temperatures of both series, in average costs of an option, and by what each is divided
TEMPERATURES, COOLING = (0.7, 0.007), 100
#: a pair is the last if the bound has risen by less than this share of itself, or of the gap
LEAST_RISE, LEAST_OF_GAP = 0.002, 0.02
#: the first reach of the search as a share of the bound
FIRST_REACH = 0.002
#: sweeps for the most that covers can cost, and nodes of options that all of them visit, at most
SWEEPS_FOR_MOST, MAX_VISITS = 200, 10_000_000


class Root:
    """What is proven at the root of a search; costs are in units."""

    def __init__(self, problem: Problem, slices: Slices[Tables], step: int) -> None:
        """The costs of all covers are multiples of `step`."""
        self._problem, self._slices, self._tables, self._step = problem, slices, slices.tables, step
        self.multiplier = self._tables.multiplier.copy()  #: those of the best bound
        average = int(np.abs(problem.cost).sum()) * unit_of(problem) / max(1, problem.cost.size)
        self._sweeps = FIRST_SWEEPS  #: of the next two series
        self._temperatures = [average * times for times in TEMPERATURES]

    @property
    def least(self) -> int:
        """The least cost that the bound allows."""
        return -(-int(self._slices.search.state.bound) // self._step) * self._step

    def first_reach(self) -> int:
        """Return how far from the bound the search looks first.

        In a graph it looks for covers that cost no more than the bound: cliques decide most then.
        """
        is_graph = has_edges(self._slices.search)
        steps = 0 if is_graph else int(abs(self.least) * FIRST_REACH) // self._step
        return max(1, steps) * self._step

    def setup(self) -> Setup:
        """Return what the parts of the search need to go on with this round."""
        problem, unit = self._problem, unit_of(self._problem)
        least, budget = self.least, int(self._slices.search.state.budget)
        return Setup(
            pairs_compared=0,
            multipliers=tuple(self.multiplier.tolist()),
            scores=Scores(-least, unit, problem.factor, problem.offset),
            reach=max(self._step, budget - least),
            highest=int(np.abs(self._tables.cost).sum()),
            bound=problem.score(least // unit),
            is_pruned=True,
        )

    def tighten(self, most: int = MOST_SWEEPS) -> Generator[None]:
        """Improve the bound, by ever longer series of sweeps, up to `most`, while that helps."""
        state = self._slices.search.state
        while self._sweeps <= most and not (state.dead or self._slices.watch.is_over):
            before = int(state.swept)
            yield from self.sweep(self._sweeps)
            rise, gap = int(state.swept) - before, int(state.budget) - int(state.swept)
            helps = rise >= min(LEAST_RISE * abs(int(state.swept)), LEAST_OF_GAP * gap)
            self._sweeps = 2 * self._sweeps if helps else MOST_SWEEPS + 1
        self._tables.multiplier[:] = self.multiplier

    def sweep(self, sweeps: int) -> Generator[None]:
        """Improve the multipliers by two series of sweeps."""
        state, watch = self._slices.search.state, self._slices.watch
        for first in self._temperatures:
            state.first, state.last = max(1.0, first), max(1.0, first / COOLING)
            state.root_sweeps = sweeps
            while state.root_sweeps > 0 and not watch.is_over:
                before = int(state.swept)
                self._slices.advance(watch.slice_ns)
                if state.swept > before:
                    self.multiplier[:] = self._tables.multiplier
                yield
            state.root_sweeps = 0


def dearest(
    problem: Problem,
    multiplicities: Sequence[Multiplicity] | None,
    asked: Terms,
    watch: Stopwatch,
) -> Generator[None, None, int]:
    """Return a cost in units that no cover exceeds: the bound on the least negated cost."""
    opposite = problem._replace(cost=-problem.cost)
    tables = tables_of(opposite, multiplicities)
    search = new_search(opposite, tables, room=1)
    root = Root(opposite, Slices(search_slice, tables, search, asked, watch), asked.step)
    search.state.sweeps = 1
    yield from root.sweep(min(SWEEPS_FOR_MOST, MAX_VISITS // (problem.members.size + 1)))
    least = int(search.state.swept)
    return UNBOUNDED if search.state.dead else -least // asked.step * asked.step
