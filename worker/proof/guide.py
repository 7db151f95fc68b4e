"""The branches and multipliers of a proof, found as the checker's own search asks for them.

The search applies its rules. Where it asks for a name, the multipliers are improved for what is
left there. They are named if they end the branch or settle enough of its options; if not, an option
is named to branch on.
"""

from collections.abc import Sequence

import numpy as np

from worker import exact_cover, set_cover
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ZERO, Int, Integers, Table, Unsigned
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.slices import Slices
from worker.exact_cover.state import UNBOUNDED, Search, terms
from worker.proof import check
from worker.proof.check import State
from worker.proof.tables import set_of
from worker.set_cover.bound import PIVOTS, ROUNDS, price, relax
from worker.set_cover.branch import best_option, smallest
from worker.set_cover.cover import choose, exclude, undo
from worker.set_cover.layout import (
    CHOSEN,
    EXCLUDED,
    FREE,
    Tables,
    new_search,
    step_of,
    tables_of,
    unit_of,
)
from worker.set_cover.linear.simplex import has_basis, number_lines
from worker.set_cover.root import Root
from worker.set_cover.search import search_slice
from worker.set_cover.sweeps import sweep_on
from worker.stopwatch import Stopwatch

#: rounds of sweeps at the root where no option has a cost; and how many sweeps a round has, which
#: are more than in the search, because better multipliers make the proof shorter
ROUNDS_WITHOUT_COSTS, SWEEPS = 30, 12
#: the first and the last temperature of a round, as a share of the gap of bound and budget
FIRST_SHARE, LAST_SHARE = 1 / 20, 1 / 100
#: multipliers are named if they settle more than this share of the options that are left
LEAST_SHARE = 0.1
#: to round all multipliers changes the bound by less than this share of the step between two costs
ROUNDED_SHARE = 1 / 4


@compiled
def place(tables: Tables, search: Search, fate: Table) -> None:
    """Decide about options as `fate` says, and nothing else."""
    undo(tables, search, Unsigned(fate.size))
    for option in range(Unsigned(fate.size)):
        if fate[option] == EXCLUDED:
            exclude(tables, search, option)
    for option in range(Unsigned(fate.size)):
        if fate[option] == CHOSEN and tables.fate[option] == FREE:
            choose(tables, search, option)
    search.state.forced, search.state.dead = ZERO, 0


@compiled
def improved(tables: Tables, search: Search, gap: Int) -> Int:
    """Improve the multipliers by pivots or a round of sweeps; return the bound that they prove."""
    if has_basis(tables):
        relax(tables, search, PIVOTS)
    else:
        sweep_on(tables, search, SWEEPS, gap * FIRST_SHARE, gap * LAST_SHARE, 0)
    return price(tables, search)


@entry(exact_cover.__file__, set_cover.__file__, __file__)
def improve(
    tables: Tables, search: Search, fate: Table, best: Integers, step: Int, rounds: Int
) -> None:
    """Improve the multipliers for what is left, in rounds; `best` gets the best ones.

    What is left at first must have all that is left later.
    """
    place(tables, search, fate)
    if search.state.lines == ZERO:
        number_lines(tables, search)
    most, budget = price(tables, search), search.state.budget
    copy(tables.multiplier, ZERO, best, ZERO, Unsigned(best.size))
    for _ in range(rounds):
        if most > budget:
            break
        bound = improved(tables, search, budget - most + step)
        if bound > most:
            most = bound
            copy(tables.multiplier, ZERO, best, ZERO, Unsigned(best.size))


@entry(exact_cover.__file__, set_cover.__file__, __file__)
def priced(tables: Tables, search: Search) -> tuple[Int, Int]:
    """Return the bound that the multipliers prove, and an option to branch on."""
    bound = price(tables, search)
    return bound, best_option(tables, search, smallest(tables))


class Guide:
    """Answers what a search of the checker asks for."""

    def __init__(self, problem: check.Problem, budget: int | None) -> None:
        """`budget` is what a cover may cost; without it, no option has a cost."""
        search = check.Search(problem)
        left, chosen, *_ = search.settled((problem.allowed, 0, problem.primary, {}))
        self._options = options_of(problem, left | chosen)  #: their numbers in the proof
        self._problem = problem
        given = _numbered(problem, self._options.tolist(), has_costs=budget is not None)
        multiplicities = None
        if not problem.is_set_cover:
            multiplicities = [
                (problem.least[item], min(int(problem.most[item]), len(problem.options)))
                for item in problem.primary
            ]
        self._tables, unit = tables_of(given, multiplicities), unit_of(given)
        self._search, self._step = new_search(given, self._tables, 1), step_of(given)
        parts = int(given.items * unit / (2 * ROUNDED_SHARE * self._step))
        self.parts = min(unit, 1 << parts.bit_length())
        self._scale = unit // self.parts
        self._best = np.zeros(given.items + 1, np.int64)
        self._improve_root(given, self._fate(left, chosen), budget)
        self.multipliers = {
            item: -value for item, value in zip(problem.items, self._rounded()[1:], strict=True)
        }
        self._is_improved = False

    def _improve_root(self, given: Problem, fate: Table, budget: int | None) -> None:
        """Find multipliers for what is left before the first branch."""
        state = self._search.state
        state.sweeps, state.minimal = SWEEPS, self._problem.is_set_cover
        state.until = UNBOUNDED
        if budget is None:
            state.budget = 0
            improve(self._tables, self._search, fate, self._best, self._step, ROUNDS_WITHOUT_COSTS)
            return
        # Without a budget: what it excludes on the way would be missed by the last multipliers.
        state.budget = UNBOUNDED
        improve(self._tables, self._search, fate, self._best, self._step, 0)
        asked = terms(limit=None, keep=1, prune=True, step=self._step)
        slices = Slices(search_slice, self._tables, self._search, asked, Stopwatch())
        root = Root(given, slices, asked.step)
        for _ in root.tighten():
            pass
        self._best[:] = root.multiplier
        state.until, state.budget = UNBOUNDED, budget * self._scale * self.parts

    def __call__(self, state: State) -> str:
        """Return the next name of the proof."""
        left, chosen, _, multipliers = state
        now = np.array([0, *(-multipliers.get(item, 0) for item in self._problem.items)], np.int64)
        fate, rounds = self._fate(left, chosen), 0 if self._is_improved else ROUNDS
        self._tables.multiplier[:] = now * self._scale
        improve(self._tables, self._search, fate, self._best, self._step, rounds)
        if not self._is_improved:
            changes = self._changes(now)
            if changes:
                return changes
            self._tables.multiplier[:] = now * self._scale
        _, option = priced(self._tables, self._search)
        self._is_improved = False
        return f"x{self._options[option] + 1}"

    def _changes(self, now: Integers) -> str:
        """Return the multipliers that are better than those of now, if they settle enough."""
        new, tables, state = self._rounded(), self._tables, self._search.state
        tables.multiplier[:] = new * self._scale
        bound, _ = priced(tables, self._search)
        gap, free = state.budget - bound, tables.order[: state.free]
        settled = np.count_nonzero(np.abs(tables.reduced[free]) > gap)
        if gap >= 0 and settled <= LEAST_SHARE * free.size:
            return ""
        self._is_improved = gap >= 0
        counts = (tables.times < tables.least) | (tables.most < tables.size)
        changed = np.flatnonzero((new != now) & counts).tolist()
        return ",".join(f"{self._problem.items[k - 1]}:{-new[k]}" for k in changed)

    def _rounded(self) -> Integers:
        """Return the best multipliers in the parts of the proof."""
        return (self._best + self._scale // 2) // self._scale

    def _fate(self, left: int, chosen: int) -> Table:
        """Return what has been decided about each option of the kernel."""
        fate = np.full(len(self._problem.options), EXCLUDED, np.uint32)
        fate[options_of(self._problem, left)] = FREE
        fate[options_of(self._problem, chosen)] = CHOSEN
        return fate[self._options]


def options_of(problem: check.Problem, options: int) -> Integers:
    """Return the options of a set, given as the bits of an integer."""
    return np.flatnonzero(set_of(problem, options))


def _numbered(problem: check.Problem, options: Sequence[int], *, has_costs: bool) -> Problem:
    """Return a problem with some of its options, as the kernel takes it."""
    numbers = {item: k for k, item in enumerate(problem.items, 1)}
    chosen = [problem.options[option] for option in options]
    return number(
        len(problem.primary),
        len(problem.items) - len(problem.primary),
        [[numbers[item] for item in items] for items in chosen],
        [-problem.scores[option] * has_costs for option in options],
        [[(numbers[i], c) for i, c in items.items() if c is not None] for items in chosen],
    )
