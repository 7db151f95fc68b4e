"""Cliques that share out the costs of all options, found greedily.

Of a clique, options of which any two are neighbours, one at most is independent. So independent
options cost no more than the weights of all cliques together.
"""

from worker.compiling.clock import now
from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import UNBOUNDED, Search
from worker.set_cover.layout import Tables
from worker.set_cover.vertex_cover.graph import Graph

#: steps between two readings of the clock
INTERVAL = Unsigned(64)


@compiled
def share_out(tables: Tables, search: Search, deadline: Int) -> Int:
    """Share out the costs of the free options among cliques; return how many these are.

    The free neighbours must have been listed. Options with few of them come first. After the
    deadline there are no cliques.
    """
    graph, free = tables.graph, search.state.free
    rank_by_degree(tables, free)
    for k in range(free):
        vertex = graph.vertices[tables.order[k]]
        vertex.rest, vertex.entry = abs(tables.cost[tables.order[k]]), 0
    cliques = end = ZERO
    for k in range(free):
        if is_over(search, k, deadline):
            return ZERO
        option = graph.vertices[k].ranked
        while graph.vertices[option].rest > 0:
            graph.cliques[cliques].first = end
            end = grow(graph, option, end)
            weigh(graph, cliques, end)
            cliques += ONE
    graph.cliques[cliques].first = end
    return cliques


@inlined
def is_over(search: Search, k: Int, deadline: Int) -> bool:
    """Return whether a deadline is over, which is looked at in some steps."""
    return bool(k % INTERVAL == ZERO and now(search.clock) > deadline)


@compiled
def rank_by_degree(tables: Tables, free: Int) -> None:
    """List the free options as `ranked`, those with the fewest neighbours first."""
    vertices, order = tables.graph.vertices, tables.order
    for degree in range(free):
        vertices[degree].below = 0
    for k in range(free):
        vertices[vertices[order[k]].degree].below += ONE
    total = ZERO
    for degree in range(free):
        here = Unsigned(vertices[degree].below)
        vertices[degree].below = total
        total += here
    for k in range(free):
        place = vertices[vertices[order[k]].degree]
        vertices[place.below].ranked = order[k]
        place.below += ONE


@inlined
def near_of(graph: Graph, option: Int) -> tuple[Int, Int]:
    """Return where the free neighbours of an option begin and end in `near`."""
    vertex = graph.vertices[option]
    start = Unsigned(vertex.start)
    return start, start + Unsigned(vertex.degree)


@compiled
def grow(graph: Graph, option: Int, end: Int) -> Int:
    """Enter a clique with an option from `end` on, and return its end.

    Of the options that are neighbours of all members, it takes one with the most of them as
    neighbours. It has one member if there is hardly room.
    """
    vertices, near, entries = graph.vertices, graph.near, graph.entries
    start, stop = near_of(graph, option)
    for at in range(start, stop):
        vertices[near[at]].met = 1 if vertices[near[at]].rest > 0 else 0
    size, new, found = ONE, option, True
    entries[end].option = option
    end += ONE
    while found and end + Unsigned(vertices.size) < Unsigned(entries.size):
        new, found = next_member(graph, option, size)
        if found:
            entries[end].option = new
            end += ONE
            vertices[new].met = 0
            first, last = near_of(graph, new)
            for at in range(first, last):
                if vertices[near[at]].met == size:
                    vertices[near[at]].met += ONE
            size += ONE
    for at in range(start, stop):
        vertices[near[at]].met = 0
    return end


@compiled
def next_member(graph: Graph, option: Int, size: Int) -> tuple[Int, bool]:
    """Return a neighbour of all `size` members of a clique that begins with an option, if any."""
    vertices, near = graph.vertices, graph.near
    best, most, found = option, ZERO, False
    start, stop = near_of(graph, option)
    for at in range(start, stop):
        other = near[at]
        if vertices[other].met == size:
            common = ZERO
            first, last = near_of(graph, other)
            for k in range(first, last):
                if vertices[near[k]].met == size:
                    common += ONE
            is_less = vertices[other].degree < vertices[best].degree
            if not found or common > most or (common == most and is_less):
                best, most, found = other, common, True
    return best, found


@compiled
def weigh(graph: Graph, number: Int, end: Int) -> None:
    """Give a clique what is left of its cheapest member, and each member its entry."""
    clique, weight = graph.cliques[number], UNBOUNDED
    for at in range(clique.first, end):
        weight = min(weight, graph.vertices[graph.entries[at].option].rest)
    for at in range(clique.first, end):
        entry = graph.entries[at]
        vertex = graph.vertices[entry.option]
        vertex.rest -= weight
        entry.clique, entry.following, vertex.entry = number, vertex.entry, at + ONE
    clique.weight, clique.left = weight, end - Unsigned(clique.first)
