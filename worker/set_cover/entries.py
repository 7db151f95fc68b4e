"""The compiled functions of this package that Python calls; see `exact_cover.entries`."""

from pathlib import Path
from typing import Any

from worker import exact_cover
from worker.compiling import jit
from worker.compiling.clock import now, start, time_run
from worker.compiling.jit import Int, entry, source_digest
from worker.set_cover.layout import Tables
from worker.set_cover.neighbourhood import walk_on
from worker.set_cover.search import advance
from worker.set_cover.state import Search, Terms
from worker.set_cover.walk import Walk

#: a digest of all sources that the entries depend on
SOURCES = source_digest(
    Path(jit.__file__).parent, Path(exact_cover.__file__).parent, Path(__file__).parent
)


def _search_slice(sources: int) -> Any:
    @entry
    def search_slice(
        tables: Tables, search: Search, terms: Terms, sweeps: Int, slice_ns: Int, timeout_ns: Int
    ) -> tuple[Int, Int, Int]:
        _ = sources
        began = start(search.clock)
        status = advance(tables, search, terms, sweeps, began + slice_ns, began + timeout_ns)
        ended = now(search.clock)
        return status, time_run(search.clock, began, ended), ended - began

    return search_slice


def _walk_slice(sources: int) -> Any:
    @entry
    def walk_slice(
        tables: Tables, search: Search, walk: Walk, steps: Int, goal: Int, slice_ns: Int
    ) -> tuple[Int, Int, Int]:
        _ = sources
        began = start(search.clock)
        status = walk_on(tables, search, walk, steps, goal, began + slice_ns)
        ended = now(search.clock)
        return status, time_run(search.clock, began, ended), ended - began

    return walk_slice


#: Continue the local search up to `steps` steps or while covers that cost more than `goal` are
#: wanted, for `slice_ns` nanoseconds; return why it stopped, the CPU time and the wall time.
walk_slice = _walk_slice(SOURCES)
#: Improve the bound at the root by `sweeps` sweeps, or if that is 0 search for `slice_ns`
#: nanoseconds; return why it stopped, the CPU time and the wall time. It ends after `timeout_ns`.
search_slice = _search_slice(SOURCES)
