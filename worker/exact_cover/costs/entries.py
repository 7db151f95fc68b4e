"""The compiled improvement of multipliers, which Python calls."""

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.jit import Int, entry
from worker.exact_cover.costs import dual as dual_bound
from worker.exact_cover.costs.dual import Dual
from worker.exact_cover.layout import Links


@entry(exact_cover.__file__)
def tighten(
    links: Links, dual: Dual, sweeps: Int, temperature: float, timeout_ns: Int
) -> tuple[Int, Int]:
    """Improve the multipliers for at most `timeout_ns` nanoseconds, see `dual.tighten`.

    Return by how much their sum rose, and the highest reduced cost of an option.
    """
    deadline = now(dual.clock) + timeout_ns
    rise = dual_bound.tighten(links, dual, sweeps, temperature, deadline)
    return rise, dual_bound.highest_cost(links, dual)
