"""How a search for cheap covers divides its time."""

from typing import NamedTuple


class Strategy(NamedTuple):
    """How much of each kind of work is done before other work is tried."""

    #: nodes of the search with the estimate h() alone, times nodes of options: 0.2 ms, in which
    #: tiny problems are solved
    first_visits: int = 400_000
    #: the same for the search with the first multipliers, in which small problems are solved
    early_visits: int = 1_000_000
    #: sweeps of each round that improves the multipliers at a node other than the root
    sweeps: int = 6
    #: seconds after which local search looks for several covers, or for one with secondary items;
    #: in small problems the search finds them sooner
    walk_after: float = 0.016
    #: options for each item from which on the local search has cores of them
    many: int = 40
    #: the node limit of the first rounds
    first_nodes: int = 2_000


DEFAULT = Strategy()
