"""The memory of a graph of options, and of cliques that share out what these cost.

Options that share an item are neighbours. In a vertex cover one of two neighbours is chosen, so the
options that are not chosen are *independent*: none is a neighbour of another. In a packing those
that are chosen are. Of a profit, what it is to be without it is a cost as well.
"""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.numbers import Record, Table, record
from worker.exact_cover.problem import Problem

#: cliques have room for so many members per option; several where costs differ
ROOM = 4
#: neighbours of all options for which there is room, per node of an option; if there are more, the
#: options are not taken for a graph
MOST_NEIGHBOURS = 8

_INT, _COUNT = np.int64, np.uint32
#: an option; further below, its number is that of a place in a list
Vertex: Any = record(
    ("rest", _INT),  # the part of its cost that no clique has
    ("begin", _COUNT),  # where its neighbours begin in `neighbours`
    ("start", _COUNT),  # where the free ones begin in `near`
    ("degree", _COUNT),  # how many these are
    ("met", _COUNT),  # of the clique that grows, how many members are its neighbours
    ("entry", _COUNT),  # 1 + its first entry in cliques, or 0
    ("cause", _COUNT),  # 1 + the clique because of which it is not independent, or 0
    ("ranked", _COUNT),  # the list of options in order of their degrees
    ("below", _COUNT),  # per degree: how many options have a lower one
    ("queued", _COUNT),  # the list of options that are independent, whose neighbours are not
    ("because", _COUNT),  # the clique of which that one alone is left
    ("removed", _COUNT),  # the list of these neighbours
)
#: a clique; further below, its number is that of a place in a list
Clique: Any = record(
    ("weight", _INT),  # its part of the cost of each member
    ("first", _COUNT),  # its first entry; the others follow
    ("left", _COUNT),  # how many members can be independent
    ("is_led", _COUNT),  # whether it is among the cliques that led to a conflict
    ("is_in_core", _COUNT),  # whether it is among those of several conflicts
    ("led", _COUNT),  # the list of the cliques that led to a conflict
    ("core", _COUNT),  # the list of those of several conflicts
)
#: a member of a clique
Entry: Any = record(
    ("option", _COUNT),
    ("clique", _COUNT),
    ("following", _COUNT),  # 1 + the next entry of the same option, or 0
)


class Graph(NamedTuple):
    """A graph, and cliques in it."""

    vertices: Record  #: per option, and one more at the end
    neighbours: Table  #: the neighbours of each option, one option after the other
    near: Table  #: the free ones of the free options
    cliques: Record  #: one more at the end
    entries: Record  #: the members of all cliques, one clique after the other


def new_graph(problem: Problem) -> Graph:
    """Return a graph without edges, with room for those of a problem, up to a number."""
    options, edges = problem.cost.size, MOST_NEIGHBOURS * problem.members.size
    return Graph(
        vertices=np.zeros(options + 1, Vertex),
        neighbours=np.zeros(edges, np.uint32),
        near=np.zeros(edges, np.uint32),
        cliques=np.zeros(options + 1, Clique),
        entries=np.zeros(ROOM * options, Entry),
    )
