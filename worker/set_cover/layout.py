"""The tables of a search for set covers: what is constant, and what dances."""

from typing import NamedTuple

import numpy as np

from worker.compiling.jit import Integers, Table
from worker.exact_cover.problem import Problem

#: what was decided about an option
FREE, CHOSEN, EXCLUDED = 0, 1, 2
#: multipliers are counted in such fractions of a unit of cost, unless sums might exceed 64 bits
MAX_UNIT = 1 << 20
#: more than all costs together, counted in these fractions
MAX_TOTAL = 1 << 60


class Tables(NamedTuple):
    """The options and items of a problem, and everything that choices change and undo."""

    # constant during a search
    first: Table  #: per option: where its items begin in `items`; one more entry at the end
    middle: Table  #: per option: where its secondary items begin in `items`
    items: Table  #: the items of all options, one option after the other, the primary ones first
    begin: Table  #: per item: where its options begin in `options`; one more entry at the end
    options: Table  #: the options of all items, one item after the other
    colour: Table  #: per entry of `items`: the number of its colour, 0 for none; or empty
    same_colour: Table  #: per entry of `options`: likewise
    cost: Integers  #: per option: its cost in units
    # undone in reverse order
    left: Table  #: per primary item: its left neighbour in the ring of open items; 0 is the root
    right: Table  #: per primary item: its right neighbour
    times: Table  #: per item: how many chosen options have it
    size: Table  #: per item: how many of its options are not excluded
    fate: Table  #: per option: FREE, CHOSEN or EXCLUDED
    order: Table  #: the options: first the free ones, then the others, the latest decision first
    place: Table  #: per option: its index in `order`
    forced: Table  #: a stack of items that have one option left
    implied: Table  #: a stack of items that left the ring because another item implies them


def unit_of(problem: Problem) -> int:
    """Return the number of parts in which a unit of cost is counted, a power of two."""
    total = int(problem.cost.sum()) + int(problem.cost.max(initial=0)) + 1
    unit = MAX_UNIT
    while unit > 1 and total * unit > MAX_TOTAL:
        unit //= 2
    return unit


def tables_of(problem: Problem) -> Tables:
    """Return the tables of a problem with nothing chosen and every primary item open."""
    options, items = problem.cost.size, problem.items
    first = problem.first.astype(np.int64)
    option = np.repeat(np.arange(options), first[1:] - first[:-1])
    members = problem.members.astype(np.int64)
    is_secondary = members > problem.primary
    by_option = np.lexsort((members, is_secondary, option))
    by_item = np.lexsort((option, members))
    sizes = np.bincount(members, minlength=items + 1)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    ring = np.arange(problem.primary + 1, dtype=np.uint32)
    has_colours = problem.colour.size > 0
    return Tables(
        first=problem.first,
        middle=(first[1:] - np.bincount(option, is_secondary, options)).astype(np.uint32),
        items=problem.members[by_option],
        begin=begin.astype(np.uint32),
        options=option[by_item].astype(np.uint32),
        colour=problem.colour[by_option] if has_colours else problem.colour,
        same_colour=problem.colour[by_item] if has_colours else problem.colour,
        cost=problem.cost * unit_of(problem),
        left=np.concatenate([ring[-1:], ring[:-1]]),
        right=np.concatenate([ring[1:], ring[:1]]),
        times=np.zeros(items + 1, np.uint32),
        size=sizes.astype(np.uint32),
        fate=np.zeros(options, np.uint32),
        order=np.arange(options, dtype=np.uint32),
        place=np.arange(options, dtype=np.uint32),
        forced=np.zeros(members.size + items + 1, np.uint32),
        implied=np.zeros(problem.primary + 1, np.uint32),
    )
