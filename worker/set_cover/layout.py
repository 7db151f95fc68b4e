"""The memory of a search for set covers: its tables, its registers, its guesses, what it keeps."""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.clock import CLOCK_SIZE
from worker.compiling.jit import Integers, Record, Table, record
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, Kept, new_kept

#: what was decided about an option
FREE, CHOSEN, EXCLUDED = 0, 1, 2
#: multipliers are counted in such fractions of a unit of cost, unless sums might exceed 64 bits
MAX_UNIT = 1 << 20
#: more than all costs together, counted in these fractions
MAX_TOTAL = 1 << 60
#: levels whose multipliers are saved, if they take no more than this many numbers together
MAX_SAVED = 1 << 20
#: the first state of the random numbers: the same searches in every run
SEED = 88172645463325252


class Tables(NamedTuple):
    """The options and items of a problem, and everything that choices change and undo."""

    # constant during a search
    first: Table  #: per option: where its items begin in `items`; one more entry at the end
    middle: Table  #: per option: where its secondary items begin in `items`
    items: Table  #: the items of all options, one option after the other, the primary ones first
    begin: Table  #: per item: where its options begin in `options`; one more entry at the end
    options: Table  #: the options of all items, one item after the other
    colour: Table  #: per entry of `items`: the number of its colour, 0 for none; or empty
    same_colour: Table  #: per entry of `options`: likewise
    cost: Integers  #: per option: its cost in units
    # undone in reverse order
    left: Table  #: per primary item: its left neighbour in the ring of open items; 0 is the root
    right: Table  #: per primary item: its right neighbour
    times: Table  #: per item: how many chosen options have it
    size: Table  #: per item: how many of its options are not excluded
    fate: Table  #: per option: FREE, CHOSEN or EXCLUDED
    order: Table  #: the options: first the free ones, then the others, the latest decision first
    place: Table  #: per option: its index in `order`
    forced: Table  #: a stack of items that have one option left
    implied: Table  #: a stack of items that left the ring because another item implies them


_INT, _COUNT = np.int64, np.uint64
#: the registers of a search
State: Any = record(
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
    ("root_sweeps", _INT),  # sweeps of the next call, which only improves the bound
    ("nodes", _INT),  # guesses made, and their opposites
    ("node_limit", _INT),  # nodes at which the search stops
    ("found", _INT),  # covers found within the budget
    ("kept", _INT),  # covers in `Kept`
    ("budget", _INT),  # the most that a cover may cost
    ("bound", _INT),  # no cover costs less
    ("chance", _COUNT),  # the state of the random numbers
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


def unit_of(problem: Problem) -> int:
    """Return the number of parts in which a unit of cost is counted, a power of two."""
    total = int(problem.cost.sum()) + int(problem.cost.max(initial=0)) + 1
    unit = MAX_UNIT
    while unit > 1 and total * unit > MAX_TOTAL:
        unit //= 2
    return unit


def tables_of(problem: Problem) -> Tables:
    """Return the tables of a problem with nothing chosen and every primary item open."""
    options, items = problem.cost.size, problem.items
    option = problem.option_of_member
    members = problem.members.astype(np.int64)
    is_secondary = members > problem.primary
    by_option = np.lexsort((members, is_secondary, option))
    by_item = np.lexsort((option, members))
    sizes = np.bincount(members, minlength=items + 1)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    ring = np.arange(problem.primary + 1, dtype=np.uint32)
    has_colours = problem.colour.size > 0
    return Tables(
        first=problem.first,
        middle=(problem.first[1:] - np.bincount(option[is_secondary], minlength=options)).astype(
            np.uint32
        ),
        items=problem.members[by_option],
        begin=begin.astype(np.uint32),
        options=option[by_item].astype(np.uint32),
        colour=problem.colour[by_option] if has_colours else problem.colour,
        same_colour=problem.colour[by_item] if has_colours else problem.colour,
        cost=problem.cost * unit_of(problem),
        left=np.concatenate([ring[-1:], ring[:-1]]),
        right=np.concatenate([ring[1:], ring[:1]]),
        times=np.zeros(items + 1, np.uint32),
        size=sizes.astype(np.uint32),
        fate=np.zeros(options, np.uint32),
        order=np.arange(options, dtype=np.uint32),
        place=np.arange(options, dtype=np.uint32),
        forced=np.zeros(members.size + items + 1, np.uint32),
        implied=np.zeros(problem.primary + 1, np.uint32),
    )


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
        kept=new_kept(room, depth),
        clock=np.zeros(CLOCK_SIZE, np.int64),
    )
    state = search.state
    state.free = state.root_free = options
    state.open = tables.right.size - 1
    state.budget, state.node_limit, state.chance = UNBOUNDED, UNLIMITED, SEED
    return search
