"""The edges of the graph, and options that need no attention because they have one or none."""

from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.cover import choose, exclude, settle
from worker.set_cover.layout import FREE, Tables
from worker.set_cover.vertex_cover.cliques import near_of
from worker.set_cover.vertex_cover.graph import Graph

#: how many times a neighbour in a clique of two counts where the bound is the budget: if it is not
#: independent, the other member must be (as the last literal of a clause: Jeroslow and Wang, 1990)
IN_PAIR = Unsigned(5)


@compiled
def lay_out(tables: Tables, search: Search) -> bool:
    """Lay out the graph at the root; return whether there is one, with room for its edges."""
    state, graph, end = search.state, tables.graph, ZERO
    if not (are_edges(tables, search) if state.minimal != 0 else are_rivals(tables, search)):
        return False
    vertices, free = graph.vertices, state.free
    for option in range(Unsigned(tables.cost.size)):
        vertices[option].begin = end
        if tables.fate[option] == FREE:
            if end + free > Unsigned(graph.neighbours.size):
                return False
            end = list_neighbours(tables, option, end)
    vertices[tables.cost.size].begin = end
    return bool(end != ZERO)


@compiled
def are_edges(tables: Tables, search: Search) -> bool:
    """Return whether a vertex cover is wanted: each open item needs one of two options.

    No free option may have a secondary item. Items that are covered already do not matter.
    """
    item = tables.right[0]
    while item != 0:
        if tables.size[item] != TWO or tables.least[item] != ONE:
            return False
        item = tables.right[item]
    for k in range(search.state.free):
        option = tables.order[k]
        if tables.middle[option] != tables.first[option + ONE]:
            return False
    return bool(search.state.profitable == ZERO)


@compiled
def are_rivals(tables: Tables, search: Search) -> bool:
    """Return whether a packing is wanted: all options have a profit, and no item needs one.

    Of the options of an item, one alone may be chosen.
    """
    state = search.state
    for item in range(ONE, Unsigned(tables.size.size)):
        if tables.size[item] > ONE and tables.most[item] != ONE:
            return False
    return bool(state.open == ZERO and state.profitable == state.free and tables.colour.size == 0)


@compiled
def list_neighbours(tables: Tables, option: Int, end: Int) -> Int:
    """List the free options that share an open item, or in a packing any item; return their end."""
    graph, start = tables.graph, end
    for at in range(tables.first[option], tables.first[option + ONE]):
        item = tables.items[at]
        if tables.times[item] == ZERO:
            for k in range(tables.begin[item], tables.begin[item + ONE]):
                other = tables.options[k]
                is_new = graph.vertices[other].met == 0 and other != option
                if is_new and tables.fate[other] == FREE:
                    graph.vertices[other].met = 1
                    graph.neighbours[end] = other
                    end += ONE
    for at in range(start, end):
        graph.vertices[graph.neighbours[at]].met = 0
    return end


@compiled
def list_near(tables: Tables, option: Int, end: Int) -> Int:
    """List the free neighbours of an option at `near[end:]`, and return where they end."""
    graph, start = tables.graph, end
    vertex = graph.vertices[option]
    for at in range(vertex.begin, graph.vertices[option + ONE].begin):
        if tables.fate[graph.neighbours[at]] == FREE:
            graph.near[end] = graph.neighbours[at]
            end += ONE
    vertex.start, vertex.degree = start, end - start
    return end


@compiled
def decide_leaves(tables: Tables, search: Search) -> None:
    """Decide the options without neighbours, and those with one that is no better.

    In a vertex cover they are excluded, in a packing they are chosen; but if several covers are
    wanted, only where no other one has them. The free neighbours of the others are listed.
    """
    state, again = search.state, True
    while again:
        again = False
        k = end = ZERO
        while k < state.free:
            option = tables.order[k]
            after = list_near(tables, option, end)
            if not is_decided(tables, search, option):
                end = after
                k += ONE
                continue
            again = again or after != end
            if state.minimal != 0:
                exclude(tables, search, option)
                settle(tables, search)
            else:
                choose(tables, search, option)


@compiled
def is_decided(tables: Tables, search: Search, option: Int) -> bool:
    """Return whether a free option, whose neighbours are listed, may be taken as independent."""
    state, vertex, cost = search.state, tables.graph.vertices[option], tables.cost
    if state.single == 0 or vertex.degree > 1:
        return bool(vertex.degree == 0 and state.minimal != 0)
    if vertex.degree == 0:
        return True
    return bool(abs(cost[tables.graph.near[vertex.start]]) <= abs(cost[option]))


@compiled
def busiest(tables: Tables, search: Search) -> Int:
    """Return the free option with the most neighbours; some count more if the bound is the budget.

    In that case the cliques must be those of this node.
    """
    best, most, is_tight = tables.order[0], ZERO, search.state.lowest == search.state.budget
    for k in range(search.state.free):
        option = tables.order[k]
        number = Unsigned(tables.graph.vertices[option].degree)
        if is_tight:
            number += (IN_PAIR - ONE) * in_pairs(tables.graph, option)
        if number > most:
            best, most = option, number
    return best


@compiled
def in_pairs(graph: Graph, option: Int) -> Int:
    """Return how many neighbours of an option are in cliques of two."""
    number = ZERO
    start, stop = near_of(graph, option)
    for at in range(start, stop):
        entry = Unsigned(graph.vertices[graph.near[at]].entry)
        if entry != ZERO:
            clique = Unsigned(graph.entries[entry - ONE].clique)
            if graph.cliques[clique + ONE].first - graph.cliques[clique].first <= TWO:
                number += ONE
    return number
