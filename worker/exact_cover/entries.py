"""The compiled search, which Python calls."""

from worker.compiling.clock import now
from worker.compiling.jit import Int, entry
from worker.exact_cover.layout import Links
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
