"""The compiled functions of this package that Python calls.

Each is defined in a function that gives it the digest of the sources to close over, so that numba
compiles it again when any of them changes: see `source_digest`.
"""

from pathlib import Path
from typing import Any

from worker.compiling import jit
from worker.compiling.clock import now, start, time_run
from worker.compiling.jit import Int, Integers, entry, source_digest
from worker.exact_cover.costs import dual as dual_bound
from worker.exact_cover.costs.dual import Dual
from worker.exact_cover.layout import Links
from worker.exact_cover.parts import path
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


def _tighten(sources: int) -> Any:
    @entry
    def tighten(
        links: Links, dual: Dual, sweeps: Int, temperature: float, timeout_ns: Int
    ) -> tuple[Int, Int, Int, Int]:
        _ = sources
        began = start(dual.clock)
        rise = dual_bound.tighten(links, dual, sweeps, temperature, began + timeout_ns)
        highest = dual_bound.highest_cost(links, dual)
        ended = now(dual.clock)
        return rise, highest, time_run(dual.clock, began, ended), ended - began

    return tighten


def _leave(sources: int) -> Any:
    @entry
    def leave(links: Links, search: Search, rows: Integers) -> tuple[Int, Int]:
        _ = sources
        return path.leave(links, search, rows)

    return leave


def _follow(sources: int) -> Any:
    @entry
    def follow(links: Links, search: Search, terms: Terms, rows: Integers) -> bool:
        _ = sources
        return path.follow(links, search, terms, rows)

    return follow


#: Continue a search for `slice_ns` nanoseconds; return why it stopped, and the wall time that it
#: took. It ends after `timeout_ns`.
search_slice = _search_slice(SOURCES)
#: Improve the multipliers for at most `timeout_ns` nanoseconds, see `dual.tighten`; return by how
#: much their sum rose, the highest reduced cost of an option, and the CPU time and the wall time
#: that it took.
tighten = _tighten(SOURCES)
#: Return to the root of a search that stopped, and write where it was: see `path.leave`.
leave = _leave(SOURCES)
#: Go from the root to where a search stopped: see `path.follow`.
follow = _follow(SOURCES)
