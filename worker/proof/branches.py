"""The branches of a proof: a compiled search that writes the item of each; or counts the covers.

It visits the branches in the order in which the checker reads them.
"""

import time
from functools import lru_cache
from typing import Any

import numpy as np

from worker.compiling.entry import entry
from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Table, Unsigned
from worker.errors import WorkerError
from worker.proof.check import Problem
from worker.proof.tables import (
    Tables,
    Tree,
    begin,
    choose,
    new_tree,
    propagate,
    set_of,
    tables,
    undo,
)

#: why a search stopped: it has ended, or there is no room for further branches, or for states
ENDED, PAUSED, FULL = range(3)
#: ways of a search: branch on an item with the fewest options left; or on the first open item; or
#: on the former, also in known states, which counts the covers
FEWEST, IN_ORDER, COUNTING = map(Unsigned, range(3))
#: branches of the longest proof; the checker takes some minutes for it
MAX_BRANCHES = 1 << 20
#: branches that one compiled call writes
BRANCHES_PER_CALL = 1 << 14
#: branches times items of options of one compiled call that counts, after which it looks at a clock
ITEMS_PER_CALL = 1 << 23
#: entries of the hash table of states, at first
STATES = 1 << 10
#: more than the options that any item has left
UNLIMITED: Any = Unsigned(2**32)
#: items with two options left whose reach is compared
COMPARED = Unsigned(12)


@compiled
def branch_item(t: Tables, x: Tree) -> Int:
    """Return the item to branch on, or `primary` if all items are covered.

    Either it is the first open item, or one of those with the fewest options left: the first one
    whose options have the greatest reach.
    """
    best: Int = t.primary
    fewest, widest, compared = UNLIMITED, ZERO, ZERO
    for item in range(t.primary):
        if x.closed[item] == ZERO and x.register.way == IN_ORDER:
            return item
        if x.closed[item] == ZERO and x.options_left[item] <= fewest:
            if x.options_left[item] < fewest:
                best, fewest, widest, compared = item, Unsigned(x.options_left[item]), ZERO, ZERO
            wide = reach(t, x, item)
            if wide > widest:
                best, widest = item, wide
            compared += ONE
            if fewest == TWO and compared == COMPARED:
                break
    return best


@inlined
def reach(t: Tables, x: Tree, item: Int) -> Int:
    """Return how many options the items of an item's options have together."""
    total = ZERO
    for n in range(t.first_option[item], t.first_option[item + ONE]):
        option = Unsigned(t.having[n])
        if x.left[option] != ZERO:
            for k in range(t.first_item[option], t.first_item[option + ONE]):
                total += x.options_left[t.items[k]]
    return total


@compiled
def is_new(x: Tree) -> bool:
    """Enter the options that are left in the table; return False if they are known."""
    r, mask = x.register, Unsigned(x.known.size) - ONE
    key = r.key | ONE
    place = (key >> Unsigned(20)) & mask
    while x.known[place] != ZERO:
        if x.known[place] == key:
            return False
        place = (place + ONE) & mask
    x.known[place] = key
    r.known += ONE
    return True


@compiled
def enter(t: Tables, x: Tree, out: Table) -> None:
    """Begin a branch for the options that are left, unless they need none."""
    r = x.register
    if r.dead != ZERO:
        return
    item = branch_item(t, x)
    if item == t.primary:
        r.found += ONE
    elif r.way == COUNTING or is_new(x):
        out[r.branches] = item
        r.branches += ONE
        level = x.levels[r.depth]
        level.branch, level.next = item, t.first_option[item]
        level.removed, level.chosen = r.removed, r.chosen
        r.depth += ONE


@compiled
def go_on(t: Tables, x: Tree) -> bool:
    """Choose the next option of the last branch; return False, and close it, if there is none."""
    r = x.register
    level = x.levels[r.depth - ONE]
    undo(t, x, level.removed, level.chosen)
    n, end = level.next, t.first_option[level.branch + ONE]
    while n < end and x.left[t.having[n]] == ZERO:
        n += ONE
    if n == end:
        r.depth -= ONE
        return False
    level.next = n + ONE
    choose(t, x, Unsigned(t.having[n]))
    propagate(t, x)
    return True


@entry(__file__)
def start(t: Tables, x: Tree, allowed: Table, way: Int, out: Table) -> None:
    """Begin a search for all covers, which `advance` goes on with."""
    begin(t, x, allowed)
    x.register.way = way
    enter(t, x, out)


@entry(__file__)
def advance(t: Tables, x: Tree, out: Table) -> tuple[Int, Int]:
    """Write the items of further branches to `out`, in the order of the checker.

    Return ENDED, or PAUSED if `out` is full, or FULL if half of the hash table is; and the number
    of items in `out`.
    """
    r = x.register
    room, states = Unsigned(out.size), Unsigned(x.known.size) // TWO
    while r.depth > ZERO and r.branches < room and r.known < states:
        if go_on(t, x):
            enter(t, x, out)
    written = r.branches
    r.branches = ZERO
    if r.depth == ZERO:
        return ENDED, written
    return (PAUSED if r.known < states else FULL), written


class ProofTooLong(WorkerError):
    """A proof would have too many branches."""


class Prover:
    """Finds branches for problems that have the same options, of which some are allowed."""

    def __init__(self, problem: Problem) -> None:
        self.tables = tables(problem)
        self._tree = new_tree(self.tables, STATES)
        self._out = np.zeros(BRANCHES_PER_CALL, np.uint32)

    def branches(
        self,
        allowed: Table,
        *,
        in_order: bool = False,
        limit: int = MAX_BRANCHES,
    ) -> list[int]:
        """Return the branches of all covers; raise ProofTooLong.

        They are on items with the fewest options left, or on the first open item: then many states
        repeat where there are many covers, and none needs its branches twice.
        """
        way = IN_ORDER if in_order else FEWEST
        while True:
            start(self.tables, self._tree, allowed, way, self._out)
            status, found = PAUSED, list[int]()
            while status == PAUSED and len(found) <= limit:
                status, written = advance(self.tables, self._tree, self._out)
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
        start(self.tables, self._tree, allowed, COUNTING, out)
        status = PAUSED
        while status != ENDED:
            if time.monotonic() > deadline:
                raise TimeoutError
            status, _ = advance(self.tables, self._tree, out)
        return int(self._tree.register.found)


def count(problem: Problem, options: int) -> int:
    """Return the number of covers by these options; raise TimeoutError after the deadline.

    It counts for the checker of proofs: compiled, and without the solver.
    """
    return _prover(problem).count(set_of(problem, options), problem.deadline)


_prover = lru_cache(1)(Prover)
