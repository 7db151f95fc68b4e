"""A bound on the cost of covers with multiplicities: Lagrangian relaxation of these.

Give every item a multiplier. The *reduced cost* of an option is its cost less the multipliers of
its items. So a cover costs what its options cost reduced, and each item's multiplier as often as
the item is covered: at least all negative reduced costs, and each multiplier times the item's least
number if it is positive, its greatest if it is negative. That sum is the bound. What a cover costs
beyond it follows from each decision: an option chosen at a positive reduced cost or hidden at a
negative one, an item covered more often than its least number or less often than its greatest.
"""

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.exact_cover.problem import Problem
from worker.multiplicity.layout import Tables

Floats = NDArray[np.float64]

#: sweeps that improve the multipliers, and nodes of options that all of them visit at most
MAX_SWEEPS, MAX_VISITS = 300, 50_000_000
#: the first and the last step, as a share of the gap to the cost that the bound is hoped to reach;
#: and the sweeps without progress after which a step is halved
FIRST_STEP, LAST_STEP, PATIENCE = 1.0, 1 / 256, 4
#: by what share the bound is hoped to rise while no cover is known
HOPE = 0.05


class Relaxation:
    """A problem whose multiplicities are relaxed, and the best multipliers so far."""

    def __init__(self, problem: Problem, tables: Tables) -> None:
        self._members, self._option = problem.members, problem.option_of_member
        self._cost = problem.cost
        self._most = tables.room.copy()
        self._least = tables.room - tables.span
        self._multiplier: Floats = np.zeros(tables.room.size)
        self._best = self._multiplier
        self._highest = -np.inf
        self._factor, self._stalled = FIRST_STEP, 0
        self.left = max(1, min(MAX_SWEEPS, MAX_VISITS // (self._members.size + 1)))

    def sweep(self, known: int | None) -> None:
        """Improve all multipliers once; `known` is the cost of a cover, if one is known."""
        self.left -= 1
        reduced = self._cost - self._charged(self._multiplier)
        value = self._of_items(self._multiplier).sum() + np.minimum(reduced, 0).sum()
        self._note(float(value))
        slope = self._slope(reduced)
        square = float((slope * slope).sum())
        if square == 0 or self._factor < LAST_STEP:
            self.left = 0
            return
        hoped = self._highest + HOPE * abs(self._highest) + 1 if known is None else known
        change = self._factor * max(hoped - value, 1.0) / square * slope
        moved = self._multiplier + change
        is_kink = (self._least < self._most) & (self._multiplier * moved < 0)
        self._multiplier = np.where(is_kink, 0.0, moved)

    def price(self, tables: Tables) -> int:
        """Let decisions cost what they cost beyond the bound, and return the bound.

        The best multipliers are rounded to integers, so the bound has no rounding error.
        """
        multiplier = np.rint(self._best).astype(np.int64)
        reduced = self._cost - self._charged(multiplier).astype(np.int64)
        tables.chosen_cost[:], tables.hidden_cost[:] = np.maximum([reduced, -reduced], 0)
        tables.excess_cost[:], tables.lack_cost[:] = np.maximum([multiplier, -multiplier], 0)
        return int(self._of_items(multiplier).sum() + np.minimum(reduced, 0).sum())

    def _charged(self, multiplier: Floats | Integers) -> Floats:
        """Return per option the sum of the multipliers of its items."""
        weights = multiplier[self._members].astype(np.float64)
        return np.asarray(np.bincount(self._option, weights, self._cost.size), np.float64)

    def _of_items(self, multiplier: Floats | Integers) -> Floats:
        return np.asarray(multiplier * np.where(multiplier > 0, self._least, self._most))

    def _slope(self, reduced: Floats) -> Floats:
        """Return per item by how much the bound rises if its multiplier rises by 1."""
        taken = (reduced < 0).astype(np.float64)
        times = np.bincount(self._members, taken[self._option], self._most.size)
        above, below = self._least - times, self._most - times
        outside = np.maximum(above, 0) + np.minimum(below, 0)
        sign = self._multiplier
        return np.where(sign > 0, above, np.where(sign < 0, below, outside))

    def _note(self, value: float) -> None:
        """Remember the best multipliers, and halve the step after sweeps without progress."""
        if value > self._highest:
            self._highest, self._best, self._stalled = value, self._multiplier, 0
            return
        self._stalled += 1
        if self._stalled == PATIENCE:
            self._factor, self._stalled = self._factor / 2, 0
