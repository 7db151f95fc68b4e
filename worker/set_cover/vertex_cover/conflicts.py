"""Cliques of which not all can have an independent option: each set of these raises the bound.

If an option is independent, its neighbours are not. In a clique of which one option alone is left,
that one must be, if any is, and so on (unit propagation), until a clique has none: then not all
cliques that led there can have one, and the least of their weights is paid once more. This is
reasoning as for MaxSAT (Li and Quan, *An efficient branch-and-bound algorithm based on MaxSAT for
the maximum clique problem*, 2010), with weights (Fang, Li and Xu, *An exact algorithm based on
MaxSAT reasoning for the maximum weight clique problem*, 2016). Where the budget leaves less to
spare than the weight of a clique, this decides options as well.
"""

from worker.compiling.clock import now
from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import UNBOUNDED, Search
from worker.set_cover.cover import choose, exclude
from worker.set_cover.layout import FREE, Tables
from worker.set_cover.vertex_cover.cliques import is_over, near_of, share_out
from worker.set_cover.vertex_cover.edges import decide_leaves, lay_out
from worker.set_cover.vertex_cover.graph import Graph

#: a set of cliques is looked for from each one with at most so many members
MOST_MEMBERS = 2
#: nanoseconds for the bound at the root; if they do not suffice, there is no graph
MOST_NS = 100_000_000
#: the bound by cliques is used if it is better than that of multipliers by more than this part of
#: it, because multipliers also tell which options to exclude
LEAST_GAIN = 100


@compiled
def see_edges(tables: Tables, search: Search) -> None:
    """Find out at the root whether the options are a graph, and the bound that it has then."""
    state = search.state
    if state.reduced == 0 or state.dead != 0 or not lay_out(tables, search):
        return
    budget, state.budget = state.budget, UNBOUNDED
    tighten_graph(tables, search, now(search.clock) + MOST_NS)
    state.root_free, state.budget = state.free, budget
    state.bound = max(state.bound, state.lowest)
    state.joined = state.lowest - (state.lowest - state.spent) // LEAST_GAIN


@compiled
def has_edges(search: Search) -> bool:
    """Return whether the search has a graph whose bound is better than that of the multipliers."""
    return bool(search.state.joined > search.state.swept)


@compiled
def tighten_graph(tables: Tables, search: Search, deadline: Int) -> None:
    """Set `state.dead` if no cover below this node is within the budget, as far as conflicts tell.

    `state.lowest` is the bound then, or any that exceeds the budget; after the deadline, a worse
    one. Options about which all covers within the budget agree may be decided.
    """
    state, again = search.state, True
    while again:
        again = False
        decide_leaves(tables, search)
        state.lowest = state.spent
        if state.open | state.profitable != ZERO:
            least, cliques = least_left(tables, search, deadline)
            state.lowest += least
            if state.lowest <= state.budget:
                again = decide_tight(tables, search, cliques)
    if state.lowest > state.budget:
        state.dead = 1


@compiled
def least_left(tables: Tables, search: Search, deadline: Int) -> tuple[Int, Int]:
    """Return what the free options that are not independent cost at least, as a sum of amounts.

    No more of it is looked for than exceeds the budget. Also return the number of cliques.
    """
    cliques, state = tables.graph.cliques, search.state
    total: Int = 0
    for k in range(state.free):
        total += abs(tables.cost[tables.order[k]])
    number = share_out(tables, search, deadline)
    if number == ZERO:
        return 0, number
    for k in range(number):
        total -= cliques[k].weight
    for size in range(1, MOST_MEMBERS + 1):
        for k in range(number):
            if is_over(search, k, deadline):
                return total, number
            if cliques[k + ONE].first - cliques[k].first == size:
                paid: Int = 1
                while paid != 0 and cliques[k].weight > 0 and total <= state.budget - state.spent:
                    paid = pay(tables.graph, k)
                    total += paid
    return total, number


@compiled
def decide_tight(tables: Tables, search: Search, number: Int) -> bool:
    """Decide options in tight cliques; return whether there are any.

    A clique is tight if the bound exceeds the budget without its weight, so one of its members is
    independent. An only member is; one of two is not if conflicts that follow cost too much.
    """
    graph, free = tables.graph, search.state.free
    spare = search.state.budget - search.state.lowest
    for k in range(number):
        first, end = graph.cliques[k].first, graph.cliques[k + ONE].first
        if graph.cliques[k].weight > spare and end - first <= MOST_MEMBERS:
            for at in range(first, end):
                option = graph.entries[at].option
                if end - first > 1:
                    if loss(graph, option, k) > spare:
                        reject(tables, search, option)
                else:
                    start, stop = near_of(graph, option)
                    for other in range(start, stop):
                        reject(tables, search, graph.near[other])
    return bool(search.state.free != free)


@compiled
def loss(graph: Graph, option: Int, number: Int) -> Int:
    """Return what cliques lose at least if an option of one of them is independent."""
    cliques, least = graph.cliques, UNBOUNDED
    cliques[number].is_in_core = 1
    size = add_conflict(graph, option, number, ONE)
    for k in range(ONE, size):
        cliques[cliques[k].core].is_in_core = 0
        least = min(least, cliques[cliques[k].core].weight)
    cliques[number].is_in_core = 0
    return least if size > ONE else 0


@compiled
def reject(tables: Tables, search: Search, option: Int) -> None:
    """Decide that an option is not independent."""
    if tables.fate[option] == FREE and search.state.minimal != 0:
        choose(tables, search, option)
    elif tables.fate[option] == FREE:
        exclude(tables, search, option)


@compiled
def pay(graph: Graph, number: Int) -> Int:
    """Return the weight that a clique pays with others that lead to conflicts; 0 if there are none.

    That is so if a conflict follows from each of its members. They all lose this weight.
    """
    cliques, paid, size = graph.cliques, UNBOUNDED, ONE
    cliques[0].core = number
    cliques[number].is_in_core = 1
    for at in range(cliques[number].first, cliques[number + ONE].first):
        grown = add_conflict(graph, graph.entries[at].option, number, size)
        if grown == ZERO:
            paid = 0
            break
        size = grown
    for k in range(size):
        clique = cliques[cliques[k].core]
        clique.is_in_core = 0
        paid = min(paid, clique.weight)
    for k in range(size):
        cliques[cliques[k].core].weight -= paid
    return paid


@compiled
def add_conflict(graph: Graph, option: Int, number: Int, size: Int) -> Int:
    """Add to the core of `size` cliques those of a conflict; return its size then, 0 if none.

    The conflict is what follows if this option of a clique is independent.
    """
    vertices = graph.vertices
    vertices[0].queued, vertices[0].because = option, number
    head, tail, removed, empty, found = ZERO, ONE, ZERO, ZERO, False
    while head < tail and not found:
        start, stop = near_of(graph, vertices[head].queued)
        for at in range(start, stop):
            other = graph.near[at]
            if vertices[other].cause == 0 and not found:
                vertices[other].cause = vertices[head].because + ONE
                vertices[removed].removed = other
                removed += ONE
                tail, empty, found = take_out(graph, other, tail)
        head += ONE
    grown = explain(graph, empty, size) if found else ZERO
    for k in range(removed):
        put_back(graph, vertices[k].removed)
    return grown


@compiled
def take_out(graph: Graph, option: Int, tail: Int) -> tuple[Int, Int, bool]:
    """Take an option out of its cliques; queue the option that is left alone in one of them.

    Return the end of the queue, and a clique that has none left, if there is one.
    """
    empty, found = ZERO, False
    entry = Unsigned(graph.vertices[option].entry)
    while entry != ZERO:
        number = graph.entries[entry - ONE].clique
        clique = graph.cliques[number]
        if clique.weight > 0:
            clique.left -= ONE
            if clique.left == 0:
                empty, found = Unsigned(number), True
            elif clique.left == 1:
                graph.vertices[tail].queued = left_alone(graph, number)
                graph.vertices[tail].because = number
                tail += ONE
        entry = Unsigned(graph.entries[entry - ONE].following)
    return tail, empty, found


@compiled
def left_alone(graph: Graph, number: Int) -> Int:
    """Return the only member of a clique that can still be independent."""
    at = graph.cliques[number].first
    while graph.vertices[graph.entries[at].option].cause != 0:
        at += ONE
    return graph.entries[at].option


@compiled
def put_back(graph: Graph, option: Int) -> None:
    """Undo `take_out`."""
    graph.vertices[option].cause = 0
    entry = Unsigned(graph.vertices[option].entry)
    while entry != ZERO:
        clique = graph.cliques[graph.entries[entry - ONE].clique]
        if clique.weight > 0:
            clique.left += ONE
        entry = Unsigned(graph.entries[entry - ONE].following)


@compiled
def explain(graph: Graph, empty: Int, size: Int) -> Int:
    """Add to the core of `size` cliques those that led to an empty one, and return its size."""
    cliques = graph.cliques
    cliques[0].led = empty
    cliques[empty].is_led = 1
    done, end = ZERO, ONE
    while done < end:
        number = cliques[done].led
        clique = cliques[number]
        done += ONE
        if clique.is_in_core == 0:
            clique.is_in_core = 1
            cliques[size].core = number
            size += ONE
        for at in range(clique.first, cliques[number + ONE].first):
            cause = Unsigned(graph.vertices[graph.entries[at].option].cause)
            if cause != ZERO and cliques[cause - ONE].is_led == 0:
                cliques[cause - ONE].is_led = 1
                cliques[end].led = cause - ONE
                end += ONE
    for k in range(end):
        cliques[cliques[k].led].is_led = 0
    return size
