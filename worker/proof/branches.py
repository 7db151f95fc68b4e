"""The branches of a proof: items in the order in which the checker reads them; and counts."""

import time
from functools import lru_cache

import numpy as np

from worker.compiling.jit import Integers, Table
from worker.errors import WorkerError
from worker.proof.check import Problem
from worker.proof.tables import (
    COUNTING,
    ENDED,
    FEWEST,
    IN_ORDER,
    PAUSED,
    new_tree,
    set_of,
    tables,
    with_costs,
)
from worker.proof.trace import resume, root, start

#: branches of the longest proof; the checker takes some minutes for it
MAX_BRANCHES = 1 << 20
#: branches that one compiled call writes
BRANCHES_PER_CALL = 1 << 14
#: branches times items of options of one compiled call that counts, after which it looks at a clock
ITEMS_PER_CALL = 1 << 23
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

    def root(self, allowed: Table) -> Table:
        """Return the options that are left, and not chosen, before the first branch."""
        tree = self._tree
        root(self.tables, tree, allowed)
        left = tree.left.astype(np.bool_)
        left[tree.chosen[: tree.register.chosen]] = False
        return np.flatnonzero(left).astype(np.uint32)

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
        way = IN_ORDER if in_order else FEWEST
        while True:
            status, written = start(priced, self._tree, allowed, budget, way, self._out)
            found: list[int] = self._out[:written].tolist()
            while status == PAUSED and len(found) <= limit:
                status, written = resume(priced, self._tree, self._out)
                found += self._out[:written].tolist()
            if len(found) > limit:
                raise ProofTooLong(f"its proof has more than {limit:,} branches")
            if status == ENDED:
                return found
            self._tree = new_tree(self.tables, 8 * self._tree.known.size)

    def count(self, allowed: Table, deadline: float) -> int:
        """Return the number of covers, each found; raise TimeoutError if it lasts too long.

        The deadline is a time of `time.monotonic`.
        """
        out = self._out[: max(1, ITEMS_PER_CALL // max(1, self.tables.items.size))]
        status, _ = start(self.tables, self._tree, allowed, 0, COUNTING, out)
        while status != ENDED:
            if time.monotonic() > deadline:
                raise TimeoutError
            status, _ = resume(self.tables, self._tree, out)
        return int(self._tree.register.found)


def count(problem: Problem, options: int) -> int:
    """Return the number of covers by these options; raise TimeoutError after the deadline.

    It counts for the checker of proofs: compiled, and without the solver.
    """
    return _prover(problem).count(set_of(problem, options), problem.deadline)


@lru_cache(1)
def _prover(problem: Problem) -> Prover:
    return Prover(problem)
