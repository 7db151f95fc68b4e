"""Where a search for set covers stands: its registers, its guesses and what it keeps."""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.clock import CLOCK_SIZE
from worker.compiling.jit import Integers, Record, Table
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, Kept
from worker.set_cover.layout import Tables, unit_of

#: levels whose multipliers are saved, if they take no more than this many numbers together
MAX_SAVED = 1 << 20
#: the first state of the random numbers: the same searches in every run
SEED = 88172645463325252
_INT, _COUNT = np.int64, np.uint64
#: the registers of a search
State: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("free", _COUNT),  # options that are neither chosen nor excluded
                ("open", _COUNT),  # primary items that no chosen option has
                ("spent", _INT),  # what the chosen options cost
                ("forced", _COUNT),  # items on the stack `forced`
                ("dead", _INT),  # 1 if some open item has no option left
                ("level", _COUNT),  # guesses that are open
                ("entered", _INT),  # 1 once the root was entered
                ("root_free", _COUNT),  # `free` after dominated options were excluded at the root
                ("implied", _COUNT),  # items on the stack `implied`
                ("reduced", _INT),  # 1 once dominated options were excluded at the root
                ("nodes", _INT),  # guesses made, and their opposites
                ("node_limit", _INT),  # nodes at which the search stops
                ("found", _INT),  # covers found within the budget
                ("kept", _INT),  # covers in `Kept`
                ("budget", _INT),  # the most that a cover may cost
                ("bound", _INT),  # no cover costs less
                ("chance", _COUNT),  # the state of the random numbers
            ],
            align=True,
        ),
    )
)


class Search(NamedTuple):
    """A search that can be continued; the multipliers of its bound, and memory to improve it."""

    state: Record  #: a `State`
    guess: Table  #: per level: the option that was guessed
    free: Table  #: per level: `state.free` before the guess
    excluded: Table  #: per level: 1 after the option was excluded in turn
    saved: Integers  #: per level, up to `MAX_SAVED`: the multipliers before the guess
    multiplier: Integers  #: per item: what the bound says that covering it costs
    reduced: Integers  #: per free option: its cost without the multipliers of its open items
    load: Integers  #: per item: its free options of negative reduced cost
    mark: Table  #: per item: scratch
    kept: Kept
    clock: Integers  #: the memory of its clock


class Terms(NamedTuple):
    """What a search looks for."""

    limit: int  #: covers after which the search stops; a negative limit is never reached
    wanted: int  #: covers that are kept at most: the cheapest, then the first found
    prune: bool  #: once that many are kept, look only for cheaper ones
    single: bool  #: one cover of the least cost is enough, or any within the budget
    step: int  #: covers that differ in cost differ by at least this much
    sweeps: int  #: most improvements of the multipliers at a node; 0: only the estimate h()


def new_terms(problem: Problem, sweeps: int, *, wanted: int, limit: int | None = None) -> Terms:
    """Return the terms of a search for the cheapest covers; with a limit, for any."""
    return Terms(
        limit=-1 if limit is None else limit,
        wanted=wanted,
        prune=limit is None,
        single=wanted == 1 if limit is None else limit == 1,
        step=unit_of(problem) * max(1, int(np.gcd.reduce(problem.cost, initial=0))),
        sweeps=sweeps,
    )


def new_search(problem: Problem, tables: Tables, room: int) -> Search:
    """Return a search that has not begun, with room for `room` covers."""
    options, items = problem.cost.size, problem.items + 1
    depth = min(problem.primary, options)
    levels = min(options + 1, MAX_SAVED // items)
    search = Search(
        state=np.zeros(1, State)[0],
        guess=np.zeros(options + 1, np.uint32),
        free=np.zeros(options + 1, np.uint32),
        excluded=np.zeros(options + 1, np.uint32),
        saved=np.zeros(levels * items, np.int64),
        multiplier=np.zeros(items, np.int64),
        reduced=np.zeros(options, np.int64),
        load=np.zeros(items, np.int64),
        mark=np.zeros(items, np.uint32),
        kept=Kept(
            np.zeros((room, depth), np.uint32),
            *(np.zeros(room, np.int64) for _ in Kept._fields[1:]),
        ),
        clock=np.zeros(CLOCK_SIZE, np.int64),
    )
    state = search.state
    state.free = state.root_free = options
    state.open = tables.right.size - 1
    state.budget, state.node_limit, state.chance = UNBOUNDED, UNLIMITED, SEED
    return search
