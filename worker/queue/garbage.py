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


def search_now() -> None:
    """Among the little that is not set aside.

    The main process makes some with each message, and Python by itself comes round to it late: it
    grew by a megabyte in some 800 chunks, without end.
    """
    gc.collect()


def set_aside() -> None:
    """What is there already, from all searches to come.

    Before the fork: Celery's pool searches once for each process, 0.1 s with numba loaded, and
    a search in a child would copy every page that it looks at.
    """
    gc.freeze()
