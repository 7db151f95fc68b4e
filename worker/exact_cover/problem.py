"""An exact cover problem, numbered: items, options and what options cost."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: items, or nodes, of a problem: the number of a word and of its bit fit into 32 bits
LARGEST = 2**27


class Problem(NamedTuple):
    """Items 1..primary must be covered once, items primary+1..items at most once."""

    items: int
    primary: int
    members: NDArray[np.uint32]  #: the items of all options, one option after the other
    first: NDArray[np.uint32]  #: option k has members[first[k]:first[k + 1]]
    cost: NDArray[np.int64]  #: what option k costs, never negative


def number(
    primary: int,
    secondary: int,
    options: Sequence[Sequence[int]],
    cost: Sequence[int] | None = None,
) -> Problem:
    """A problem of lists.  Raise ValueError if an option names an item twice or one unknown.

    >>> number(2, 1, [[1, 3], [2], [2, 3]]).first
    array([0, 2, 3, 5], dtype=uint32)
    """
    items = primary + secondary
    for k, option in enumerate(options, start=1):
        if len(set(option)) != len(option):
            raise ValueError(f"option {k} names an item twice")
        if option and (min(option) < 1 or max(option) > items):
            raise ValueError(f"option {k} names an item that is not there")
    lengths = [len(option) for option in options]
    if items >= 2**32:
        raise ValueError(f"there are more than {2**32 - 1:,} items")
    if sum(lengths) > LARGEST:
        raise ValueError(f"the options together have more than {LARGEST:,} items")
    return Problem(
        items,
        primary,
        np.fromiter(chain.from_iterable(options), np.uint32, sum(lengths)),
        np.cumsum([0, *lengths]).astype(np.uint32),
        np.array(cost if cost is not None else [0] * len(options), np.int64),
    )
