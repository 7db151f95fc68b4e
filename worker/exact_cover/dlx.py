"""Dancing Links: every exact cover of a set of items, one after the other.

The problem
    There are *items*, numbered from 1, and *options*, each a set of items.  Choose options
    so that every *primary* item is in exactly one of them, and every *secondary* item in at
    most one.  Knuth's running example (The Art of Computer Programming 7.2.2.1, (5)) has the
    primary items a..g as 1..7, and six options:

        0: c e      1: a d g      2: b c f      3: a d f      4: b g      5: d e g

    >>> from worker.exact_cover.problem import number
    >>> toy = number(7, 0, [[3, 5], [1, 4, 7], [2, 3, 6], [1, 4, 6], [2, 7], [4, 5, 7]])
    >>> [solution for solution, _ in solve(toy).kept]
    [(0, 3, 4)]

The memory
    A *node* is one item in one option.  Node i < items is the header of item i (0 is the
    root), then the nodes of all options follow, those of an option side by side:

    >>> print(show(links(toy), 0, 14))
    node    0   1   2   3   4   5   6   7   8   9  10  11  12  13  14
    up      0  16  19  14  21  22  18  23   3   5   1   4   7   2   8
    down    0  10  13   8  11   9  15  12  14  22  16  17  20  19   3
    item    0   0   0   0   0   0   0   0   3   5   1   4   7   2   3

    `up` and `down` link the options of an item in a ring through its header; `left` and
    `right` link the primary items that are still to be covered in a ring through the root.

The dance
    To *cover* an item is to take it out of the ring of items and to *hide* each of its
    options from the rings of that option's other items.  A node that leaves a ring keeps its
    own two links, so undoing the removals in the opposite order restores the ring with no
    other record of what it was:

        cover a, cover b, ... uncover b, uncover a      leaves every array as it began

    That is the one law of this file, and it is tested after every search.

The budget
    Every option has a cost, never negative.  An option that costs more than is left of the
    budget is passed over; once as many solutions are kept as are wanted, only cheaper ones
    are looked for.  To find the highest score instead, give every item a *price*, and let an
    option cost what its prices exceed its score: no solution scores more than all prices
    together, and it falls short of that by what it costs (see `tighten`).

The clock
    A search stops when its slice of time is over and goes on where it stopped when it is
    called again: its whole state lies in arrays, and nothing in it is recursive.

Everything compiled is in this file, because numba's cache does not see a change in another.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import config, njit, types
from numpy.typing import NDArray

from worker.exact_cover.problem import Problem

Table = NDArray[np.uint32]
Floats = NDArray[np.float64]
Int = Any  # an integer; numba finds out of which width

#: columns of the table of items; in line 0, the root, SIZE is the number of primary items
LEFT, RIGHT, SIZE, SETTLED = 0, 1, 2, 3
#: columns of the table of nodes
UP, DOWN, ITEM, OPTION = 0, 1, 2, 3
#: columns of the table of options
FIRST, NUMBER = 0, 1
#: the first two entries of `calls`; the called items follow
QUEUED, DEAD = 0, 1
#: entries of `tally`
LEVEL, FORWARD, NODES, FOUND, KEPT, SPENT, BUDGET, LOOK, QUOTA, REACH, ROUND = range(11)
#: how a search came back
PAUSED, FULL, EXHAUSTED, LIMITED, TIMED_OUT, TIRED = range(6)

#: most search nodes between two looks at the clock, which takes 20 ns; a power of two
LONGEST_LOOK = 256
#: nodes of all options that may be hidden between two looks
LONGEST_WORK = 1 << 20
#: more than any cost: nothing is too dear
UNBOUNDED = 2**62

# Unsigned on purpose: a signed index costs a wrap-around test at every access, which doubles
# the time of the whole search.
_ONE = np.uint32(1)
_TWO = np.uint32(2)
_THREE = np.uint32(3)


class Links(NamedTuple):
    """The rings, and what they are made of.

    Inside, functions take the tables one by one: numba counts references to the arrays of a
    tuple at every touch, which makes the search five times slower.
    """

    items: Table  #: per item: left, right, size of its ring, and whether it is settled
    nodes: Table  #: per node: up, down, its item, its option
    options: Table  #: per option: its first node, its number in the problem; one line more
    cost: NDArray[np.int64]  #: per option
    calls: Table  #: how many items are called, whether one is empty, and the called ones


class Dance(NamedTuple):
    """Where a search stands, and what it has found."""

    choice: Table  #: per level: the node whose option was chosen, and where its covering ended
    tally: NDArray[np.int64]  #: level, nodes, found, ...
    kept: Table  #: per kept solution: its option numbers
    lengths: NDArray[np.int64]  #: per kept solution: how many options it has
    costs: NDArray[np.int64]  #: per kept solution: what they cost
    born: NDArray[np.int64]  #: per kept solution: it was the how-manieth to be found
    ranks: NDArray[np.int64]  #: the kept solutions: a heap, dearest first; at the end in order


class Terms(NamedTuple):
    """What a search is to find, and when to stop."""

    limit: int  #: stop after this many solutions; a negative one is never reached
    wanted: int  #: how many solutions to keep, at least one: the cheapest, of equals the first
    prune: bool  #: look only for cheaper ones once that many are kept
    timeout: int  #: ns
    step: int  #: solutions that do not cost the same differ by as much


#: numba sets its settings at run time
_SETTINGS: Any = config

if _SETTINGS.DISABLE_JIT:

    def now(_pair: NDArray[np.int64]) -> Int:
        """Nanoseconds on a clock that never goes back."""
        return time.monotonic_ns()

else:
    # A ctypes pointer would keep numba from caching its callers.
    _clock_gettime: Any = types.ExternalFunction(
        "clock_gettime", types.int32(types.int32, types.uintp)
    )

    @njit(cache=True, nogil=True)
    def now(_pair: NDArray[np.int64]) -> Int:
        """Nanoseconds on a clock that never goes back; `_pair` is where the system writes."""
        _clock_gettime(time.CLOCK_MONOTONIC, _pair.ctypes.data)
        return int(_pair[0] * 1_000_000_000 + _pair[1])


@njit(cache=True, nogil=True, inline="always")
def hide(items: Table, nodes: Table, options: Table, calls: Table, node: Int) -> None:
    """Take every other node of this node's option out of its item's ring."""
    option = nodes[node, OPTION]
    for q in range(options[option, FIRST], options[option + _ONE, FIRST]):
        if q != node:
            up, down, item = nodes[q, UP], nodes[q, DOWN], nodes[q, ITEM]
            nodes[up, DOWN] = down
            nodes[down, UP] = up
            size = items[item, SIZE] - _ONE
            items[item, SIZE] = size
            if size < _TWO and not items[item, SETTLED]:
                call(calls, item, size)


@njit(cache=True, nogil=True, inline="always")
def unhide(items: Table, nodes: Table, options: Table, node: Int) -> None:
    """Undo `hide`; the nodes of an option are in different rings, so any order will do."""
    option = nodes[node, OPTION]
    for q in range(options[option, FIRST], options[option + _ONE, FIRST]):
        if q != node:
            nodes[nodes[q, UP], DOWN] = q
            nodes[nodes[q, DOWN], UP] = q
            items[nodes[q, ITEM], SIZE] += _ONE


@njit(cache=True, nogil=True, inline="always")
def call(calls: Table, item: Int, size: Int) -> None:
    """An item with one option left is next; one with none ends this branch."""
    queued = calls[QUEUED]
    calls[queued + _TWO] = item
    calls[QUEUED] = queued + _ONE
    if size == 0:
        calls[DEAD] = 1


@njit(cache=True, nogil=True, inline="always")
def cover(items: Table, nodes: Table, options: Table, calls: Table, item: Int) -> None:
    """Take `item` out of the ring of items, and hide every option that has it."""
    left, right = items[item, LEFT], items[item, RIGHT]
    items[left, RIGHT] = right
    items[right, LEFT] = left
    node = nodes[item, DOWN]
    while node != item:
        hide(items, nodes, options, calls, node)
        node = nodes[node, DOWN]


@njit(cache=True, nogil=True, inline="always")
def uncover(items: Table, nodes: Table, options: Table, item: Int) -> None:
    """Undo `cover`, the other way round."""
    node = nodes[item, UP]
    while node != item:
        unhide(items, nodes, options, node)
        node = nodes[node, UP]
    items[items[item, LEFT], RIGHT] = item
    items[items[item, RIGHT], LEFT] = item


@njit(cache=True, nogil=True, inline="always")
def choose(items: Table, nodes: Table, options: Table, calls: Table, node: Int) -> Int:
    """Cover the items of this node's option, its own first; stop where an item runs empty.

    Give the node behind the last one covered: round the option, which comes back to `node`.
    All of them are settled first: that they lose their options to each other is no
    contradiction.
    """
    option = nodes[node, OPTION]
    first, end = options[option, FIRST], options[option + _ONE, FIRST]
    for q in range(first, end):
        items[nodes[q, ITEM], SETTLED] = 1
    at = node
    while True:
        cover(items, nodes, options, calls, nodes[at, ITEM])
        at = np.uint32(at + _ONE)
        if at == end:
            at = first
        if at == node or calls[DEAD]:
            return at


@njit(cache=True, nogil=True, inline="always")
def unchoose(items: Table, nodes: Table, options: Table, node: Int, behind: Int) -> None:
    """Undo `choose`, the other way round."""
    option = nodes[node, OPTION]
    first, end = options[option, FIRST], options[option + _ONE, FIRST]
    at = behind
    while True:
        if at == first:
            at = end
        at = np.uint32(at - _ONE)
        uncover(items, nodes, options, nodes[at, ITEM])
        if at == node:
            break
    for q in range(first, end):
        item = nodes[q, ITEM]
        items[item, SETTLED] = item > items[0, SIZE]


@njit(cache=True, nogil=True, inline="always")
def next_item(items: Table, calls: Table) -> Int:
    """The item to cover: one with a single option if there is any, else one with the fewest."""
    while calls[QUEUED]:
        calls[QUEUED] -= _ONE
        item = calls[calls[QUEUED] + _TWO]
        if not items[item, SETTLED]:
            return item
    best = item = items[0, RIGHT]
    fewest = items[best, SIZE]
    while item != 0 and fewest > _TWO:
        if items[item, SIZE] < fewest:
            best, fewest = item, items[item, SIZE]
        item = items[item, RIGHT]
    return best


@njit(cache=True, nogil=True, inline="always")
def affordable(nodes: Table, cost: NDArray[np.int64], left: Int, node: Int, item: Int) -> Int:
    """The first node from here on, in the ring of `item`, whose option costs at most `left`."""
    while node != item and cost[nodes[node, OPTION]] > left:
        node = nodes[node, DOWN]
    return node


@njit(cache=True, nogil=True)
def sink(d: Dance, at: Int, count: Int) -> None:
    """Let the kept solution at this place of the heap sink below all dearer ones."""
    ranks, costs, born = d.ranks, d.costs, d.born
    while 2 * at + 1 < count:
        top = at
        for child in range(2 * at + 1, min(2 * at + 3, count)):
            a, b = ranks[child], ranks[top]
            if costs[a] > costs[b] or (costs[a] == costs[b] and born[a] > born[b]):
                top = child
        if top == at:
            return
        ranks[at], ranks[top] = ranks[top], ranks[at]
        at = top


@njit(cache=True, nogil=True)
def pile(d: Dance) -> None:
    """Make a heap of the kept solutions: the dearest, of equals the last found, on top."""
    count = d.tally[KEPT]
    for at in range(count // 2 - 1, -1, -1):
        sink(d, at, count)


@njit(cache=True, nogil=True)
def rank(d: Dance) -> None:
    """Put the kept solutions in order: the cheapest, of equals the first found, in front."""
    pile(d)
    for last in range(d.tally[KEPT] - 1, 0, -1):
        d.ranks[0], d.ranks[last] = d.ranks[last], d.ranks[0]
        sink(d, 0, last)


@njit(cache=True, nogil=True)
def keep(x: Links, d: Dance, terms: Terms) -> None:
    """Keep a solution, if need be in the place of the dearest."""
    t, ranks = d.tally, d.ranks
    if t[ROUND] and known(x, d):
        return
    slot = t[KEPT]
    if slot < terms.wanted:
        ranks[slot] = slot
    else:
        slot = ranks[0]
    d.costs[slot], d.lengths[slot], d.born[slot] = t[SPENT], t[LEVEL], t[FOUND]
    for level in range(t[LEVEL]):
        d.kept[slot, level] = x.options[x.nodes[d.choice[level, 0], OPTION], NUMBER]
    if t[KEPT] == terms.wanted:
        sink(d, 0, terms.wanted)
    else:
        t[KEPT] += 1
        if t[KEPT] == terms.wanted:
            pile(d)
    if terms.prune and t[KEPT] == terms.wanted:
        t[BUDGET] = min(t[BUDGET], d.costs[ranks[0]] - terms.step)


@njit(cache=True, nogil=True)
def known(x: Links, d: Dance) -> bool:
    """Whether an earlier round kept this solution already."""
    length = d.tally[LEVEL]
    for slot in range(d.tally[KEPT]):
        if d.costs[slot] != d.tally[SPENT] or d.lengths[slot] != length:
            continue
        level = k = 0
        while level < length and k < length:
            option = x.options[x.nodes[d.choice[level, 0], OPTION], NUMBER]
            k = 0
            while k < length and d.kept[slot, k] != option:
                k += 1
            level += 1
        if k < length:
            return True
    return False


@njit(cache=True, nogil=True, inline="always")
def step_back(
    items: Table,
    nodes: Table,
    options: Table,
    calls: Table,
    choice: Table,
    cost: NDArray[np.int64],
    tally: NDArray[np.int64],
) -> Int:
    """Undo the last choice; give its node."""
    tally[LEVEL] -= 1
    level = tally[LEVEL]
    node = choice[level, 0]
    unchoose(items, nodes, options, node, choice[level, 1])
    tally[SPENT] -= cost[nodes[node, OPTION]]
    calls[QUEUED] = calls[DEAD] = 0
    return node


@njit(cache=True, nogil=True)
def look(entered: bool, pause: Int, deadline: Int, pair: NDArray[np.int64]) -> Int:
    """TIMED_OUT or PAUSED if it is time for that, else EXHAUSTED: nothing in the way yet."""
    clock = now(pair)
    if clock >= deadline:
        return TIMED_OUT
    if clock >= pause and not entered:  # even the shortest slice gets on
        return PAUSED
    return EXHAUSTED


@njit(cache=True, nogil=True)
def search(  # noqa: PLR0912 # the steps of the algorithm, in one place
    x: Links, d: Dance, terms: Terms, pause: Int, deadline: Int, pair: NDArray[np.int64]
) -> Int:
    """Algorithm X.  Go on from where `d` stands; say how it came back.

    PAUSED at the time `pause`: call again.  FULL: call again with more room to keep solutions.
    Else the links are as they began, and it is EXHAUSTED, LIMITED (`limit` solutions were
    found), TIMED_OUT (at `deadline`) or TIRED (after its quota of nodes).
    """
    items, nodes, options, cost, calls = x
    choice, t, room = d.choice, d.tally, d.kept.shape[0]
    status, entered = EXHAUSTED, t[NODES]
    while True:
        if t[FORWARD]:  # X2. Enter a level.
            if t[NODES] & t[LOOK] == 0:
                status = look(t[NODES] == entered, pause, deadline, pair)
                if status == EXHAUSTED and t[NODES] >= t[QUOTA]:
                    status = TIRED
            solved = items[0, RIGHT] == 0 and not calls[DEAD]
            if solved and t[KEPT] == room and room < terms.wanted:
                status = FULL
            if status <= FULL:
                return status
            t[FORWARD] = 0
            t[NODES] += 1
            if solved and status == EXHAUSTED:
                t[FOUND] += 1
                if t[KEPT] < terms.wanted or t[SPENT] < d.costs[d.ranks[0]]:
                    keep(x, d, terms)
                if t[FOUND] == terms.limit:
                    status = LIMITED
            if solved or calls[DEAD] or status != EXHAUSTED:
                continue
            item = next_item(items, calls)  # X3. Choose an item.
            node = nodes[item, DOWN]
        else:  # X8. Leave a level.
            if t[LEVEL] == 0:
                return status
            node = step_back(items, nodes, options, calls, choice, cost, t)  # X6. Try again.
            if status != EXHAUSTED:
                continue
            item = nodes[node, ITEM]
            node = nodes[node, DOWN]
        node = affordable(nodes, cost, t[BUDGET] - t[SPENT], node, item)
        if node != item:  # X4, X5. Cover the item, and try this option.
            level = t[LEVEL]
            choice[level, 0] = node
            choice[level, 1] = choose(items, nodes, options, calls, node)
            t[SPENT] += cost[nodes[node, OPTION]]
            t[LEVEL] = level + 1
            t[FORWARD] = 1


@njit(cache=True, nogil=True)
def begin(x: Links, d: Dance, budget: Int) -> None:
    """Stand at the beginning of a search that may spend `budget`."""
    d.tally[:] = 0
    d.tally[BUDGET] = d.tally[REACH] = budget
    d.tally[QUOTA] = UNBOUNDED
    d.tally[LOOK] = LONGEST_LOOK - 1
    while d.tally[LOOK] > 0 and d.tally[LOOK] * x.nodes.shape[0] > LONGEST_WORK:
        d.tally[LOOK] >>= 1
    stand(x, d)


@njit(cache=True, nogil=True)
def again(x: Links, d: Dance, terms: Terms, reach: Int) -> None:
    """Begin another round, for all solutions that cost at most `reach`; what is kept stays."""
    t = d.tally
    t[ROUND] += 1
    t[BUDGET] = t[REACH] = reach
    if terms.prune and t[KEPT] == terms.wanted:
        t[BUDGET] = min(reach, d.costs[d.ranks[0]] - terms.step)
    stand(x, d)


@njit(cache=True, nogil=True)
def stand(x: Links, d: Dance) -> None:
    """Nothing is chosen yet; call the items that have one option, or none."""
    d.tally[LEVEL] = d.tally[SPENT] = 0
    d.tally[FORWARD] = 1
    x.calls[QUEUED] = x.calls[DEAD] = 0
    item = x.items[0, RIGHT]
    while item != 0:
        if x.items[item, SIZE] < _TWO:
            call(x.calls, item, x.items[item, SIZE])
        item = x.items[item, RIGHT]


@njit(cache=True, nogil=True)
def clear(items: Table, nodes: Table, count: Int, primary: Int) -> None:
    """Rings of `count` items without options; the primary ones are to be covered."""
    for item in range(count + 1):
        nodes[item, UP] = nodes[item, DOWN] = item
        items[item, SIZE] = 0
        items[item, SETTLED] = item > primary
        items[item, LEFT] = items[item, RIGHT] = item
    for item in range(1, primary + 1):
        items[item, LEFT] = item - 1
        items[item - 1, RIGHT] = item
    items[primary, RIGHT] = 0
    items[0, LEFT] = items[0, SIZE] = primary


@njit(cache=True, nogil=True, inline="always")
def append(items: Table, nodes: Table, node: Int, item: Int, option: Int) -> None:
    """Put a new node at the end of its item's ring."""
    last = nodes[item, UP]
    nodes[node, UP] = last
    nodes[node, DOWN] = item
    nodes[node, ITEM] = item
    nodes[node, OPTION] = option
    nodes[last, DOWN] = node
    nodes[item, UP] = node
    items[item, SIZE] += _ONE


@njit(cache=True, nogil=True)
def lay(x: Links, p: Problem) -> None:
    """Lay out a whole problem."""
    clear(x.items, x.nodes, p.items, p.primary)
    node = p.items + 1
    for option in range(p.first.size - 1):
        x.options[option, FIRST] = node
        x.options[option, NUMBER] = option
        x.cost[option] = p.cost[option]
        for m in range(p.first[option], p.first[option + 1]):
            append(x.items, x.nodes, node, p.members[m], option)
            node += 1
        x.options[option + 1, FIRST] = node


# The bound.  Prices are moved from item to item until all of them together are as low as they
# get, while no option costs less than nothing.  Whatever the prices are, every solution pays
# all of them: what it scores and what it costs always make up the same sum.  So the search
# for the best can do without all options that cost more than bound and best lie apart.

#: times that all items are priced anew, each time a little cooler
SWEEPS, COOLING = 300, 800 ** (-1 / 300)
#: the temperature to begin with, in average costs of an option
HEAT = 0.7
#: what lies so many temperatures above the least counts for nothing: exp(-30) is 1e-13
NEGLIGIBLE = 30.0


class Prices(NamedTuple):
    """What items are worth."""

    price: NDArray[np.int64]  #: per item
    change: Floats  #: per item: by how much its price is to rise
    slack: Floats  #: per option: what it costs after all changes
    pair: NDArray[np.int64]  #: for the clock


@njit(cache=True, nogil=True)
def tighten(x: Links, p: Prices, homes: Int, deadline: Int) -> Int:
    """Find better prices; give by how much all of them together rose, or fell.

    Coordinate descent on the dual of the linear relaxation, softened by a temperature: every
    item in turn is priced so that its cheapest option would cost nothing.  The items up to
    `homes`, one of them in each option, are priced last and exactly, in whole numbers.
    """
    heat = spread(x, p)
    for _ in range(SWEEPS):
        if now(p.pair) >= deadline:
            break
        item = x.items[0, RIGHT]
        while item != 0:
            p.change[item] += settle(x.nodes, p.slack, item, heat)
            item = x.items[item, RIGHT]
        heat *= COOLING
    rise = np.int64(0)
    for home in (False, True):
        item = x.items[0, RIGHT]
        while item != 0:
            if (item <= homes) == home:
                change = np.int64(np.floor(p.change[item] + 0.5))
                if home:
                    change = -cheapest(x.nodes, x.cost, item)
                charge(x.nodes, x.cost, item, change)
                p.price[item] += change
                rise += change
            item = x.items[item, RIGHT]
    return rise


@njit(cache=True, nogil=True)
def spread(x: Links, p: Prices) -> float:
    """No change yet; give the temperature to begin with."""
    total, count = 0.0, 1
    item = x.items[0, RIGHT]
    while item != 0:
        p.change[item] = 0.0
        node = x.nodes[item, DOWN]
        while node != item:
            option = x.nodes[node, OPTION]
            p.slack[option] = x.cost[option]
            total += x.cost[option]
            count += 1
            node = x.nodes[node, DOWN]
        item = x.items[item, RIGHT]
    return float(HEAT * total / count + 1.0)


@njit(cache=True, nogil=True)
def settle(nodes: Table, slack: Floats, item: Int, heat: float) -> float:
    """Price an item so that its options cost nothing at the least, softly."""
    least = slack[nodes[nodes[item, DOWN], OPTION]]
    node = nodes[item, DOWN]
    while node != item:
        least = min(least, slack[nodes[node, OPTION]])
        node = nodes[node, DOWN]
    total = 0.0
    node = nodes[item, DOWN]
    while node != item:
        above = (slack[nodes[node, OPTION]] - least) / heat
        if above < NEGLIGIBLE:
            total += np.exp(-above)
        node = nodes[node, DOWN]
    change = float(heat * np.log(total) - least)
    charge(nodes, slack, item, change)
    return change


@njit(cache=True, nogil=True)
def charge(nodes: Table, cost: Any, item: Int, change: Any) -> None:
    """Let all options of an item cost more."""
    node = nodes[item, DOWN]
    while node != item:
        cost[nodes[node, OPTION]] += change
        node = nodes[node, DOWN]


@njit(cache=True, nogil=True)
def cheapest(nodes: Table, cost: NDArray[np.int64], item: Int) -> Int:
    """What the cheapest option of an item costs."""
    least = np.int64(UNBOUNDED)
    node = nodes[item, DOWN]
    while node != item:
        least = min(least, cost[nodes[node, OPTION]])
        node = nodes[node, DOWN]
    return least


# Grids.  A grid of side n is a problem with 4 n² items (each cell is filled; each row, column
# and box has each symbol) and n³ options (a cell and a symbol).  What the clues imply by
# counting alone is found on bit masks first, so that only the rest has to be laid out: bit s
# of open[cell] is set while symbol s may stand there, and of taken[unit] when it is placed.


class Board(NamedTuple):
    """What all grids of one side have in common.  Cells, units and symbols count from 0."""

    cells: Table  #: per cell: its row, column and box among the units, then its peers
    units: Table  #: rows, then columns, then boxes: their cells
    symbol: NDArray[np.uint8]  #: per mask modulo 37: the number of its only bit


class Marks(NamedTuple):
    """What is known of one grid before the dance."""

    open: Table  #: per cell: the symbols that may stand there
    taken: Table  #: per unit: the symbols that are placed in it
    stack: Table  #: cells that have one symbol left
    item: Table  #: per cell, then per unit and symbol: its item, if it is to be covered


class Grids(NamedTuple):
    """Many grids in, many answers out."""

    given: NDArray[np.uint8]  #: per grid and cell: the clue, 0 where there is none
    weight: NDArray[np.int64]  #: per cell; all 0 without a target
    report: NDArray[np.int64]  #: per grid: status, found, kept, nodes, ns, row, base, bound
    kept: NDArray[np.uint8]  #: rows for the kept solutions of one call: per cell the symbol from 1
    costs: NDArray[np.int64]  #: per row: what it falls short of the base


#: columns of `Grids.report`; a grid's solutions are in as many rows of `kept`, from ROW on
STATUS, N_FOUND, N_KEPT, N_NODES, N_NS, ROW, BASE, BOUND = range(8)
#: prices, costs, base and bound count in fractions of a point of the score
POINT = 1024
#: nodes that a search for the best may take before better prices are worth their 5 ms
TRIAL = 1 << 14
#: how far a grid is: not begun, dancing, or its solutions are to be written down
FRESH, DANCING, WRITING = range(3)


@njit(cache=True, nogil=True, inline="always")
def strike(open_: Table, stack: Table, cell: Int, mask: Int, stacked: Int) -> Int:
    """These symbols do not stand in the cell; stack it when one is left, -1 when none is."""
    had = open_[cell]
    left = had & ~mask
    if left == had:
        return stacked
    if left == 0:
        return -1
    open_[cell] = left
    if left & (left - _ONE) == 0:
        stack[stacked] = cell
        return stacked + 1
    return stacked


@njit(cache=True, nogil=True)
def drain(cells: Table, open_: Table, taken: Table, stack: Table, stacked: Int) -> bool:
    """Place the one symbol of every stacked cell: strike it from the cell's peers.

    So on with those that this leaves with one symbol; False when it leaves one with none.
    """
    peers = np.uint32(cells.shape[1])
    while stacked > 0:
        stacked -= 1
        cell = stack[stacked]
        mask = open_[cell]
        for k in range(_THREE):
            taken[cells[cell, k]] |= mask
        for k in range(_THREE, peers):
            stacked = strike(open_, stack, cells[cell, k], mask, stacked)
            if stacked < 0:
                return False
    return True


@njit(cache=True, nogil=True, inline="always")
def hidden(units: Table, open_: Table, unit: Int, full: Int) -> Int:
    """The symbols that have one cell in a unit; more than all if a symbol has none."""
    once = twice = np.uint32(0)
    for k in range(np.uint32(units.shape[1])):
        mask = open_[units[unit, k]]
        twice |= once & mask
        once |= mask
    return once & ~twice if once == full else ~np.uint32(0)


@njit(cache=True, nogil=True)
def fill_hidden(cells: Table, units: Table, open_: Table, taken: Table, stack: Table) -> Int:
    """Place symbols that have one cell left in a unit: 1 if there were any, -1 on contradiction."""
    filled, side = 0, np.uint32(units.shape[1])
    full = np.uint32((_ONE << side) - _ONE)
    for unit in range(np.uint32(units.shape[0])):
        if taken[unit] == full:
            continue
        alone = hidden(units, open_, unit, full)
        if alone > full:
            return -1
        alone &= ~taken[unit]
        if alone == 0:
            continue
        stacked = 0
        for k in range(side):
            cell = units[unit, k]
            mask = open_[cell] & alone
            if mask:
                if mask & (mask - _ONE):
                    return -1
                open_[cell] = mask
                stack[stacked] = cell
                stacked += 1
        if not drain(cells, open_, taken, stack, stacked):
            return -1
        filled = 1
    return filled


@njit(cache=True, nogil=True, inline="always")
def meet(units: Table, open_: Table, meets: Table, first: Int, order: Int) -> None:
    """The symbols that may stand where each of `order` lines meets each box across them."""
    for line in range(order):
        for box in range(order):
            mask = np.uint32(0)
            for k in range(order):
                mask |= open_[units[first + line, box * order + k]]
            meets[line, box] = mask


@njit(cache=True, nogil=True, inline="always")
def confined(meets: Table, line: Int, box: Int, order: Int) -> tuple[Int, Int]:
    """What the box needs of this line, and the line of this box: the other may not have it."""
    in_line = in_box = np.uint32(0)
    for k in range(order):
        if k != box:
            in_line |= meets[line, k]
        if k != line:
            in_box |= meets[k, box]
    here = meets[line, box]
    return here & in_line & ~in_box, here & in_box & ~in_line


@njit(cache=True, nogil=True, inline="always")
def strike_meeting(
    units: Table,
    open_: Table,
    stack: Table,
    line: Int,
    box: Int,
    order: Int,
    mask: Int,
    stacked: Int,
) -> Int:
    """These symbols do not stand where a line and a box across it meet."""
    for k in range(order):
        if stacked >= 0:
            stacked = strike(open_, stack, units[line, box * order + k], mask, stacked)
    return stacked


@njit(cache=True, nogil=True)
def lock(units: Table, open_: Table, stack: Table, meets: Table, first: Int, order: Int) -> Int:
    """What must stand where a line and a box meet stands nowhere else in either.

    For `order` lines side by side.  How many cells that leaves with one symbol are stacked;
    -1 on contradiction.
    """
    meet(units, open_, meets, first, order)
    stacked = 0
    for line in range(order):
        for box in range(order):
            only_box, only_line = confined(meets, line, box, order)
            if only_box | only_line == 0:
                continue
            for k in range(order):
                if k != box:
                    stacked = strike_meeting(
                        units, open_, stack, first + line, k, order, only_box, stacked
                    )
                if k != line:
                    stacked = strike_meeting(
                        units, open_, stack, first + k, box, order, only_line, stacked
                    )
            if stacked < 0:
                return -1
    return stacked


@njit(cache=True, nogil=True)
def lock_all(
    cells: Table, units: Table, open_: Table, taken: Table, stack: Table, order: Int
) -> Int:
    """Locked candidates everywhere: 1 if that filled a cell, -1 on contradiction."""
    filled, meets = 0, np.empty((order, order), np.uint32)
    for first in range(np.uint32(0), np.uint32(2 * order * order), order):
        stacked = lock(units, open_, stack, meets, first, order)
        if stacked < 0 or not drain(cells, open_, taken, stack, stacked):
            return -1
        filled |= stacked > 0
    return filled


@njit(cache=True, nogil=True)
def deduce(
    cells: Table,
    units: Table,
    open_: Table,
    taken: Table,
    stack: Table,
    order: Int,
    given: NDArray[np.uint8],
) -> bool:
    """Enter the clues and all that follows by singles and locks; False on contradiction."""
    full = np.uint32((_ONE << np.uint32(order * order)) - _ONE)
    taken[:] = 0
    stacked = 0
    for cell in range(np.uint32(given.size)):
        open_[cell] = full
        if given[cell]:
            open_[cell] = _ONE << np.uint32(given[cell] - 1)
            stack[stacked] = cell
            stacked += 1
    if not drain(cells, open_, taken, stack, stacked):
        return False
    again = 1
    while again > 0:
        again = fill_hidden(cells, units, open_, taken, stack)
        if again == 0:
            again = lock_all(cells, units, open_, taken, stack, order)
    return bool(again == 0)


@njit(cache=True, nogil=True)
def number_items(cells: Table, open_: Table, taken: Table, item: Table, side: Int) -> Int:
    """Number what is still to be covered; say how many items that is."""
    count = 0
    for cell in range(open_.size):
        count += taken[cells[cell, 0]] & open_[cell] == 0
        item[cell] = count
    for unit in range(taken.size):
        for symbol in range(side):
            count += taken[unit] >> np.uint32(symbol) & _ONE == 0
            item[open_.size + unit * side + symbol] = count
    return count


@njit(cache=True, nogil=True, inline="always")
def highest(open_: Int, weight: Int, side: Int) -> Int:
    """The most that one of these symbols could score in a cell of this weight."""
    best = -UNBOUNDED
    for symbol in range(side):
        if open_ >> np.uint32(symbol) & _ONE:
            best = max(best, weight * (symbol + 1))
    return best


@njit(cache=True, nogil=True)
def price_cells(
    cells: Table, m: Marks, side: Int, weight: NDArray[np.int64], price: NDArray[np.int64]
) -> Int:
    """Price every cell at the most that it could score; give all prices together."""
    price[:] = 0
    base = np.int64(0)
    for cell in range(m.open.size):
        best = POINT * highest(m.open[cell], weight[cell], side)
        base += best
        if not m.taken[cells[cell, 0]] & m.open[cell]:  # else it is filled, and no item
            price[m.item[cell]] = best
    return base


@njit(cache=True, nogil=True)
def lay_grid(
    cells: Table,
    m: Marks,
    x: Links,
    weight: NDArray[np.int64],
    price: NDArray[np.int64],
    side: Int,
    reach: Int,
) -> Int:
    """Lay out what is open of a grid and costs at most `reach`; give what the dearest costs."""
    open_, taken, _, item = m
    items, nodes, options, cost, _ = x
    count = np.int64(item[item.size - 1])
    clear(items, nodes, count, count)
    node = count + 1
    option = dearest = np.int64(0)
    for cell in range(open_.size):
        if taken[cells[cell, 0]] & open_[cell]:
            continue
        for k in range(side):
            symbol = side - 1 - k  # the high symbols first: they are the good ones of a target
            if open_[cell] >> np.uint32(symbol) & _ONE == 0:
                continue
            dear = price[item[cell]] - POINT * weight[cell] * (symbol + 1)
            for way in range(3):
                dear += price[item[open_.size + np.int64(cells[cell, way]) * side + symbol]]
            dearest = max(dear, dearest)
            if dear <= reach:
                options[option, FIRST] = node
                options[option, NUMBER] = cell * side + symbol
                cost[option] = dear
                append(items, nodes, node, item[cell], option)
                for way in range(3):
                    pair = np.int64(cells[cell, way]) * side + symbol
                    append(items, nodes, node + 1 + way, item[open_.size + pair], option)
                node += 4
                option += 1
    options[option, FIRST] = node
    return dearest


@njit(cache=True, nogil=True)
def open_grid(
    b: Board, m: Marks, x: Links, d: Dance, g: Grids, at: Int, prune: bool, p: Prices
) -> None:
    """Deduce and lay out grid `at`.

    A grid whose clues contradict each other has one item that no option covers.
    """
    cells, units, _ = b
    open_, taken, stack, item = m
    side = units.shape[1]
    g.report[at, BASE] = 0
    if deduce(cells, units, open_, taken, stack, np.uint32(np.sqrt(side)), g.given[at]):
        number_items(cells, open_, taken, item, side)
        g.report[at, BASE] = price_cells(cells, m, side, g.weight, p.price)
        lay_grid(cells, m, x, g.weight, p.price, side, UNBOUNDED)
    else:
        clear(x.items, x.nodes, 1, 1)
    g.report[at, BOUND] = g.report[at, BASE]
    begin(x, d, UNBOUNDED)
    if prune:
        d.tally[QUOTA] = TRIAL


@njit(cache=True, nogil=True)
def go_on(
    b: Board,
    m: Marks,
    x: Links,
    d: Dance,
    g: Grids,
    at: Int,
    terms: Terms,
    p: Prices,
    deadline: Int,
) -> bool:
    """Begin another round for grid `at` if there may be better solutions than the kept ones.

    Every round looks twice as far below the bound as the one before.
    """
    t, report, side = d.tally, g.report[at], b.units.shape[1]
    reach = t[REACH]
    if report[STATUS] == TIRED:
        rise = tighten(x, p, m.item[m.open.size - 1], deadline)
        for slot in range(t[KEPT]):
            d.costs[slot] += rise
        report[BASE] += rise
        t[QUOTA] = UNBOUNDED
        reach = report[BASE] % POINT + POINT
        report[BOUND] = min(report[BOUND], report[BASE])
    elif report[STATUS] == EXHAUSTED and reach < UNBOUNDED:
        report[BOUND] = min(report[BOUND], report[BASE] - reach - 1)
        if t[KEPT] == terms.wanted and d.costs[d.ranks[0]] - POINT <= reach:
            return False
        reach = report[BASE] % POINT + reach // POINT * 2 * POINT
    else:
        return False
    if reach >= lay_grid(b.cells, m, x, g.weight, p.price, side, reach):
        reach = UNBOUNDED
    again(x, d, terms, reach)
    return True


@njit(cache=True, nogil=True)
def write_down(b: Board, m: Marks, d: Dance, g: Grids, at: Int, row: Int) -> None:
    """The kept solutions of grid `at`, as symbols, in the rows from this one on."""
    side = b.units.shape[1]
    rank(d)
    for place in range(d.tally[KEPT]):
        kept, slot = g.kept[row + place], d.ranks[place]
        for cell in range(m.open.size):
            if m.open[cell] & (m.open[cell] - _ONE) == 0:  # powers of two differ modulo 37
                kept[cell] = b.symbol[m.open[cell] % 37] + 1
        for level in range(d.lengths[slot]):
            cell, symbol = divmod(d.kept[slot, level], side)
            kept[cell] = symbol + 1
        g.costs[row + place] = d.costs[slot]
    report = g.report[at]
    report[N_FOUND], report[N_KEPT], report[ROW] = d.tally[FOUND], d.tally[KEPT], row


@njit(cache=True, nogil=True)
def solve_grids(
    b: Board,
    m: Marks,
    x: Links,
    d: Dance,
    g: Grids,
    terms: Terms,
    at: Int,
    stage: Int,
    slice_ns: Int,
    p: Prices,
) -> tuple[int, int]:
    """Solve from grid `at` on until the slice is over, or a grid lacks room.

    Give the grid to go on with, and how far it is: hand both back.
    """
    began = now(p.pair)
    pause = began + slice_ns
    row = 0
    while at < g.given.shape[0]:
        report = g.report[at]
        if stage == FRESH:
            report[N_NS] = 0
            open_grid(b, m, x, d, g, at, terms.prune, p)
        if stage != WRITING:
            deadline = began + terms.timeout - report[N_NS]
            report[STATUS] = search(x, d, terms, pause, deadline, p.pair)
            while go_on(b, m, x, d, g, at, terms, p, deadline):
                report[STATUS] = search(x, d, terms, pause, deadline, p.pair)
            report[N_NODES] = d.tally[NODES]
        stage = DANCING if report[STATUS] <= FULL else WRITING
        room = row + d.tally[KEPT] <= g.kept.shape[0]
        if stage == WRITING and room:
            write_down(b, m, d, g, at, row)
            row += d.tally[KEPT]
        ended = now(p.pair)
        report[N_NS] += ended - began
        began = ended
        if stage == DANCING or not room:
            return at, stage
        at += 1
        stage = FRESH
        if began >= pause:
            break
    return at, stage


# The faces in plain Python.


class Found(NamedTuple):
    """How a search ended."""

    status: int  #: EXHAUSTED, LIMITED or TIMED_OUT
    found: int
    kept: list[tuple[tuple[int, ...], int]]  #: option numbers from 0, ascending, and their cost
    nodes: int
    ns: int


def links(problem: Problem) -> Links:
    """The memory of a whole problem, laid out."""
    x = empty_links(problem.items, problem.first.size - 1, problem.members.size)
    lay(x, problem)
    return x


def empty_links(items: int, options: int, members: int) -> Links:
    """Memory for so many items and options, and for the items of all options together."""
    return Links(
        np.zeros((items + 1, 4), np.uint32),
        np.zeros((items + 1 + members, 4), np.uint32),
        np.zeros((options + 1, 2), np.uint32),
        np.zeros(options, np.int64),
        np.zeros(2 + 2 * items, np.uint32),  # an item is called at one option left, and at none
    )


def dance(depth: int, room: int) -> Dance:
    """A search that chooses at most `depth` options, with room to keep so many solutions."""
    return Dance(
        np.zeros((depth + 1, 2), np.uint32),
        np.zeros(11, np.int64),
        np.zeros((room, depth), np.uint32),
        *(np.zeros(room, np.int64) for _ in range(4)),
    )


def prices(items: int, options: int) -> Prices:
    """Memory for the bound."""
    return Prices(
        np.zeros(items + 1, np.int64),
        np.zeros(items + 1),
        np.zeros(options),
        np.zeros(2, np.int64),
    )


def with_room(d: Dance, wanted: int) -> Dance:
    """The same search; if it is full, with twice the room, but no more than is wanted."""
    room = d.kept.shape[0]
    if d.tally[KEPT] < room or room >= wanted:
        return d
    more = min(room, wanted - room)
    kept = np.concatenate([d.kept, np.zeros((more, d.kept.shape[1]), np.uint32)])
    rest = (np.concatenate([column, np.zeros(more, np.int64)]) for column in d[3:])
    return Dance(d.choice, d.tally, kept, *rest)


def searching(
    problem: Problem,
    *,
    limit: int | None = None,
    keep: int = 1,
    prune: bool = False,
    slice_seconds: float = 0.25,
    timeout: float = 1e9,
) -> Iterator[Found | None]:
    """Search in slices: None after each that was not the last, then what was found.

    With `prune`, solutions dearer than the `keep` cheapest so far may be passed over unseen.
    """
    terms = asked(limit=limit, keep=keep, prune=prune, timeout=timeout)
    x, d = links(problem), dance(min(problem.primary, problem.cost.size), min(terms.wanted, 16))
    begin(x, d, UNBOUNDED)
    pair, slice_ns = np.zeros(2, np.int64), nanoseconds(slice_seconds)
    ns, status = 0, PAUSED
    while True:
        began = time.monotonic_ns()
        status = search(x, d, terms, began + slice_ns, began + terms.timeout - ns, pair)
        ns += time.monotonic_ns() - began
        if status > FULL:
            break
        d = with_room(d, terms.wanted)
        yield None
    yield Found(status, int(d.tally[FOUND]), _kept(d), int(d.tally[NODES]), ns)


def asked(
    *,
    limit: int | None,
    keep: int,
    prune: bool,
    timeout: float,
    step: int = 1,
) -> Terms:
    """Terms from what a caller may ask for, however large."""
    wanted = max(1, min(keep, UNBOUNDED))
    if limit is None:
        return Terms(-1, wanted, prune, nanoseconds(timeout), step)
    limit = min(limit, UNBOUNDED)
    return Terms(limit, max(1, min(wanted, limit)), prune, nanoseconds(timeout), step)


def nanoseconds(seconds: float) -> int:
    """As the kernel counts them; thirty years are as good as for ever."""
    return int(min(seconds, 1e9) * 1e9)


def _kept(d: Dance) -> list[tuple[tuple[int, ...], int]]:
    rank(d)
    return [
        (tuple(sorted(d.kept[slot, : d.lengths[slot]].tolist())), int(d.costs[slot]))
        for slot in d.ranks[: d.tally[KEPT]].tolist()
    ]


def solve(
    problem: Problem, *, limit: int | None = None, keep: int = 1, prune: bool = False
) -> Found:
    """Search to the end."""
    ended = (found for found in searching(problem, limit=limit, keep=keep, prune=prune) if found)
    return next(ended)


def show(x: Links, first: int, last: int) -> str:
    """The nodes from `first` to `last`, as a table to read."""
    lines = ["node " + "".join(f"{node:>4}" for node in range(first, last + 1))]
    for name, column in (("up", UP), ("down", DOWN), ("item", ITEM)):
        cells = "".join(f"{x.nodes[node, column]:>4}" for node in range(first, last + 1))
        lines.append(f"{name:5}{cells}")
    return "\n".join(lines)
