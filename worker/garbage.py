"""Settings of Python's garbage collector, for work that creates many objects and no cycles.

A chunk's answers are tens of thousands of tuples that live for half a second.  With default
thresholds the collector traverses them again and again, which takes longer than making them.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: allocations minus deallocations that start a collection; more than one chunk makes
GENERATION_0_THRESHOLD = 200_000


def collect_rarely() -> None:
    """Exempt the objects that exist now from collection, and collect new ones rarely."""
    gc.freeze()
    gc.set_threshold(GENERATION_0_THRESHOLD)


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn garbage collection off.

    Traversing the compiler's data structures again and again would take a sixth of the time of
    compiling, and traversing decoded JSON more than half of the time of decoding many options.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
