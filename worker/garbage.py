"""Settings of Python's garbage collector: what makes much and no reference cycles is not searched.

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

    Traversing what compiling makes would take a tenth of its time; what is decoded from the JSON of
    many options, more than half.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
