"""Dual multipliers: a proven bound on the score, and a reduced cost for every option.

Let every option have a score, and let a cover score what its options score together. Give every
item a multiplier. If no option scores more than the multipliers of its items together, then no
cover scores more than all multipliers together, because it has every item once: the multipliers
are a feasible solution of the dual of the linear relaxation. The *reduced cost* of an option is
the difference between the two, never negative, and a cover falls short of the bound by exactly the
reduced costs of its options. (With costs to minimise, the score of an option is minus its cost.)

Multipliers and costs are integers, so the bound holds without rounding errors. `tighten` lowers it
by coordinate descent, one item after the other, as dual ascent does for a problem that minimises
(Erlenkotter, *A dual-based procedure for uncapacitated facility location*, 1978; for set
partitioning: Fisher and Kedia, 1990). Plain descent stops at points from which no single
multiplier can improve the bound, so the minimum over an item's options is softened by a
temperature that falls from sweep to sweep.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker import exact_cover
from worker.compiling.clock import CLOCK_SIZE, now
from worker.compiling.entry import entry
from worker.compiling.jit import bit_count, compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Table, Unsigned
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import OPTION_BITS
from worker.exact_cover.state import UNBOUNDED

Floats = NDArray[np.float64]

#: the number by which all sweeps together divide the temperature
TOTAL_COOLING = 800.0
#: the first temperature, in average costs of an option
INITIAL_TEMPERATURE = 0.7
#: most nodes that all sweeps together visit, in about 0.2 s
MAX_VISITS = 20_000_000
#: sweeps of even the largest problem
MIN_SWEEPS = 5


class Dual(NamedTuple):
    """The multipliers of the items, and memory to improve them."""

    multiplier: Integers  #: per item
    change: Floats  #: per item: by how much its multiplier is to rise
    slack: Floats  #: per option: its reduced cost after all changes
    start: Table  #: per item: where its options begin in `options`; one more entry at the end
    options: Table  #: the options left of every open item, one item after the other
    clock: Integers  #: the memory of its clock


def new_dual(items: int, options: int, nodes: int) -> Dual:
    """Return multipliers of 0; the numbers are those of the problem."""
    return Dual(
        np.zeros(items + 1, np.int64),
        np.zeros(items + 1),
        np.zeros(options),
        np.zeros(items + 2, np.uint32),
        np.zeros(nodes, np.uint32),
        np.zeros(CLOCK_SIZE, np.int64),
    )


@entry(exact_cover.__file__)
def tighten(
    links: Links, dual: Dual, sweeps: Int, temperature: float, timeout_ns: Int
) -> tuple[Int, Int]:
    """Change the multipliers of the open items and the reduced costs in `links.cost`.

    There are `sweeps` over all items, fewer in large problems, and the first has this
    temperature, or one relative to the costs if it is 0. Return by how much the sum of all
    multipliers rose, which is negative as a rule, and the highest reduced cost of an option.
    Afterwards every option of an open item has a reduced cost of at least 0, even if the sweeps
    end early, after `timeout_ns` nanoseconds.
    """
    deadline = now(dual.clock) + timeout_ns
    list_options(links, dual)
    nodes: Int = np.int64(dual.start[dual.start.size - 1])
    most: Int = max(MIN_SWEEPS, min(sweeps, MAX_VISITS // (nodes + 1)))
    cooling = TOTAL_COOLING ** (-1.0 / most)
    # What all covers share has no part in the first temperature.
    rise = make_feasible(links, dual) if temperature == 0.0 else np.int64(0)
    first = reset_slack(links, dual)
    temperature = temperature if temperature > 0.0 else first
    for _ in range(most):
        if now(dual.clock) >= deadline:
            break
        for item in range(1, links.right.size):
            if dual.start[item] != dual.start[item + 1]:
                dual.change[item] += soften(dual, item, temperature)
        temperature *= cooling
    rise += round_changes(links, dual) + make_feasible(links, dual)
    return rise, highest_cost(links, dual)


@compiled
def list_options(links: Links, dual: Dual) -> None:
    """List the options that every open item has left."""
    nodes, start = links.nodes, dual.start
    start[:] = 0
    item = Unsigned(links.right[0])
    while item != 0:
        for word in range(nodes.first_word[item], nodes.last_word[item] + ONE, nodes.lanes):
            start[item + ONE] += bit_count(links.mask[word] & OPTION_BITS)
        item = links.right[item]
    for k in range(1, start.size):
        start[k] += start[k - 1]
    item = Unsigned(links.right[0])
    while item != 0:
        at = start[item]
        for word in range(nodes.first_word[item], nodes.last_word[item] + ONE, nodes.lanes):
            rest = links.mask[word] & OPTION_BITS
            while rest != ZERO:
                dual.options[at] = nodes.option[nodes.first_node[word] + lowest_bit(rest)]
                rest &= rest - ONE
                at += ONE
        item = links.right[item]


@compiled
def reset_slack(links: Links, dual: Dual) -> float:
    """Forget all changes, and return a temperature to begin with."""
    total = 0.0
    nodes = dual.start[dual.start.size - 1]
    dual.change[:] = 0.0
    for k in range(nodes):
        option = dual.options[k]
        dual.slack[option] = links.cost[option]
        total += links.cost[option]
    return float(INITIAL_TEMPERATURE * total / (nodes + 1) + 1.0)


@inlined
def soften(dual: Dual, item: Int, temperature: float) -> float:
    """Change one multiplier so that the soft minimum of its options' slacks becomes 0.

    The soft minimum of values x at temperature T is -T log(sum(exp(-x / T))). Return the change.
    """
    slack, options = dual.slack, dual.options
    first, end = dual.start[item], dual.start[item + 1]
    least = slack[options[first]]
    for k in range(first, end):
        least = min(least, slack[options[k]])
    total = 0.0
    for k in range(first, end):
        total += decay((slack[options[k]] - least) / temperature)
    change = float(temperature * math.log(total) - least)
    add(dual, slack, item, change)
    return change


@inlined
def decay(x: float) -> float:
    """Return about exp(-x), as (1 + x / 32) ** -32.

    Sweeps take two thirds of the time that they take with `math.exp`, and the bound is as good.
    """
    power = 1.0 / (1.0 + x / 32.0)
    for _ in range(5):
        power *= power
    return power


@inlined
def add(dual: Dual, costs: Any, item: Int, change: Any) -> None:
    """Add `change` to the costs of all options of an item."""
    for k in range(dual.start[item], dual.start[item + 1]):
        costs[dual.options[k]] += change


@compiled
def round_changes(links: Links, dual: Dual) -> Int:
    """Apply all changes as integers; return by how much the sum of the multipliers rose."""
    rise = np.int64(0)
    for item in range(1, links.right.size):
        if dual.start[item] != dual.start[item + 1]:
            change = np.int64(math.floor(dual.change[item] + 0.5))
            add(dual, links.cost, item, change)
            dual.multiplier[item] += change
            rise += change
    return rise


@compiled
def make_feasible(links: Links, dual: Dual) -> Int:
    """Change each multiplier in turn so that the item's cheapest option costs exactly 0.

    An option of negative cost is raised with its first item, and no later item lowers it below 0.
    Return by how much the sum of the multipliers rose.
    """
    rise = np.int64(0)
    for item in range(1, links.right.size):
        if dual.start[item] != dual.start[item + 1]:
            least = np.int64(UNBOUNDED)
            for k in range(dual.start[item], dual.start[item + 1]):
                least = min(least, links.cost[dual.options[k]])
            add(dual, links.cost, item, -least)
            dual.multiplier[item] -= least
            rise -= least
    return rise


@compiled
def highest_cost(links: Links, dual: Dual) -> Int:
    """Return the highest reduced cost of the options that `tighten` listed."""
    highest = np.int64(0)
    for k in range(dual.start[dual.start.size - 1]):
        highest = max(highest, links.cost[dual.options[k]])
    return highest
