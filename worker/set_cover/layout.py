"""The memory of a search for set covers: its tables, its registers and its guesses."""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.numbers import Integers, Table, record
from worker.exact_cover import state
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import Search

#: what was decided about an option
FREE, CHOSEN, EXCLUDED = 0, 1, 2
#: multipliers are counted in such fractions of a unit of cost, unless sums might exceed 64 bits
MAX_UNIT = 1 << 20
#: more than all costs together, counted in these fractions
MAX_TOTAL = 1 << 60
#: levels whose multipliers are saved, if they take no more than this many numbers together
MAX_SAVED = 1 << 20


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
    mark: Table  #: per item: scratch
    # the bound
    multiplier: Integers  #: per item: what the bound says that covering it costs
    reduced: Integers  #: per free option: its cost without the multipliers of its open items
    load: Integers  #: per item: its free options of negative reduced cost
    saved: Integers  #: per level, up to `MAX_SAVED`: the multipliers before the guess


_INT, _COUNT = np.int64, np.uint64
#: the registers of a search; its nodes are the guesses made, and their opposites
State: Any = record(
    *state.REGISTERS,
    ("free", _COUNT),  # options that are neither chosen nor excluded
    ("root_free", _COUNT),  # `free` after dominated options were excluded at the root
    ("implied", _COUNT),  # items on the stack `implied`
    ("reduced", _INT),  # 1 once dominated options were excluded at the root
    ("root_sweeps", _INT),  # sweeps of the next call, which only improves the bound
    ("sweeps", _INT),  # most improvements of the multipliers at a node; 0: only the estimate h()
    ("single", _INT),  # 1 if one cover of the least cost is enough, or any within the budget
    ("bound", _INT),  # no cover costs less
)
#: a level of the search
Guess: Any = record(
    ("option", _COUNT),
    ("free", _COUNT),  # `State.free` before the guess
    ("is_excluded", _INT),  # 1 after the option was excluded in turn
)


def unit_of(problem: Problem) -> int:
    """Return the number of parts in which a unit of cost is counted, a power of two."""
    total = int(problem.cost.sum()) + int(problem.cost.max(initial=0)) + 1
    unit = MAX_UNIT
    while unit > 1 and total * unit > MAX_TOTAL:
        unit //= 2
    return unit


def step_of(problem: Problem) -> int:
    """Return what the costs of covers differ by at least, in the same parts."""
    return unit_of(problem) * max(1, int(np.gcd.reduce(problem.cost, initial=0)))


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
    levels = min(options + 1, MAX_SAVED // (items + 1))
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
        mark=np.zeros(items + 1, np.uint32),
        multiplier=np.zeros(items + 1, np.int64),
        reduced=np.zeros(options, np.int64),
        load=np.zeros(items + 1, np.int64),
        saved=np.zeros(levels * (items + 1), np.int64),
    )


def new_search(problem: Problem, room: int) -> Search:
    """Return a search that has not begun, with room to keep `room` covers."""
    search = state.new_search(problem, room, registers=State, guess=Guess)
    options = problem.cost.size
    search.state.free = search.state.root_free = options
    search.state.open = problem.primary
    return search._replace(guesses=np.zeros(options + 1, Guess))
