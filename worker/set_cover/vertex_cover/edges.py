"""The edges of the graph, and options that need no attention because they have one or none."""

from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.cover import exclude, settle
from worker.set_cover.layout import FREE, Tables


@compiled
def lay_out(tables: Tables, search: Search) -> bool:
    """Lay out the graph at the root; return whether each open item is an edge."""
    state, graph, end = search.state, tables.graph, ZERO
    if state.minimal == 0 or state.profitable != ZERO or not are_edges(tables):
        return False
    for option in range(Unsigned(tables.cost.size)):
        graph.vertices[option].begin = end
        for at in range(tables.first[option], tables.first[option + ONE]):
            item = tables.items[at]
            if tables.fate[option] == FREE and tables.times[item] < tables.least[item]:
                graph.neighbours[end] = other_option(tables, item, option)
                end += ONE
    graph.vertices[tables.cost.size].begin = end
    return bool(end != ZERO)


@compiled
def are_edges(tables: Tables) -> bool:
    """Return whether each open item has two options and needs one, and no free option has others.

    Items that are covered already do not matter.
    """
    item = tables.right[0]
    while item != 0:
        if tables.size[item] != TWO or tables.least[item] != ONE:
            return False
        item = tables.right[item]
    for option in range(Unsigned(tables.cost.size)):
        if tables.fate[option] == FREE and tables.middle[option] != tables.first[option + ONE]:
            return False
    return True


@compiled
def other_option(tables: Tables, item: Int, option: Int) -> Int:
    """Return the other free option of an edge."""
    at = tables.begin[item]
    while tables.options[at] == option or tables.fate[tables.options[at]] != FREE:
        at += ONE
    return tables.options[at]


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
def exclude_leaves(tables: Tables, search: Search) -> None:
    """Exclude the options without open items, and those with one that a cheaper option has as well.

    The latter only if one cover is enough; what that forces is chosen. The free neighbours of the
    others are listed.
    """
    state, again = search.state, True
    while again:
        again = False
        k = end = ZERO
        while k < state.free:
            option = tables.order[k]
            after = list_near(tables, option, end)
            if after == end or is_dominated(tables, search, option):
                exclude(tables, search, option)
                settle(tables, search)
                again = again or after != end
            else:
                end = after
                k += ONE


@compiled
def is_dominated(tables: Tables, search: Search, option: Int) -> bool:
    """Return whether one cover is enough, and the only neighbour of an option is no dearer."""
    vertex = tables.graph.vertices[option]
    if search.state.single == 0 or vertex.degree != 1:
        return False
    return bool(tables.cost[tables.graph.near[vertex.start]] <= tables.cost[option])


@compiled
def busiest(tables: Tables, search: Search) -> Int:
    """Return the free option with the most open items."""
    vertices, best = tables.graph.vertices, tables.order[0]
    for k in range(search.state.free):
        if vertices[tables.order[k]].degree > vertices[best].degree:
            best = tables.order[k]
    return best
