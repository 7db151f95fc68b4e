"""An exact cover problem with numbered items: its options and their costs."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: the largest number of items, and of nodes, of a problem: the kernel keeps the number of a
#: 32-bit word, times 32, plus the number of one of its bits in 32 bits
MAX_ITEMS = 2**27


class Problem(NamedTuple):
    """An exact cover problem.

    A solution (a cover) is a set of options in which each primary item, 1 to `primary`, occurs
    exactly once, and each secondary item, `primary + 1` to `items`, at most once.
    """

    items: int
    primary: int
    members: NDArray[np.uint32]  #: the items of all options, one option after the other
    first: NDArray[np.uint32]  #: option k has the items `members[first[k]:first[k + 1]]`
    cost: NDArray[np.int64]  #: per option, never negative


def number(
    primary: int,
    secondary: int,
    options: Sequence[Sequence[int]],
    cost: Sequence[int] | None = None,
) -> Problem:
    """Return the problem with these options, each a list of item numbers; costs default to 0.

    Raise ValueError if an option names an item twice or one that does not exist, or if the
    problem is too large.

    >>> number(2, 1, [[1, 3], [2], [2, 3]]).first
    array([0, 2, 3, 5], dtype=uint32)
    """
    items = primary + secondary
    for k, option in enumerate(options, start=1):
        if len(set(option)) != len(option):
            raise ValueError(f"option {k} names an item twice")
        if option and (min(option) < 1 or max(option) > items):
            raise ValueError(f"option {k} names an item that does not exist")
    lengths = [len(option) for option in options]
    if items >= 2**32:
        raise ValueError(f"there are more than {2**32 - 1:,} items")
    if sum(lengths) > MAX_ITEMS:
        raise ValueError(f"the options together have more than {MAX_ITEMS:,} items")
    return Problem(
        items,
        primary,
        np.fromiter(chain.from_iterable(options), np.uint32, sum(lengths)),
        np.cumsum([0, *lengths]).astype(np.uint32),
        np.array(cost if cost is not None else [0] * len(options), np.int64),
    )
