"""Depth-first search for cheap covers: an option is chosen or not, two items have one or not."""

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.search import GOING_ON, look_at_clock
from worker.exact_cover.solutions import is_full, is_wanted, next_slot, rank
from worker.exact_cover.state import UNBOUNDED, Search, Terms
from worker.set_cover.bound import estimate, tighten, tighten_root
from worker.set_cover.branch import best_option, smallest, take, tightest
from worker.set_cover.cover import exclude, settle, undo
from worker.set_cover.dominance import exclude_dominated, reduce
from worker.set_cover.layout import BOTH, CHOSEN, ONLY_EXCLUDE, Tables
from worker.set_cover.linear.basis import NONE
from worker.set_cover.linear.stack import load_basis, push_basis
from worker.set_cover.probe import NO_GUESS, best_guess
from worker.set_cover.vertex_cover.conflicts import has_edges, see_edges, tighten_graph
from worker.set_cover.vertex_cover.edges import busiest


@compiled
def enter(tables: Tables, search: Search) -> None:
    """Start at the root: exclude options without a primary item; push what is forced."""
    state = search.state
    state.started, state.visited, state.reduced = 1, 0, 0
    for option in range(Unsigned(tables.cost.size)):
        if tables.first[option] == tables.middle[option]:
            exclude(tables, search, option)
    item = tables.right[0]
    while item != 0:
        if tables.size[item] < tables.least[item]:
            state.dead = 1
        elif tables.size[item] == tables.least[item]:
            tables.forced[state.forced] = item
            state.forced += ONE
        item = tables.right[item]


@compiled
def advance(tables: Tables, search: Search, terms: Terms, pause: Int, deadline: Int) -> Int:
    """Improve the bound at the root by `root_sweeps` sweeps; if that is 0, continue the search."""
    state = search.state
    state.until, state.deadline = min(pause, deadline), deadline
    if state.started == 0:
        enter(tables, search)
        if state.sweeps != 0 and state.dead == 0 and state.bound <= state.spent:
            state.bound = state.swept = state.spent + estimate(tables, search)
    if state.root_sweeps == 0:
        if state.sweeps != 0 and state.reduced == 0:
            reduce(tables, search)
            see_edges(tables, search)
        return run(tables, search, terms, pause, deadline)
    bound = tighten_root(tables, search)
    state.bound, state.swept = max(state.bound, bound), max(state.swept, bound)
    return stops.PAUSED


@compiled
def descend(tables: Tables, search: Search, terms: Terms) -> None:
    """Choose and exclude what must be; set `state.dead` if no wanted cover is below this node."""
    state = search.state
    pivots, state.pivots = state.pivots, 0
    if state.infeasible != 0:
        state.dead = 1
    settle(tables, search)
    if state.dead == 0 and (state.open | state.profitable != ZERO or state.visited != 0):
        if state.sweeps != 0 and has_edges(search):
            tighten_graph(tables, search, UNBOUNDED)
        elif state.sweeps != 0:
            tighten(tables, search, terms.step, pivots)
        elif state.spent + estimate(tables, search) > state.budget:
            state.dead = 1
    if state.spent > state.budget:
        state.dead = 1


@compiled
def is_needed(tables: Tables, option: Int) -> bool:
    """Return whether a chosen option has an item that no other chosen option has."""
    for at in range(tables.first[option], tables.middle[option]):
        if tables.times[tables.items[at]] == ONE:
            return True
    return False


@compiled
def record(tables: Tables, search: Search, terms: Terms) -> None:
    """Count and keep the cover at this node; a set cover only if no option can be left out."""
    state = search.state
    end, free = Unsigned(tables.order.size), state.free
    for at in range(free, end):
        option = tables.order[at]
        if state.minimal != 0 and tables.fate[option] == CHOSEN and not is_needed(tables, option):
            return
    state.found += 1
    if not is_wanted(search, terms, state.spent):
        return
    slot, length = next_slot(search, terms), 0
    for at in range(free, end):
        option = tables.order[at]
        if tables.fate[option] == CHOSEN:
            search.kept.options[slot, length] = option
            length += 1
    rank(search, terms, slot, length, state.spent)


@compiled
def save(tables: Tables, level: Int) -> None:
    """Save the multipliers of a level, if there is room for them."""
    size = Unsigned(tables.multiplier.size)
    if (level + ONE) * size <= Unsigned(tables.saved.size):
        copy(tables.multiplier, ZERO, tables.saved, level * size, size)


@compiled
def restore(tables: Tables, level: Int) -> None:
    """Restore what `save` saved."""
    size = Unsigned(tables.multiplier.size)
    if (level + ONE) * size <= Unsigned(tables.saved.size):
        copy(tables.saved, level * size, tables.multiplier, ZERO, size)


@compiled
def go_back(tables: Tables, search: Search) -> bool:
    """Go to the second branch of the latest guess that has it; return whether there was one."""
    state = search.state
    while state.level != 0:
        saved = search.guesses[state.level - 1]
        undo(tables, search, saved.free)
        state.visited = saved.visited
        if saved.basis != NONE:
            if saved.left == BOTH:
                load_basis(tables, search, Unsigned(saved.basis))
            state.saved, saved.basis = saved.basis, NONE
        if saved.left == BOTH:
            saved.left = ONLY_EXCLUDE
            restore(tables, Unsigned(state.level - 1))
            take(tables, search, saved.option, saved.other, ONLY_EXCLUDE)
            state.nodes += 1
            return True
        state.level -= 1
    return False


@compiled
def guess(tables: Tables, search: Search, option: Int, other: Int, left: Int) -> None:
    """Choose an option, to exclude it later, or branch on a pair; or do only one of these."""
    state = search.state
    saved = search.guesses[state.level]
    saved.option, saved.other, saved.free, saved.left = option, other, state.free, left
    saved.visited, saved.basis = state.visited, push_basis(tables, search)
    save(tables, Unsigned(state.level))
    state.level += 1
    state.nodes += 1
    state.pivots = 0
    take(tables, search, option, other, left)


@compiled
def leave(tables: Tables, search: Search) -> None:
    """Return to the root; the search may begin again there."""
    search.state.level = search.state.visited = search.state.pivots = 0
    search.state.saved = ZERO
    if search.state.reduced != 0:
        undo(tables, search, search.state.root_free)
    else:
        undo(tables, search, Unsigned(tables.order.size))
        search.state.started = 0


@compiled
def branch(tables: Tables, search: Search) -> None:
    """Guess an option, or whether one option has two items, unless something is decided without."""
    state = search.state
    if has_edges(search):
        guess(tables, search, busiest(tables, search), ZERO, BOTH)
        return
    item = smallest(tables)
    if item == 0 and state.profitable != ZERO:
        item = tightest(tables, state.budget - state.lowest)
    if item != 0 and state.single & state.minimal != 0 and state.sweeps != 0:
        exclude_dominated(tables, search, item)
        if state.forced != ZERO or state.dead != 0:
            return
    index = best_guess(tables, search, item)
    if index >= 0:
        guess(tables, search, tables.guesses[2 * index], tables.guesses[2 * index + 1], BOTH)
    elif index == NO_GUESS:
        guess(tables, search, best_option(tables, search, item), ZERO, BOTH)


@compiled
def run(tables: Tables, search: Search, terms: Terms, pause: Int, deadline: Int) -> Int:
    """Continue the search, and return why it stopped: a constant of `exact_cover.state`.

    It pauses at the time `pause` and ends at the time `deadline`, both in nanoseconds of `now`.
    Unless it is PAUSED or FULL, every table is as it was at the root.
    """
    state = search.state
    first_node = state.nodes
    while True:
        status = stops.LIMITED
        if state.found != terms.limit:
            status = look_at_clock(search, first_node, pause, deadline)
        if status == GOING_ON and is_full(search, terms):
            status = stops.FULL
        if status == stops.PAUSED or status == stops.FULL:  # noqa: PLR1714 # `in` compiles a loop
            return status
        if status != GOING_ON:
            leave(tables, search)
            return status
        descend(tables, search, terms)
        if state.dead == 0 and state.pivots != 0:
            return stops.PAUSED
        if state.dead == 0 and state.open | state.profitable == ZERO and state.visited == 0:
            record(tables, search, terms)
            state.visited, state.dead = 1, state.single | state.minimal
            continue  # this may have been the last one that was wanted
        if state.open == ZERO and state.free == ZERO:
            state.dead = 1
        if state.dead != 0:
            if not go_back(tables, search):
                leave(tables, search)
                return stops.EXHAUSTED
            continue
        branch(tables, search)


@entry(exact_cover.__file__, __file__)
def search_slice(
    tables: Tables, search: Search, terms: Terms, slice_ns: Int, timeout_ns: Int
) -> tuple[Int, Int]:
    """Search for `slice_ns` nanoseconds, or improve the bound at the root by `root_sweeps` sweeps.

    Return why it stopped, and the wall time that it took. It ends after `timeout_ns`.
    """
    began = now(search.clock)
    status = advance(tables, search, terms, began + slice_ns, began + timeout_ns)
    return status, now(search.clock) - began
