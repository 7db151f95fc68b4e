"""The tree of a proof: the compiled search that writes the item of each branch.

It visits the branches in the order in which the checker reads them.
"""

from typing import Any

from worker.compiling.jit import (
    ONE,
    TWO,
    ZERO,
    Int,
    Table,
    Unsigned,
    compiled,
    entry,
    inlined,
)
from worker.proof.tables import (
    ANY_BUDGET,
    COUNTING,
    ENDED,
    FULL,
    IN_ORDER,
    PAUSED,
    Tables,
    Tree,
    begin,
    choose,
    propagate,
    undo,
)

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
        if x.closed[item] == ZERO and x.register.in_order != ZERO:
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
    """Enter the options that are left, with the budget, in the table; return False if known."""
    r, mask = x.register, Unsigned(x.known.size) - ONE
    key = (r.key ^ Unsigned(r.budget) << ONE) | ONE
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
    if r.dead != ZERO or r.budget < 0:
        return
    item = branch_item(t, x)
    if item == t.primary:
        r.found += ONE
    elif r.counting != ZERO or is_new(x):
        out[r.branches] = item
        r.branches += ONE
        level = x.levels[r.depth]
        level.item, level.next = item, t.first_option[item]
        level.removed, level.chosen = r.removed, r.chosen
        level.cheap, level.budget = r.cheap, r.budget
        r.depth += ONE


@compiled
def go_on(t: Tables, x: Tree) -> bool:
    """Choose the next option of the last branch; return False, and close it, if there is none."""
    r = x.register
    level = x.levels[r.depth - ONE]
    undo(t, x, level.removed, level.chosen)
    r.cheap, r.budget = level.cheap, level.budget
    n, end = level.next, t.first_option[level.item + ONE]
    while n < end and x.left[t.having[n]] == ZERO:
        n += ONE
    if n == end:
        r.depth -= ONE
        return False
    level.next = n + ONE
    choose(t, x, Unsigned(t.having[n]))
    propagate(t, x)
    return True


@compiled
def run(t: Tables, x: Tree, out: Table) -> tuple[Int, Int]:
    """Write branches; return why this stopped, and how many were written."""
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


@entry(__file__)
def root(t: Tables, x: Tree, allowed: Table) -> None:
    """Apply the rules, but not that of the budget, to the options that a problem allows."""
    begin(t, x, allowed)


@entry(__file__)
def start(t: Tables, x: Tree, allowed: Table, budget: Int, way: Int, out: Table) -> tuple[Int, Int]:
    """Begin a search for the covers within a budget.

    Write the item of each branch to `out`, in the order of the checker. Return ENDED, or PAUSED if
    `out` is full, or FULL if half of the hash table is; and the number of branches written.
    """
    begin(t, x, allowed)
    r = x.register
    r.budget, r.cheap = budget - (ANY_BUDGET - r.budget), Unsigned(t.by_cost.size)
    r.in_order = ONE if way == IN_ORDER else ZERO
    r.counting = ONE if way == COUNTING else ZERO
    propagate(t, x)
    enter(t, x, out)
    return run(t, x, out)


@entry(__file__)
def resume(t: Tables, x: Tree, out: Table) -> tuple[Int, Int]:
    """Continue a search that was PAUSED; return the same."""
    return run(t, x, out)
