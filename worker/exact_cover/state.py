"""Where a search stands: its terms, its registers, its guesses and the solutions that it keeps.

A search is not recursive and keeps everything in arrays, so that it can stop at any node, return
to Python, and continue later: no signal interrupts compiled code.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.clock import CLOCK_SIZE
from worker.compiling.numbers import Integers, Record, Table, Unsigned, record
from worker.exact_cover.problem import Problem

#: more than any cost: no option is too expensive
UNBOUNDED = 2**62
#: more than any number of nodes or solutions
UNLIMITED = 2**62

#: pairs compared before a guess, the newest first: with 30 the hardest sudokus take 8 % fewer
#: nodes, but a fifth more time
MAX_PAIRS_COMPARED = Unsigned(8)
#: solutions that there is room for at the start of a search
INITIAL_ROOM = 16
#: a search that finds MANY_SOLUTIONS in its first FIRST_NODES stops comparing pairs: where there
#: are many solutions, smaller trees do not pay for it.  This is not decided later, so that the tree
#: does not depend on where a search was divided.
MANY_SOLUTIONS, FIRST_NODES = 16, 1024
#: most search nodes between two readings of the clock
MAX_CLOCK_INTERVAL = 256
#: most nodes of options that may be hidden between two readings of the clock
MAX_HIDDEN = 1 << 20

#: the numbers of options in the order in which they were chosen
Path = tuple[int, ...]
_INT, _COUNT = np.int64, np.uint64
#: the registers that every search has
REGISTERS = (
    ("found", _INT),  # solutions within the budget
    ("kept", _INT),  # solutions in `Kept`
    ("nodes", _INT),  # options chosen, which is the size of the search tree
    ("node_limit", _INT),  # number of nodes at which the search ends
    ("clock_interval", _INT),  # nodes between two readings of the clock
    ("budget", _INT),  # the most that a solution may cost
    ("started", _INT),  # 0 if the search starts from the root when it is called
    ("revisits", _INT),  # 1 if solutions are kept that may be found again
    ("level", _INT),  # guesses that are open
    ("length", _INT),  # options chosen on the path to this node
    ("spent", _INT),  # what these options cost together
    ("dead", _INT),  # 1 if some item can no longer be covered
    ("forced", _COUNT),  # items on the stack `forced`
    ("trail", _COUNT),  # nodes on the trail
    ("open", _COUNT),  # items that must still be covered
)
#: the registers of a search for exact covers
State: Any = record(
    *REGISTERS,
    ("single", _COUNT),  # see `Counts`, as for the next one
    ("pairs", _COUNT),
    ("pairs_compared", _COUNT),  # before a guess; see `branch`
    ("first_nodes", _INT),  # nodes in which it may find MANY_SOLUTIONS; 0 in a part
    ("listed", _COUNT),  # options in `Links.by_cost`; see `exclude`
    ("excluded", _COUNT),  # as many of them are not left, the most expensive ones
)
#: a level of the search: the option to try next, and what the registers were before the guess
Guess: Any = record(
    ("word", _COUNT),  # of the mask of the item that is branched on
    ("rest", _COUNT),  # the bits of this word that are still to be tried
    ("length", _INT),
    ("spent", _INT),
    ("pairs", _COUNT),
    ("trail", _COUNT),
    ("open", _COUNT),
    ("excluded", _COUNT),
)


class Kept(NamedTuple):
    """The best solutions so far, a slot each, in no particular order."""

    options: Table  #: per slot: the numbers of its options, as many as `length` says
    length: Integers  #: per slot
    cost: Integers  #: per slot
    order: Integers  #: per slot: how many solutions had been found when this one was
    heap: Integers  #: the slots as a heap, the worst on top: the most expensive, then the latest


class Search(NamedTuple):
    """A search that can be continued."""

    chosen: Table  #: per chosen option: the node by which it was chosen
    guesses: Record  #: per level: a `Guess`
    state: Record  #: a `State`
    kept: Kept
    clock: Integers  #: the memory of its clock


class Terms(NamedTuple):
    """What a search looks for."""

    limit: int  #: stop after this many solutions; a negative limit is never reached
    wanted: int  #: most solutions to keep, at least one: the cheapest, then the first found
    prune: bool  #: once that many are kept, look only for cheaper ones
    step: int  #: solutions that differ in cost differ by at least this much
    costly: bool  #: options may have costs

    @property
    def first_room(self) -> int:
        """The solutions that there is room for at the start of a search."""
        return min(self.wanted, INITIAL_ROOM)


def terms(
    *, limit: int | None, keep: int, prune: bool = False, step: int = 1, costly: bool = True
) -> Terms:
    """Return the terms for a request, whose numbers may be of any size."""
    wanted = max(1, min(keep, UNLIMITED))
    if limit is None:
        return Terms(-1, wanted, prune, step, costly)
    limit = min(limit, UNLIMITED)
    return Terms(limit, max(1, min(wanted, limit)), prune, step, costly)


def new_search(
    problem: Problem,
    room: int,
    *,
    depth: int | None = None,
    registers: Any = State,
    guess: Any = Guess,
) -> Search:
    """Return a search that has not begun, with room to keep `room` covers.

    They have at most `depth` options each, by default as many as exact covers can have. Other
    searches have other `registers`, and another record for each `guess`.
    """
    depth = problem.max_depth if depth is None else depth
    search = Search(
        np.zeros(depth + 1, np.uint32),
        np.zeros(depth + 1, guess),
        np.zeros(1, registers)[0],
        Kept(np.zeros((room, depth), np.uint32), *np.zeros((4, room), np.int64)),
        np.zeros(CLOCK_SIZE, np.int64),
    )
    nodes = problem.members.size
    search.state.clock_interval = max(1, min(MAX_CLOCK_INTERVAL, MAX_HIDDEN // (nodes + 1)))
    search.state.budget, search.state.node_limit = UNBOUNDED, UNLIMITED
    if registers is State:
        compare_pairs(search)
    return search


def compare_pairs(search: Search) -> None:
    """Let a new search compare pairs, unless it finds many solutions at once."""
    state = search.state
    state.pairs_compared, state.first_nodes = MAX_PAIRS_COMPARED, FIRST_NODES


def start_round(search: Search, terms: Terms, budget: int, node_limit: int) -> None:
    """Start again from the root, with this budget and for `node_limit` more nodes.

    What was found stays, and with `terms.prune` only cheaper solutions than that are looked for.
    """
    state = search.state
    state.budget = min(budget, most_wanted(search, terms))
    state.node_limit = state.nodes + node_limit
    state.started, state.revisits = 0, 1 if state.kept > 0 else 0


def most_wanted(search: Search, terms: Terms) -> int:
    """Return the most that a solution may cost to be wanted besides those that are kept."""
    state, kept = search.state, search.kept
    if not terms.prune or state.kept < terms.wanted:
        return UNBOUNDED
    return int(kept.cost[kept.heap[0]]) - terms.step


def start_again(search: Search) -> Search:
    """Let a search start from the root, without comparing pairs; return what it has found, a copy.

    Its nodes count, because the search has visited them.
    """
    state, kept = search.state, Kept._make(column.copy() for column in search.kept)
    before = search._replace(state=state.copy(), kept=kept)
    state.found = state.kept = state.revisits = state.started = 0
    state.pairs_compared, state.first_nodes = 1, 0
    return before


def keep_first(search: Search, options: NDArray[Any], costs: Integers) -> Search:
    """Return the search with these covers kept, as if it had found them: a row of options each."""
    (count, length), kept = options.shape, search.kept
    kept = longer(kept, max(0, count - len(kept.cost)))
    kept.options[:count, :length], kept.length[:count] = options, length
    kept.cost[:count], kept.order[:count] = costs, np.arange(count)
    kept.heap[:count] = np.lexsort((kept.order[:count], costs))[::-1]
    search.state.kept = count
    return search._replace(kept=kept)


def longer(kept: Kept, more: int) -> Kept:
    """Return the same solutions with room for `more`."""
    return Kept._make(
        np.concatenate([column, np.zeros((more, *column.shape[1:]), column.dtype)])
        for column in kept
    )


def kept_paths(search: Search) -> list[tuple[Path, int]]:
    """Return the kept solutions: option numbers in the order in which they were chosen, and cost.

    The cheapest comes first, and among solutions of equal cost the one that was found first.
    """
    kept, count = search.kept, int(search.state.kept)
    return [
        (tuple(kept.options[slot, : kept.length[slot]].tolist()), int(kept.cost[slot]))
        for slot in np.lexsort((kept.order[:count], kept.cost[:count])).tolist()
    ]
