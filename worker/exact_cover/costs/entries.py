"""The compiled improvement of multipliers, which Python calls."""

from typing import Any

from worker.compiling.clock import now
from worker.compiling.jit import Int, entry
from worker.exact_cover.costs import dual as dual_bound
from worker.exact_cover.costs.dual import Dual
from worker.exact_cover.entries import SOURCES
from worker.exact_cover.layout import Links


def _tighten(sources: int) -> Any:
    @entry
    def tighten(
        links: Links, dual: Dual, sweeps: Int, temperature: float, timeout_ns: Int
    ) -> tuple[Int, Int]:
        _ = sources
        deadline = now(dual.clock) + timeout_ns
        rise = dual_bound.tighten(links, dual, sweeps, temperature, deadline)
        return rise, dual_bound.highest_cost(links, dual)

    return tighten


#: Improve the multipliers for at most `timeout_ns` nanoseconds, see `dual.tighten`; return by how
#: much their sum rose, and the highest reduced cost of an option.
tighten = _tighten(SOURCES)
