"""Settings of Python's garbage collector for processes that solve.

A chunk's answers are tens of thousands of tuples that live for half a second and contain no
reference cycles.  With default thresholds the collector traverses them again and again, which takes
longer than making them.
"""

import gc

#: allocations minus deallocations that start a collection; more than one chunk makes
GENERATION_0_THRESHOLD = 200_000


def collect_rarely() -> None:
    """Exempt the objects that exist now from collection, and collect new ones rarely."""
    gc.freeze()
    gc.set_threshold(GENERATION_0_THRESHOLD)
