"""The rules of `check`, applied to the tables of the compiled search, and undone.

Where the checker has the options that are left as the bits of one integer, these tables count the
options that each item has left.
"""

from typing import Any

from worker.compiling.jit import ONE, ZERO, Int, Table, Unsigned, compiled, inlined
from worker.proof.tables import Tables, Tree

#: more than any cover costs
ANY_BUDGET: Any = 2**61


@compiled
def begin(t: Tables, x: Tree, allowed: Table) -> None:
    """Apply the rules, but not that of the budget, to the options that a problem allows."""
    r = x.register
    r.removed = r.chosen = r.single = r.cheap = r.depth = r.branches = ZERO
    r.known = r.found = r.key = r.dead = r.in_order = r.counting = ZERO
    r.budget = ANY_BUDGET
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
