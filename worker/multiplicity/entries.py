"""The compiled function of this package that Python calls; see `exact_cover.entries`."""

from pathlib import Path
from typing import Any

from worker import exact_cover
from worker.compiling import jit
from worker.compiling.clock import now, start, time_run
from worker.compiling.jit import Int, entry, source_digest
from worker.exact_cover.state import Search, Terms
from worker.multiplicity.layout import Tables
from worker.multiplicity.search import run

#: a digest of all sources that the entry depends on
SOURCES = source_digest(
    Path(jit.__file__).parent, Path(exact_cover.__file__).parent, Path(__file__).parent
)


def _search_slice(sources: int) -> Any:
    @entry
    def search_slice(
        tables: Tables, search: Search, terms: Terms, slice_ns: Int, timeout_ns: Int
    ) -> tuple[Int, Int, Int]:
        _ = sources
        began = start(search.clock)
        status = run(tables, search, terms, began + slice_ns, began + timeout_ns)
        ended = now(search.clock)
        return status, time_run(search.clock, began, ended), ended - began

    return search_slice


#: Continue a search for `slice_ns` nanoseconds; return why it stopped, and the CPU time and the
#: wall time that it took. It ends after `timeout_ns`.
search_slice = _search_slice(SOURCES)
