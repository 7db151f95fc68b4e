"""The compiled functions of this package that Python calls."""

from pathlib import Path
from typing import Any

from worker.compiling import jit
from worker.compiling.clock import now, start, time_run
from worker.compiling.jit import Int, Integers, entry, source_digest
from worker.counting import diagram as diagrams
from worker.counting import search
from worker.counting.diagram import Diagram
from worker.counting.memo import Memo
from worker.counting.numbers import Words
from worker.counting.table import Table, copy_entries
from worker.exact_cover import cover
from worker.exact_cover.state import Terms

#: a digest of all sources that the entries depend on
SOURCES = source_digest(*(Path(file).parent for file in (jit.__file__, cover.__file__, __file__)))


def _memo_slice(sources: int) -> Any:
    @entry
    def memo_slice(
        memo: Memo, asked: Terms, slice_ns: Int, timeout_ns: Int
    ) -> tuple[Int, Int, Int]:
        _ = sources
        clock = memo.search.clock
        began = start(clock)
        status = search.run(memo, asked, began + slice_ns, began + timeout_ns)
        ended = now(clock)
        return status, time_run(clock, began, ended), ended - began

    return memo_slice


def _copy_table(sources: int) -> Any:
    @entry
    def copy_table(source: Table, target: Table) -> None:
        _ = sources
        copy_entries(source, target)

    return copy_table


def _count_nodes(sources: int) -> Any:
    @entry
    def count_nodes(diagram: Diagram, counts: Words, size: Int, begin: Int, end: Int) -> None:
        _ = sources
        diagrams.count_nodes(diagram, counts, size, begin, end)

    return count_nodes


def _count_options(sources: int) -> Any:
    @entry
    def count_options(
        diagram: Diagram, counts: Words, above: Words, uses: Words, size: Int, begin: Int, end: Int
    ) -> None:
        _ = sources
        diagrams.count_options(diagram, counts, above, uses, size, begin, end)

    return count_options


def _least_costs(sources: int) -> Any:
    @entry
    def least_costs(
        diagram: Diagram, least: Integers, cost: Integers, begin: Int, end: Int
    ) -> None:
        _ = sources
        diagrams.least_costs(diagram, least, cost, begin, end)

    return least_costs


#: Continue a search with a table for `slice_ns` nanoseconds; return why it stopped, and the CPU
#: time and the wall time that it took. It ends after `timeout_ns`.
memo_slice = _memo_slice(SOURCES)
#: Store the entries of one table in another.
copy_table = _copy_table(SOURCES)
#: Count the covers of nodes of a diagram.
count_nodes = _count_nodes(SOURCES)
#: Count the covers by option, from nodes of a diagram.
count_options = _count_options(SOURCES)
#: Find the least costs of nodes of a diagram.
least_costs = _least_costs(SOURCES)
