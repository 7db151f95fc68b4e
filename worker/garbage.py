"""Python's search for cyclic garbage, in processes whose work makes none of it.

A chunk's answers are tens of thousands of tuples that live for half a second.  Python would
walk over them again and again, which takes longer than making them.
"""

import gc

#: objects, above those that were freed, after which Python looks for cycles; more than a chunk's
YOUNG = 200_000


def search_seldom() -> None:
    """From now on; and never again among what is there already."""
    gc.freeze()
    gc.set_threshold(YOUNG)
