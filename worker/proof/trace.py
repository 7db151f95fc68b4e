"""The tree of a proof: the compiled search that writes the item of each branch.

It applies the rules of `check` with tables of its own: where the checker has the options that are
left as the bits of one integer, this one counts the options that each item has left, and undoes
what it removed.
"""

from pathlib import Path
from typing import Any

from worker.compiling import jit
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
    source_digest,
)
from worker.proof.tables import CHEAP, CHOSEN, ITEM, LEVEL, NEXT, REMOVED, Tables, Tree

#: more than the options that any item has left
UNLIMITED: Any = Unsigned(2**32)

#: items with two options left whose reach is compared
COMPARED = Unsigned(12)


@inlined
def remove(t: Tables, x: Tree, option: Int) -> None:
    """Remove an option from the items that it has."""
    r = x.register
    x.left[option] = ZERO
    r.key ^= t.key[option]
    x.removed[r.removed] = option
    r.removed += ONE
    for k in range(t.first_item[option], t.first_item[option + ONE]):
        item = t.items[k]
        count = x.options_left[item] - ONE
        x.options_left[item] = count
        if count <= ONE and item < t.primary and x.closed[item] == ZERO:
            x.single[r.single] = item
            r.single += ONE
            if count == ZERO:
                r.dead = ONE


@compiled
def choose(t: Tables, x: Tree, option: Int) -> None:
    """Choose an option: its items are covered, and options that clash with it go."""
    r = x.register
    x.chosen[r.chosen] = option
    r.chosen += ONE
    r.budget -= t.cost[option]
    r.key ^= t.key[option]
    for k in range(t.first_item[option], t.first_item[option + ONE]):
        x.closed[t.items[k]] = ONE
    for k in range(t.first_item[option], t.first_item[option + ONE]):
        item, colour = t.items[k], t.colour[k]
        if x.options_left[item] > ONE:
            for n in range(t.first_option[item], t.first_option[item + ONE]):
                other = Unsigned(t.having[n])
                clashes = colour == ZERO or t.colour_of[n] != colour
                if clashes and x.left[other] != ZERO and other != option:
                    remove(t, x, other)


@compiled
def propagate(t: Tables, x: Tree) -> None:
    """Cover items that have one option left, and remove options above the budget."""
    r = x.register
    while r.dead == ZERO and r.budget >= 0:
        if r.single > ZERO:
            r.single -= ONE
            item = Unsigned(x.single[r.single])
            if x.closed[item] == ZERO:
                n = Unsigned(t.first_option[item])
                while x.left[t.having[n]] == ZERO:
                    n += ONE
                choose(t, x, Unsigned(t.having[n]))
        elif r.cheap > ZERO and t.cost[t.by_cost[r.cheap - ONE]] > r.budget:
            r.cheap -= ONE
            option = Unsigned(t.by_cost[r.cheap])
            if x.left[option] != ZERO and not is_chosen(t, x, option):
                remove(t, x, option)
        else:
            break
    r.single = ZERO


@inlined
def is_chosen(t: Tables, x: Tree, option: Int) -> bool:
    """Return whether an option that is left is chosen: then its first item, a primary one, is."""
    return bool(x.closed[t.items[t.first_item[option]]] != ZERO)


@compiled
def undo(t: Tables, x: Tree, removed: Int, chosen: Int) -> None:
    """Put back what was removed and chosen since the lists had these sizes."""
    r = x.register
    while r.chosen > chosen:
        r.chosen -= ONE
        option = Unsigned(x.chosen[r.chosen])
        r.key ^= t.key[option]
        for k in range(t.first_item[option], t.first_item[option + ONE]):
            x.closed[t.items[k]] = ZERO
    while r.removed > removed:
        r.removed -= ONE
        option = Unsigned(x.removed[r.removed])
        x.left[option] = ONE
        r.key ^= t.key[option]
        for k in range(t.first_item[option], t.first_item[option + ONE]):
            x.options_left[t.items[k]] += ONE
    r.dead = ZERO


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
    key = (r.key ^ Unsigned(r.budget)) | ONE
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
        at = r.depth * LEVEL
        x.level[at + ITEM], x.level[at + NEXT] = item, t.first_option[item]
        x.level[at + REMOVED], x.level[at + CHOSEN] = r.removed, r.chosen
        x.level[at + CHEAP], x.budget[r.depth] = r.cheap, r.budget
        r.depth += ONE


@compiled
def go_on(t: Tables, x: Tree) -> bool:
    """Choose the next option of the last branch; return False, and close it, if there is none."""
    r = x.register
    at = (r.depth - ONE) * LEVEL
    undo(t, x, x.level[at + REMOVED], x.level[at + CHOSEN])
    r.cheap, r.budget = x.level[at + CHEAP], x.budget[r.depth - ONE]
    n, end = x.level[at + NEXT], t.first_option[x.level[at + ITEM] + ONE]
    while n < end and x.left[t.having[n]] == ZERO:
        n += ONE
    if n == end:
        r.depth -= ONE
        return False
    x.level[at + NEXT] = n + ONE
    choose(t, x, Unsigned(t.having[n]))
    propagate(t, x)
    return True


def _trace(sources: int) -> Any:
    @entry
    def trace(t: Tables, x: Tree, out: Table) -> bool:
        _ = sources
        r = x.register
        room, states = Unsigned(out.size), Unsigned(x.known.size) // TWO
        if r.begun == ZERO:
            r.begun = ONE
            enter(t, x, out)
        while r.depth > ZERO and r.branches < room and r.known < states:
            if go_on(t, x):
                enter(t, x, out)
        return bool(r.depth == ZERO)

    return trace


def _begin(sources: int) -> Any:
    @entry
    def begin(t: Tables, x: Tree, allowed: Table, in_order: bool, counting: bool) -> None:
        _ = sources
        r = x.register
        r.removed = r.chosen = r.single = r.cheap = r.depth = r.branches = ZERO
        r.known = r.found = r.key = r.dead = r.begun = ZERO
        r.budget, r.in_order = 0, ONE if in_order else ZERO
        r.counting = ONE if counting else ZERO
        x.known[:] = ZERO
        for item in range(x.options_left.size):
            x.options_left[item] = x.closed[item] = ZERO
        for option in range(allowed.size):
            x.left[option] = allowed[option]
            if allowed[option] != ZERO:
                r.key ^= t.key[option]
                for k in range(t.first_item[option], t.first_item[option + 1]):
                    x.options_left[t.items[k]] += ONE
        for item in range(t.primary):
            if x.options_left[item] == ZERO:
                r.dead = ONE
            elif x.options_left[item] == ONE:
                x.single[r.single] = item
                r.single += ONE
        propagate(t, x)

    return begin


def _afford(sources: int) -> Any:
    @entry
    def afford(t: Tables, x: Tree, budget: Int) -> None:
        _ = sources
        x.register.budget, x.register.cheap = budget, Unsigned(t.by_cost.size)
        propagate(t, x)

    return afford


#: a digest of all sources that the entries depend on
SOURCES = source_digest(Path(jit.__file__).parent, Path(__file__).parent)
#: Apply the rules to the options that a problem allows, without costs. Branches will be on items
#: in order, or on those with the fewest options left; in known states only if it is counting.
begin = _begin(SOURCES)
#: Set the budget, and apply the rules again.
afford = _afford(SOURCES)
#: Write the item of each branch to `out`, in the order of the checker; return False if there is no
#: room left there, or half of the hash table is full.
trace = _trace(SOURCES)
