"""The branches of a proof: items in the order in which the checker reads them."""

import time

import numpy as np

from worker.compiling.jit import Integers, Table
from worker.errors import WorkerError
from worker.proof.check import Problem
from worker.proof.tables import new_tree, tables, with_costs
from worker.proof.trace import afford, begin, trace

#: branches of the longest proof; the checker takes some minutes for so many
MAX_BRANCHES = 1 << 20
#: branches that one compiled call writes
BRANCHES_PER_CALL = 1 << 14
#: entries of the hash table of states, at first
STATES = 1 << 10


class ProofTooLong(WorkerError):
    """A proof would have too many branches."""


class Prover:
    """Finds branches for problems that have the same options, of which some are allowed."""

    def __init__(self, problem: Problem) -> None:
        self.tables = tables(problem)
        self._tree = new_tree(self.tables, STATES)
        self._out = np.zeros(BRANCHES_PER_CALL, np.uint32)

    def root(self, allowed: Table) -> tuple[Table, Table]:
        """Return the options that are chosen before the first branch, and those that are left."""
        tree = self._tree
        begin(self.tables, tree, allowed, False, False)
        chosen = tree.chosen[: tree.register.chosen]
        left = tree.left.astype(np.bool_)
        left[chosen] = False
        return chosen.copy(), np.flatnonzero(left).astype(np.uint32)

    def branches(
        self,
        allowed: Table,
        cost: Integers | None = None,
        budget: int = 0,
        *,
        in_order: bool = False,
        limit: int = MAX_BRANCHES,
    ) -> list[int]:
        """Return the branches of all covers that cost at most `budget`; raise ProofTooLong.

        They are on items with the fewest options left, or on the first open item: then many states
        repeat where there are many covers, and none needs its branches twice.
        """
        priced = self.tables if cost is None else with_costs(self.tables, cost)
        while True:
            begin(self.tables, self._tree, allowed, in_order, False)
            if cost is not None:
                chosen = self._tree.chosen[: self._tree.register.chosen]
                afford(priced, self._tree, budget - int(cost[chosen].sum()))
            found: list[int] = []
            ended = False
            while not ended and self._has_room():
                ended = trace(priced, self._tree, self._out)
                found += self._written()
                if len(found) > limit:
                    raise ProofTooLong(f"its proof has more than {limit:,} branches")
            if ended:
                return found
            self._tree = new_tree(self.tables, 8 * self._tree.known.size)

    def count(self, allowed: Table, deadline: float) -> int:
        """Return the number of covers, each found; raise TimeoutError if it lasts too long.

        The deadline is a time of `time.monotonic`.
        """
        begin(self.tables, self._tree, allowed, False, True)
        while not trace(self.tables, self._tree, self._out):
            self._written()
            if time.monotonic() > deadline:
                raise TimeoutError
        return int(self._tree.register.found)

    def _has_room(self) -> bool:
        """Return whether the table of states has room; else the search begins again."""
        return bool(2 * self._tree.register.known < self._tree.known.size)

    def _written(self) -> list[int]:
        """Take the branches that the search has written."""
        register = self._tree.register
        written: list[int] = self._out[: register.branches].tolist()
        register.branches = 0
        return written
