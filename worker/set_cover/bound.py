"""A bound on the cost of the cheapest cover below a node, and what follows from it."""

from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int
from worker.exact_cover.state import UNBOUNDED, Search
from worker.set_cover.cover import choose, exclude, settle
from worker.set_cover.layout import FREE, Tables

#: the first and the last step, as a share of the gap to the budget, and the sweeps without
#: progress after which a step is halved
FIRST_STEP, LAST_STEP, PATIENCE = 1.0, 1 / 256, 3
#: sweeps after which a node stops unless the bound rises fast enough to reach the budget
TRIAL_SWEEPS = 4


@compiled
def estimate(tables: Tables, search: Search) -> Int:
    """Return what the open items cost at least, and set their multipliers: the function h().

    Every open item in turn is charged what its cheapest free option still costs, and this is
    subtracted from all options of the item. Where every option costs 1, it counts items of which
    no two share an option. No option is charged more than its cost, so neither is a cover.
    """
    state, reduced, options = search.state, tables.reduced, tables.options
    total: Int = 0
    for k in range(state.free):
        reduced[tables.order[k]] = tables.cost[tables.order[k]]
    item = tables.right[0]
    while item != 0:
        least: Int = UNBOUNDED
        for at in range(tables.begin[item], tables.begin[item + ONE]):
            if tables.fate[options[at]] == FREE:
                least = min(least, reduced[options[at]])
        if least != 0:
            for at in range(tables.begin[item], tables.begin[item + ONE]):
                if tables.fate[options[at]] == FREE:
                    reduced[options[at]] -= least
        tables.multiplier[item] = least
        total += least
        item = tables.right[item]
    return total


@compiled
def price(tables: Tables, search: Search) -> Int:
    """Compute all reduced costs, and return the bound that the multipliers prove.

    A cover costs what its options cost without the multipliers of their open items, and at least
    the multipliers of all open items, because it has each of them once or more.
    """
    state, multiplier, load = search.state, tables.multiplier, tables.load
    times, items = tables.times, tables.items
    total = state.spent
    item = tables.right[0]
    while item != 0:
        total += multiplier[item]
        load[item] = 1
        item = tables.right[item]
    for k in range(state.free):
        option = tables.order[k]
        first, middle = tables.first[option], tables.middle[option]
        cost, useful = tables.cost[option], False
        for at in range(first, middle):
            item = items[at]
            if times[item] == ZERO:
                cost -= multiplier[item]
                useful = True
        if cost < 0:
            total += cost
            for at in range(first, middle):
                load[items[at]] -= 1
        tables.reduced[option] = cost if useful else UNBOUNDED
    return total


@compiled
def fix(tables: Tables, search: Search, bound: Int) -> None:
    """Exclude the options with which no cover stays within the budget, choose those without which.

    `bound` is what `price` returned.
    """
    state, reduced = search.state, tables.reduced
    k = ZERO
    while k < state.free:
        option = tables.order[k]
        cost = reduced[option]
        if cost > state.budget - bound:
            exclude(tables, search, option)
        elif cost < bound - state.budget:
            choose(tables, search, option)
        else:
            k += ONE


@compiled
def step(tables: Tables, length: float) -> None:
    """Raise the multipliers of items that have too few options of negative reduced cost.

    Lower those of items that have too many (subgradient method, Held and Karp 1971).
    """
    multiplier, load = tables.multiplier, tables.load
    square = 0.0
    item = tables.right[0]
    while item != 0:
        if load[item] > 0 or multiplier[item] > 0:
            square += load[item] * load[item]
        item = tables.right[item]
    if square == 0.0:
        return
    item = tables.right[0]
    while item != 0:
        change = length * load[item] / square
        multiplier[item] = max(0, multiplier[item] + int(change))
        item = tables.right[item]


@compiled
def tighten(tables: Tables, search: Search, sweeps: Int, unit: Int, root: bool) -> Int:
    """Improve the bound below this node until no cover is within the budget, or no more is gained.

    Return the bound. Sets `state.dead` if nothing within the budget is left, and settles forced
    options.
    """
    state = search.state
    factor, best, first, stalled = FIRST_STEP, state.spent, state.spent, 0
    for sweep in range(sweeps):
        settle(tables, search)
        if state.dead != 0 or state.open == ZERO:
            break
        bound = price(tables, search)
        if bound > state.budget:
            state.dead = 1
            return bound
        if sweep == 0:
            first = bound
        if bound > best:
            best = bound
            stalled = 0
        else:
            stalled += 1
            if stalled == PATIENCE:
                factor, stalled = factor / 2, 0
                if factor < LAST_STEP:
                    break
        free = state.free
        if state.budget < UNBOUNDED:
            fix(tables, search, bound)
        if not root and sweep >= TRIAL_SWEEPS and free == state.free:
            rise = (best - first) / (sweep + 1)
            if best + rise * (sweeps - sweep) < state.budget:
                break
        gap = min(state.budget, 2 * best + unit) + unit - bound
        step(tables, factor * gap)
    settle(tables, search)
    if state.spent > state.budget:
        state.dead = 1
    return best
