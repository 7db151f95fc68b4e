"""A bound on the cost of the cheapest cover below a node, and what follows from it."""

import numpy as np

from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.costs.dual import decay
from worker.exact_cover.state import UNBOUNDED, Search
from worker.set_cover.cover import choose, exclude, settle
from worker.set_cover.layout import FREE, Tables
from worker.set_cover.linear.simplex import pivot_on, recall_basis
from worker.set_cover.sweeps import sweep_on

#: rounds of sweeps at a node, at most; how far the temperature falls in each; and what the bound
#: loses at the last temperature, as a share of the gap between the bound and the budget
ROUNDS, FALL, LOSS = 3, 5.0, 0.1
#: pivots at a node, at most; and how many options the bound must decide to go on
PIVOTS, MANY = 10_000, Unsigned(10)
#: sweeps at the root before all reduced costs are computed again
ROOT_PORTION = 20


@compiled
def estimate(tables: Tables, search: Search) -> Int:
    """Return what the open items cost at least, and set their multipliers: the function h().

    This is what must be spent besides `state.spent`.

    Every open item in turn is charged what its cheapest free option still costs, as often as it
    must still be covered, and this is subtracted from all options of the item. Where every option
    costs 1, it counts items of which no two share an option. No option is charged more than its
    cost, so neither is a cover.
    """
    state, reduced, options = search.state, tables.reduced, tables.options
    total: Int = 0
    for k in range(state.free):
        reduced[tables.order[k]] = max(0, tables.cost[tables.order[k]])
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
        total += least * np.int64(tables.least[item] - tables.times[item])
        item = tables.right[item]
    return total


@compiled
def price(tables: Tables, search: Search) -> Int:
    """Compute all reduced costs, and return the bound that the multipliers prove.

    A cover costs what its options cost without the multipliers of their items, and each multiplier
    as often as the item is covered: at least what it still needs if the multiplier is positive, and
    what it still has room for if it is negative. Multipliers are integers, so the bound is exact.
    """
    state, live, items = search.state, tables.live, tables.items
    total = state.spent
    for item in range(ONE, Unsigned(live.size)):
        value, times = tables.multiplier[item], tables.times[item]
        if value > 0 and times < tables.least[item]:
            total += value * np.int64(tables.least[item] - times)
        elif value < 0 and tables.most[item] < tables.size[item]:
            total += value * np.int64(tables.most[item] - times)
        else:
            value = 0
        live[item] = value
    for k in range(state.free):
        option = tables.order[k]
        cost = tables.cost[option]
        for at in range(tables.first[option], tables.first[option + ONE]):
            cost -= live[items[at]]
        total += min(0, cost) - min(0, tables.cost[option])
        tables.reduced[option] = cost
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
def settle_bound(tables: Tables, search: Search) -> Int:
    """Decide what is forced, then what the bound decides; return the bound."""
    state = search.state
    settle(tables, search)
    if state.dead != 0:
        return state.spent
    bound = price(tables, search)
    state.lowest = bound
    if bound > state.budget:
        state.dead = 1
    elif state.budget < UNBOUNDED:
        fix(tables, search, bound)
        settle(tables, search)
    return bound


@compiled
def tighten_root(tables: Tables, search: Search) -> Int:
    """Improve the multipliers at the root by a sweep, or more as time allows; return the bound."""
    state = search.state
    before = settle_bound(tables, search)
    if state.dead != 0:
        state.root_sweeps = 0
        return before
    sweeps = min(state.root_sweeps, ROOT_PORTION)
    last = state.first * (state.last / state.first) ** (sweeps / state.root_sweeps)
    done = sweep_on(tables, search, sweeps, state.first, last, 1)
    state.first *= (last / state.first) ** (done / sweeps)
    state.root_sweeps -= done
    return max(before, settle_bound(tables, search))


@compiled
def loss(tables: Tables, search: Search, temperature: float) -> float:
    """Return how much the bound loses at a temperature, as a multiple of it; at least 1.

    If the options are used exp(-r / T) times, and thereby each item as often as it must be, their
    cost exceeds the bound by what their reduced costs r are then, and no bound is better.
    """
    total = 0.0
    for k in range(search.state.free):
        power = max(0.0, tables.reduced[tables.order[k]] / temperature)
        total += power * decay(power)
    return max(1.0, total)


@compiled
def relax(tables: Tables, search: Search, pivots: Int) -> None:
    """Continue to solve the linear relaxation, with so many pivots at most."""
    recall_basis(tables, search)
    pivot_on(tables, search, pivots, price(tables, search))


@compiled
def settle_relaxation(tables: Tables, search: Search, pivots: Int) -> Int:
    """Continue to solve the linear relaxation, decide what its bound decides, and return that.

    Set `state.dead` if nothing within the budget is left.
    """
    relax(tables, search, pivots)
    return settle_bound(tables, search)


@compiled
def tighten(tables: Tables, search: Search, unit: Int, pivots: Int) -> None:
    """Improve the bound below this node until no cover is within the budget, or little is gained.

    So many pivots were made here before time ended them. Set `state.dead` if nothing within the
    budget is left; decide what the bound decides.
    """
    best = settle_bound(tables, search)
    if search.state.relaxes != 0:
        pivot_in_rounds(tables, search, best, pivots)
    else:
        sweep_in_rounds(tables, search, best, unit)


@compiled
def is_settled(search: Search) -> bool:
    """Return whether nothing is left to decide below this node."""
    state = search.state
    return bool(state.dead != 0 or state.open | state.profitable == ZERO)


@compiled
def pivot_in_rounds(tables: Tables, search: Search, best: Int, pivots: Int) -> None:
    """Solve the linear relaxation, and again while the bound decides many options.

    `best` is the bound so far. If time ends this, count the pivots in `state.pivots`, so that there
    is an end to them in turns of any length.
    """
    state, before = search.state, search.state.free + MANY
    while not is_settled(search) and before >= state.free + MANY and state.pivots == 0:
        before = state.free
        best = max(best, settle_relaxation(tables, search, PIVOTS - pivots))
    if state.pivots != 0:
        state.pivots += pivots
    if state.dead == 0 and state.level == 0:
        state.bound = max(state.bound, min(best, state.budget))


@compiled
def sweep_in_rounds(tables: Tables, search: Search, best: Int, unit: Int) -> None:
    """Improve the multipliers by sweeps; `best` is the bound so far."""
    state, temperature = search.state, 0.0
    for _ in range(ROUNDS):
        if is_settled(search):
            break
        free = state.free
        gap = min(state.budget, 2 * abs(best) + unit) - best + unit
        temperature = max(1.0, gap * LOSS / state.loss)
        sweep_on(tables, search, state.sweeps, FALL * temperature, temperature, 0)
        bound = settle_bound(tables, search)
        rise = bound - best
        best = max(bound, best)
        if rise * ROUNDS < gap and free == state.free:
            break
    if state.dead == 0 and temperature != 0.0:
        state.loss = loss(tables, search, temperature)
