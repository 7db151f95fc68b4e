"""The memory of a search with multiplicities: its tables, and where it stands.

The tables are those of Dancing Links with two more numbers for each item.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from worker.compiling.numbers import Integers, Table, record
from worker.exact_cover import state
from worker.exact_cover.exclude import restrict
from worker.exact_cover.layout import Links, links
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import Search
from worker.set_cover.layout import Multiplicity, numbers_of


class Tables(NamedTuple):
    """The links of `exact_cover`, and what multiplicities and costs add to them.

    An item still *needs* `room - span` options; if that is not positive, its least number is
    reached. The ring of the links holds the primary items that need an option.
    """

    links: Links
    spare: Integers  #: per item: the options that it has left, less those that it needs
    room: Integers  #: per item: how many more options may be chosen
    span: Integers  #: per item: its greatest number less its least; constant
    loose: Table  #: the primary items whose two numbers differ; constant


_INT, _COUNT = np.int64, np.uint64
#: the registers of a search
State: Any = record(
    *state.REGISTERS,
    ("visited", _INT),  # 1 once the cover at this node was visited
)
#: a level of the search: the option that was guessed, and what the registers were before
Guess: Any = record(("node", _COUNT), ("visited", _INT), ("trail", _COUNT))


def tables_of(problem: Problem, multiplicities: Sequence[Multiplicity]) -> Tables:
    """Return the tables of a problem with nothing chosen.

    The multiplicities are those of its primary items. A secondary item is covered at most once, or
    any number of times if it has colours. Options without a primary item are left out. Raise
    ValueError if the problem is too large.
    """
    tables = links(problem, snapshots=False)
    useful = problem.is_useful
    restrict(tables, useful)
    members = problem.members[useful[problem.option_of_member]]
    sizes = np.bincount(members, minlength=problem.items + 1)
    least, most = numbers_of(problem, multiplicities)
    most = np.maximum(least, np.minimum(most, sizes))
    _link(tables, np.flatnonzero(least))
    span = most - least
    return Tables(
        tables,
        spare=sizes - least,
        room=most,
        span=span,
        loose=(1 + np.flatnonzero(span[1 : problem.primary + 1])).astype(np.uint32),
    )


def new_search(problem: Problem, multiplicities: Sequence[Multiplicity], room: int) -> Search:
    """Return a search that has not begun, with room to keep `room` covers."""
    depth = min(problem.cost.size, sum(most for _, most in multiplicities))
    return state.new_search(problem, room, depth=depth, registers=State, guess=Guess)


def _link(tables: Links, items: Integers) -> None:
    """Link these items in a ring with the root, and no others."""
    own = np.arange(tables.right.size)
    tables.left[:] = tables.right[:] = own
    ring = np.concatenate([[0], items])
    tables.right[ring], tables.left[ring] = np.roll(ring, -1), np.roll(ring, 1)
