"""Where a search with multiplicities stands: its registers, its guesses and what it keeps."""

from typing import Any

import numpy as np

from worker.exact_cover import state
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, Search

_INT, _COUNT = np.int64, np.uint64
#: the registers of a search; those of the same name as in `exact_cover` have the same meaning
State: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("found", _INT),  # covers within the budget
                ("kept", _INT),  # covers in `Kept`
                ("nodes", _INT),  # options chosen, which is the size of the search tree
                ("node_limit", _INT),  # nodes at which the search ends
                ("clock_interval", _INT),  # nodes between two readings of the clock
                ("budget", _INT),  # the most that a cover may cost beyond the bound
                ("bound", _INT),  # no cover costs less
                ("started", _INT),  # 0 before the root was entered
                ("level", _INT),  # guesses that are open
                ("length", _INT),  # options chosen on the path to this node
                ("spent", _INT),  # what the decisions on the path cost beyond the bound
                ("dead", _INT),  # 1 if no wanted cover is below this node
                ("visited", _INT),  # 1 once the cover at this node was visited
                ("forced", _COUNT),  # items on the stack `forced`
                ("trail", _COUNT),  # decisions on the trail
            ],
            align=True,
        ),
    )
)
#: a level of the search: the option that was guessed, and what the registers were before
Guess: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("node", _COUNT),
                ("spent", _INT),
                ("visited", _INT),
                ("trail", _COUNT),
            ],
            align=True,
        ),
    )
)


def new_search(depth: int, nodes: int, room: int) -> Search:
    """Return a search for covers of at most `depth` options, with room to keep `room`.

    The options of the problem have `nodes` nodes together.
    """
    search = state.new_search(depth, nodes, room)
    registers = np.zeros(1, State)[0]
    registers.clock_interval = search.state.clock_interval
    registers.budget, registers.node_limit = UNBOUNDED, UNLIMITED
    return search._replace(guesses=np.zeros(depth + 1, Guess), state=registers)
