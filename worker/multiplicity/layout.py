"""The tables of a search with multiplicities: Dancing Links with two more numbers for each item."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from worker.compiling.jit import Integers, Table
from worker.exact_cover.costs.cheapest import useful_options
from worker.exact_cover.layout import Links, links, restrict
from worker.exact_cover.problem import Problem

#: how often an item may and must be covered: the least and the greatest number of times
Bounds = tuple[int, int]


class Tables(NamedTuple):
    """The links of `exact_cover`, and what bounds and costs add to them.

    An item still *needs* `room - span` options; if that is not positive, its least number is
    reached. The ring of the links holds the primary items that need an option.
    """

    links: Links
    spare: Integers  #: per item: the options that it has left, less those that it needs
    room: Integers  #: per item: how many more options may be chosen
    span: Integers  #: per item: its greatest number less its least; constant
    loose: Table  #: the primary items whose two numbers differ; constant
    # What decisions cost beyond the bound; constant, and 0 in a search without costs.
    chosen_cost: Integers  #: per option: if it is chosen
    hidden_cost: Integers  #: per option: if it is hidden
    excess_cost: Integers  #: per item: for each option beyond its least number
    lack_cost: Integers  #: per item: for each option that it must lack of its greatest number


def tables_of(problem: Problem, bounds: Sequence[Bounds]) -> Tables:
    """Return the tables of a problem, with the bounds of its primary items and nothing chosen.

    A secondary item has the bounds 0 and 1, or no upper one if it has colours. Options without a
    primary item are left out. Raise ValueError if the problem is too large.
    """
    tables = links(problem, snapshots=False)
    useful = useful_options(problem)
    restrict(tables, useful)
    sizes = np.bincount(problem.members, np.repeat(useful, _lengths(problem)), problem.items + 1)
    least, most = np.zeros(problem.items + 1, np.int64), np.ones(problem.items + 1, np.int64)
    primary = slice(1, problem.primary + 1)
    most[problem.members[np.flatnonzero(problem.colour)]] = problem.cost.size
    if problem.primary:
        least[primary], most[primary] = np.array(bounds, np.int64).T
    most = np.maximum(least, np.minimum(most, sizes.astype(np.int64)))
    _link(tables, np.flatnonzero(least))
    span = most - least
    options = problem.cost.size
    return Tables(
        tables,
        spare=sizes.astype(np.int64) - least,
        room=most,
        span=span,
        loose=(1 + np.flatnonzero(span[primary])).astype(np.uint32),
        chosen_cost=np.zeros(options, np.int64),
        hidden_cost=np.zeros(options, np.int64),
        excess_cost=np.zeros(problem.items + 1, np.int64),
        lack_cost=np.zeros(problem.items + 1, np.int64),
    )


def max_depth(problem: Problem, bounds: Sequence[Bounds]) -> int:
    """Return the largest number of options that a cover can have."""
    return min(problem.cost.size, sum(most for _, most in bounds))


def _lengths(problem: Problem) -> Integers:
    first = problem.first.astype(np.int64)
    return first[1:] - first[:-1]


def _link(tables: Links, items: Integers) -> None:
    """Link these items in a ring with the root, and no others."""
    own = np.arange(tables.right.size)
    tables.left[:] = tables.right[:] = own
    ring = np.concatenate([[0], items])
    tables.right[ring], tables.left[ring] = np.roll(ring, -1), np.roll(ring, 1)
