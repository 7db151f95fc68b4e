"""The memory of a search for cheap covers: its tables, its registers and its guesses."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers, Table, Unsigned, record
from worker.exact_cover import state
from worker.exact_cover.parts.frontier import Level, Levels
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import Search
from worker.set_cover.linear.basis import Basis, new_basis
from worker.set_cover.vertex_cover.graph import Graph, new_graph

#: what was decided about an option
FREE, CHOSEN, EXCLUDED = 0, 1, 2
#: what is left to be searched of a guess: its option chosen and then excluded, or one of these
BOTH, ONLY_EXCLUDE, ONLY_CHOOSE = map(Unsigned, range(3))
#: these as decisions: 0 to choose it, 1 to exclude it
DECISIONS = ((0, 1), (1,), (0,))
#: multipliers are counted in such fractions of a unit of cost, unless sums might exceed 64 bits
MAX_UNIT = 1 << 20
#: more than all costs together, counted in these fractions; and than all sums of multipliers
MAX_TOTAL, MAX_SUM = 1 << 60, 1 << 61
#: a multiplier may be so many times the cost of the dearest option, unless costs are large
DEAREST = 8
#: the greatest number of an item that all its options may cover
UNLIMITED_TIMES = 2**32 - 1
#: guesses that are probed at a node, at most
MAX_PROBED = 8
#: levels whose multipliers are saved, if they take no more than this many numbers together
MAX_SAVED = 1 << 20

Floats = NDArray[np.float64]
#: how often an item is covered: the least and the greatest number of times
Multiplicity = tuple[int, int]


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
    least: Table  #: per item: how often it must be covered
    most: Table  #: per item: how often it may be; UNLIMITED_TIMES if by all its options
    several: Table  #: the items that may be covered several times, but not by all their options
    # undone in reverse order
    left: Table  #: per item: its left neighbour in the ring of open items; 0 is the root
    right: Table  #: per item: its right neighbour; open items have not reached `least`
    times: Table  #: per item: how many chosen options have it
    size: Table  #: per item: how many of its options are not excluded
    fate: Table  #: per option: FREE, CHOSEN or EXCLUDED
    order: Table  #: the options: first the free ones, then the others, the latest decision first
    place: Table  #: per option: its index in `order`
    forced: Table  #: a stack of items that need all options that they have left
    mark: Table  #: per item: scratch
    # the bound
    multiplier: Integers  #: per item: what the bound says that covering it once costs
    live: Integers  #: per item: its multiplier, 0 where it does not bind
    reduced: Integers  #: per free option: its cost without the multipliers of its items
    slack: Floats  #: per free option: its reduced cost in sweeps, and its use in probes
    joint: Floats  #: per item: how much the options are used that have it and another one
    guesses: Table  #: pairs of items, or options with a 0, on which the search may branch
    keys: Floats  #: per guess: what they are sorted by
    rise: Floats  #: per option and branch: by how much probes have raised the bound, for 1 of use
    probes: Table  #: likewise: how many probes
    before: Integers  #: per item: its multiplier before guesses are probed
    active_begin: Table  #: per item: where its free options begin in `active`
    active: Table  #: the free options of the items whose numbers bind
    basis: Basis  #: of the linear relaxation
    graph: Graph  #: of the options, for vertex covers and packings
    saved: Integers  #: per level, up to `MAX_SAVED`: the multipliers before the guess


_INT, _COUNT, _FLOAT = np.int64, np.uint64, np.float64
#: the registers of a search; its nodes are the guesses made, and their opposites
State: Any = record(
    *state.REGISTERS,
    ("free", _COUNT),  # options that are neither chosen nor excluded
    ("profitable", _COUNT),  # those of them whose cost is negative
    ("root_free", _COUNT),  # `free` after dominated options were excluded at the root
    ("reduced", _INT),  # 1 once dominated options were excluded at the root
    ("infeasible", _INT),  # 1 if reductions at the root have shown that there is no cover
    ("joined", _INT),  # the bound at the root by cliques, less a little, if there is a graph
    ("swept", _INT),  # the bound at the root by multipliers
    ("root_sweeps", _INT),  # sweeps that are left at the root, which only improve the bound
    ("sweeps", _INT),  # most improvements of the multipliers at a node; 0: only the estimate h()
    ("single", _INT),  # 1 if one cover of the least cost is enough, or any within the budget
    ("bound", _INT),  # no cover costs less
    ("lowest", _INT),  # no cover below this node does, as the multipliers are now
    ("most", _FLOAT),  # what no multiplier exceeds
    ("until", _INT),  # the time at which sweeps and pivots end
    ("deadline", _INT),  # the time at which the search ends
    ("loss", _FLOAT),  # what the bound loses at a temperature, as a multiple of it
    ("first", _FLOAT),  # the first and the last temperature of sweeps at the root
    ("last", _FLOAT),
    ("lines", _COUNT),  # of the linear relaxation
    ("relaxes", _INT),  # 1 if the relaxation is solved at each node
    ("has_basis", _INT),  # 1 once there is a basis of it
    ("saved", _COUNT),  # numbers on the stack of bases
    ("pivots", _INT),  # those at this node, if time ended the solution of the relaxation there
    ("visited", _INT),  # 1 once the cover at this node was visited
    ("minimal", _INT),  # 1 if covers count only from which no option can be left out
)
#: a level of the search
Guess: Any = record(
    ("option", _COUNT),  # or an item, if there is another one
    ("other", _COUNT),  # the other item of a pair, or 0
    ("free", _COUNT),  # `State.free` before the guess
    ("basis", _COUNT),  # where its basis begins on the stack, or NONE
    ("visited", _INT),  # likewise
    ("left", _COUNT),  # BOTH, ONLY_EXCLUDE after it was chosen, or ONLY_CHOOSE; see `branch.take`
)


def most_multiplier(problem: Problem) -> int:
    """Return the most that a multiplier may be, so that no sum of them exceeds 64 bits."""
    return MAX_SUM // (2 * problem.members.size + problem.items + 1)


def unit_of(problem: Problem) -> int:
    """Return the number of parts in which a unit of cost is counted, a power of two."""
    cost = np.abs(problem.cost)
    total = int(cost.sum()) + int(cost.max(initial=0)) + 1
    dearest = DEAREST * int(cost.max(initial=0))
    unit = MAX_UNIT
    while unit > 1 and (total * unit > MAX_TOTAL or dearest * unit > most_multiplier(problem)):
        unit //= 2
    return unit


def step_of(problem: Problem) -> int:
    """Return what the costs of covers differ by at least, in the same parts."""
    return unit_of(problem) * max(1, int(np.gcd.reduce(problem.cost, initial=0)))


def once(problem: Problem) -> list[Multiplicity]:
    """Return the multiplicities of an exact cover."""
    return [(1, 1)] * problem.primary


def numbers_of(
    problem: Problem, multiplicities: Sequence[Multiplicity] | None
) -> tuple[Integers, Integers]:
    """Return for each item how often it must and may be covered, the latter up to its options.

    Without multiplicities, a primary item must be covered once and may be any number of times. A
    secondary item may be covered once, or any number of times if it has colours.
    """
    sizes = np.bincount(problem.members, minlength=problem.items + 1)
    least, most = np.zeros(problem.items + 1, np.int64), np.ones(problem.items + 1, np.int64)
    primary = slice(1, problem.primary + 1)
    least[primary] = 1
    most[primary] = sizes[primary]
    most[problem.members[np.flatnonzero(problem.colour)]] = problem.cost.size
    if multiplicities is not None and problem.primary:
        least[primary], most[primary] = np.array(multiplicities, np.int64).T
    return least, np.minimum(most, sizes)


def options_for_one(
    problem: Problem, multiplicities: Sequence[Multiplicity] | None
) -> NDArray[np.int64]:
    """Return the options, ascending, without those that no cheapest cover needs.

    Another one with the same items can take their place, if both together are in no cover.
    """
    distinct = problem.distinct_options
    if multiplicities is None:
        return distinct
    once = numbers_of(problem, multiplicities)[1][problem.members] == 1
    has_one = np.bincount(problem.option_of_member[once], minlength=problem.cost.size) > 0
    return np.union1d(distinct, np.flatnonzero(~has_one))


def tables_of(problem: Problem, multiplicities: Sequence[Multiplicity] | None = None) -> Tables:
    """Return the tables of a problem with nothing chosen and every item open that must be covered.

    The multiplicities are those of its primary items; without them, set covers are wanted.
    """
    options, items = problem.cost.size, problem.items
    option = problem.option_of_member
    is_secondary = problem.members > problem.primary
    # Both are in order as good as already, which stable sorting makes use of.
    by_option = np.argsort(2 * option + is_secondary, kind="stable")
    by_item = np.argsort(problem.members, kind="stable")
    sizes = np.bincount(problem.members, minlength=items + 1)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    least, most = numbers_of(problem, multiplicities)
    left, right = np.arange(items + 1, dtype=np.uint32), np.arange(items + 1, dtype=np.uint32)
    ring = np.concatenate([[0], np.flatnonzero(least)])
    right[ring], left[ring] = np.roll(ring, -1), np.roll(ring, 1)
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
        least=least.astype(np.uint32),
        most=np.where(most < sizes, most, UNLIMITED_TIMES).astype(np.uint32),
        several=np.flatnonzero((least > 1) | ((most > 1) & (most < sizes))).astype(np.uint32),
        left=left,
        right=right,
        times=np.zeros(items + 1, np.uint32),
        size=sizes.astype(np.uint32),
        fate=np.zeros(options, np.uint32),
        order=np.arange(options, dtype=np.uint32),
        place=np.arange(options, dtype=np.uint32),
        forced=np.zeros(option.size + items + 1, np.uint32),
        mark=np.zeros(items + 1, np.uint32),
        multiplier=np.zeros(items + 1, np.int64),
        reduced=np.zeros(options, np.int64),
        live=np.zeros(items + 1, np.int64),
        slack=np.zeros(options),
        joint=np.zeros(items + 1),
        guesses=np.zeros(2 * MAX_PROBED, np.uint32),
        keys=np.zeros(MAX_PROBED),
        rise=np.zeros(2 * options + 2),
        probes=np.zeros(2 * options + 2, np.uint32),
        before=np.zeros(items + 1, np.int64),
        active_begin=np.zeros(items + 2, np.uint32),
        active=np.zeros(option.size, np.uint32),
        basis=new_basis(options, items, option.size),
        graph=new_graph(problem),
        saved=np.zeros(levels * (items + 1), np.int64),
    )


def levels_of(tables: Tables, search: Search) -> Levels:
    """Return the decisions on the path of a search that is paused, and their opposites.

    A decision is twice a number, and one more if something is excluded. The number is that of the
    option, or for a pair of items, that of the first row and second column of a square of all
    items, which follows the options.
    """
    options, items = tables.cost.size, tables.size.size
    guesses = search.guesses[: search.state.level][["option", "other", "left"]].tolist()
    numbers = [
        options + items * option + other if other else option for option, other, _ in guesses
    ]
    return tuple(
        Level(0, 2, tuple(2 * number + k for k in DECISIONS[left]))
        for number, (_, _, left) in zip(numbers, guesses, strict=True)
    )


def new_search(problem: Problem, tables: Tables, room: int) -> Search:
    """Return a search that has not begun, with room to keep `room` covers."""
    primary = slice(1, problem.primary + 1)
    times = np.minimum(tables.most[primary], tables.size[primary])
    depth = min(problem.cost.size, int(times.sum(dtype=np.int64)))
    search = state.new_search(problem, room, depth=depth, registers=State, guess=Guess)
    options = problem.cost.size
    search.state.free = search.state.root_free = options
    is_profitable = tables.cost < 0
    search.state.profitable = np.count_nonzero(is_profitable)
    search.state.spent = tables.cost[is_profitable].sum()
    search.state.bound = search.state.spent
    search.state.joined = search.state.swept = -state.UNBOUNDED
    search.state.open = np.count_nonzero(tables.least)
    search.state.most = most_multiplier(problem)
    search.state.loss = max(1, problem.items)
    search.state.relaxes = tables.basis.value.size > 0
    return search._replace(guesses=np.zeros(options + 1, Guess))
