"""The compiled search, which Python calls.

It is defined in a function that gives it the digest of the sources to close over, so that numba
compiles it again when any of them changes: see `source_digest`. So are the entries of costs and
parts.
"""

from pathlib import Path
from typing import Any

from worker.compiling import jit
from worker.compiling.clock import now
from worker.compiling.jit import Int, entry, source_digest
from worker.exact_cover.layout import Links
from worker.exact_cover.search import run
from worker.exact_cover.state import Search, Terms

#: a digest of all sources that the entries depend on
SOURCES = source_digest(Path(jit.__file__).parent, Path(__file__).parent)


def _search_slice(sources: int) -> Any:
    @entry
    def search_slice(
        links: Links, search: Search, terms: Terms, slice_ns: Int, timeout_ns: Int
    ) -> tuple[Int, Int]:
        _ = sources
        began = now(search.clock)
        status = run(links, search, terms, began + slice_ns, began + timeout_ns)
        return status, now(search.clock) - began

    return search_slice


#: Continue a search for `slice_ns` nanoseconds; return why it stopped, and the wall time that it
#: took. It ends after `timeout_ns`.
search_slice = _search_slice(SOURCES)
