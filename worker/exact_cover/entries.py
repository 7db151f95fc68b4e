"""The compiled functions of this package that Python calls."""

import numpy as np
from numpy.typing import NDArray

from worker.compiling.clock import now
from worker.compiling.jit import ONE, ZERO, Int, entry
from worker.exact_cover.form import first_size
from worker.exact_cover.layout import MEMBER_BIT, MEMBER_SHIFT, NOT_OPEN, Links
from worker.exact_cover.search import run
from worker.exact_cover.state import Search, Terms


@entry(__file__)
def search_slice(
    links: Links, search: Search, terms: Terms, slice_ns: Int, timeout_ns: Int
) -> tuple[Int, Int]:
    """Continue a search for `slice_ns` nanoseconds.

    Return why it stopped, and the wall time that it took. It ends after `timeout_ns`.
    """
    began = now(search.clock)
    status = run(links, search, terms, began + slice_ns, began + timeout_ns)
    return status, now(search.clock) - began


@entry(__file__)
def restrict(links: Links, options: NDArray[np.bool_]) -> None:
    """Leave each item only the options that are marked true; what is open does not change."""
    nodes, mask, sizes = links.nodes, links.mask, first_size(links)
    for word in range(mask.size):
        mask[word] &= NOT_OPEN
    for node in range(nodes.option.size):
        if options[nodes.option[node]]:
            member = nodes.members[nodes.others[node] - ONE]
            word = member >> MEMBER_SHIFT
            mask[word] |= ONE << (member & MEMBER_BIT)
            if sizes != ZERO:
                mask[sizes + nodes.item[word]] += ONE
