"""The covers of a problem as a decision diagram (Knuth, TAOCP 7.1.4), and how many have an option.

A node has an option and two branches. The covers of a node are those of its low branch, and those
of its high branch with the option added to each. Nodes 0 and 1 have no option: node 0 has no cover,
node 1 the empty one. Branches have lower numbers than their node.
"""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.entry import entry
from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ONE, Int, Integers, Record, Table, Unsigned, record
from worker.counting.numbers import Words, add_modulo, add_product
from worker.exact_cover.state import UNBOUNDED

#: nodes of a new diagram
FIRST_NODES = 1 << 12
#: bytes of a node: three numbers; and of each word of the two counts that `count_options` needs
NODE_BYTES, COUNT_BYTES = 12, 16
#: the cost of the covers of a node that has none
NO_COVER = UNBOUNDED

#: the registers of a diagram
State: Any = record(
    ("nodes", np.uint64),  # in use
    ("max_nodes", np.uint64),  # that there may be
)


class TooLarge(Exception):
    """A diagram needs more memory than it may take."""


class Diagram(NamedTuple):
    """A decision diagram; the columns have a row per node, in use or free."""

    option: Table
    low: Table
    high: Table
    state: Record  #: a `State`


NO_NODES = np.zeros(0, np.uint32)
#: stands for a diagram where none is wanted
NO_DIAGRAM = Diagram(NO_NODES, NO_NODES, NO_NODES, np.zeros(1, State)[0])


def new_diagram(memory: int, count_words: int) -> Diagram:
    """Return a diagram of which `count_options` takes at most `memory` bytes.

    The number of covers has at most `count_words` words.
    """
    most = max(memory // (NODE_BYTES + COUNT_BYTES * count_words), 2)
    state = np.zeros(1, State)[0]
    state.nodes, state.max_nodes = 2, most
    return _with_room(NO_DIAGRAM._replace(state=state), min(FIRST_NODES, most))


def enlarged(diagram: Diagram) -> Diagram:
    """Return the diagram with room for more nodes; raise TooLarge if it may not have more."""
    rows, most = diagram.option.size, int(diagram.state.max_nodes)
    if rows == most:
        raise TooLarge
    return _with_room(diagram, min(2 * rows, most))


def _with_room(diagram: Diagram, rows: int) -> Diagram:
    free = np.zeros(rows - diagram.option.size, np.uint32)
    option, low, high = (
        np.concatenate([column, free]) for column in (diagram.option, diagram.low, diagram.high)
    )
    return Diagram(option, low, high, diagram.state)


@compiled
def add_node(diagram: Diagram, option: Int, low: Int, high: Int) -> Int:
    """Return a new node, for which there must be room."""
    node = diagram.state.nodes
    diagram.option[node], diagram.low[node], diagram.high[node] = option, low, high
    diagram.state.nodes = node + ONE
    return node


@entry(__file__)
def count_nodes(diagram: Diagram, counts: Words, size: Int, begin: Int, end: Int) -> None:
    """Set the covers of the nodes from `begin` to `end`, in `size` words each."""
    for node in range(begin, end):
        at = node * size
        copy(counts, Unsigned(diagram.low[node]) * size, counts, at, size)
        add_modulo(counts, at, counts, Unsigned(diagram.high[node]) * size, size)


@entry(__file__)
def least_costs(diagram: Diagram, least: Integers, cost: Integers, begin: Int, end: Int) -> None:
    """Set the least cost of a cover of the nodes from `begin` to `end`, given that of each option.

    A high branch always has a cover.
    """
    for node in range(begin, end):
        low, high = least[diagram.low[node]], least[diagram.high[node]]
        least[node] = min(low, high + cost[diagram.option[node]])


@entry(__file__)
def count_options(
    diagram: Diagram, counts: Words, above: Words, uses: Words, size: Int, begin: Int, end: Int
) -> None:
    """Add to `uses` of each option the covers that take the high branch of its nodes.

    `above` has the number of paths from the root to each node, complete for those from `end`.
    All numbers have `size` words. None exceeds the number of all covers, so the sums may be
    reduced modulo 2^(64·size).
    """
    node = Unsigned(end)
    while node != begin:
        node -= ONE
        at, high = node * size, Unsigned(diagram.high[node]) * size
        add_modulo(above, Unsigned(diagram.low[node]) * size, above, at, size)
        add_modulo(above, high, above, at, size)
        add_product(uses, Unsigned(diagram.option[node]) * size, above, at, counts, high, size)
