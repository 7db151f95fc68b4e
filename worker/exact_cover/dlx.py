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
    A *node* is one item in one option.  The options of an item are the bits of its *mask*, a
    machine word (an item with more than 30 options has several); the items that are still to
    be covered are *linked* in a ring through item 0, the root:

    >>> print(show(links(toy)))
    item     0   1   2   3   4   5   6   7
    left     7   0   1   2   3   4   5   6
    right    1   2   3   4   5   6   7   0
    mask    ..  11  11  11 111  11  11 111

    What a bit stands for never changes, and is written down once: see `Nodes`.

The dance
    To *choose* an option is to *cover* its items.  To cover an item is to take it out of the
    ring of items, and to *hide* each of its other options from the masks of that option's
    other items.  An item that leaves the ring keeps its own two links, so relinking the items
    in the opposite order restores the ring with no other record of what it was; a hidden
    option comes back when the same bits are flipped again:

        choose o, choose p, ... unchoose p, unchoose o      leaves every table as it began

    That is the one law of this file, and it is tested after every search.  Only the masks
    have a short cut: where all of them are small, as in a sudoku (1.3 KB), they are copied
    before a guess, and copied back to try the next option.

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

import math
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import config, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from worker.exact_cover.compiled import entry, part, verb
from worker.exact_cover.problem import LARGEST, Problem

Table = NDArray[np.uint32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Int = Any  # an integer; numba finds out of which width

#: entries of `tally`; for the best score: nodes of a round, searches near the best solution that
#: are to come, how much of it they set free, and the last lot drawn
FOUND, KEPT, NODES, BUDGET, LOOK, QUOTA, REACH, ROUND, TURN, NEAR, FREED, LOT = range(12)
LEVEL, PLACED, SPENT, OPEN, CALLED, SINGLE, PAIRED, LOGGED, DEAD = range(12, 21)
#: columns of `guess`: where a level goes on, and how far the search was when it guessed
WORD, REST, PLACED_AT, SPENT_AT, OPEN_AT, PAIRED_AT, LOGGED_AT = range(7)
#: how a search came back
PAUSED, FULL, EXHAUSTED, LIMITED, TIMED_OUT, TIRED = range(6)

#: options in a word; the two bits above tell that an item is covered, or secondary.  They are
#: two so that it never looks like an item with one option left, or with none.
WIDTH = 30
#: of the items with two options, so many are compared before a guess; more of them would save
#: nodes, but no time
COMPARED = 8
#: where there are more solutions than these, all of them are wanted, and to compare is vain
PLENTY = 16
#: copies of all masks for all guesses, in words, where copying is worth it
COPIES = 1 << 24
#: most search nodes between two looks at the clock, which takes 20 ns; a power of two
LONGEST_LOOK = 256
#: nodes of all options that may be hidden between two looks
LONGEST_WORK = 1 << 20
#: more than any cost: nothing is too dear
UNBOUNDED = 2**62

# Unsigned on purpose: a signed index costs a wrap-around test at every access, which doubles
# the time of the whole search.  And all of one width: numba compiles a function anew for every
# mixture of widths, and makes a float of an unsigned and a signed number.
Unsigned = np.uint64
_ZERO: Any = Unsigned(0)
_ONE: Any = Unsigned(1)
_TWO: Any = Unsigned(2)
_THREE: Any = Unsigned(3)
_OPTIONS = Unsigned((1 << WIDTH) - 1)
_COVERED = Unsigned(3 << WIDTH)
#: marks a node whose own item has lost it too
_OWN = Unsigned(1 << 31)
#: a member is a word and the number of one of its bits
_SHIFT = Unsigned(5)
_BIT = Unsigned(31)


class Nodes(NamedTuple):
    """What the bits stand for; nothing here changes during a search."""

    word: Table  #: per item: its first word; one more at the end
    owner: Table  #: per word: its item
    base: Table  #: per word: the node of its lowest bit
    after: Table  #: per node: where the other members of its option begin
    members: Table  #: word and bit of the nodes of an option, twice over, so that from any of
    #: them the others follow until the same comes again
    option: Table  #: per node: the number of its option
    primary: int  #: items up to this number must be covered
    wide: Unsigned  #: 0, or some item has several words: then the masks are followed, from
    #: this place on, by the number of options that each item has left


class Links(NamedTuple):
    """What dances."""

    nodes: Nodes
    left: Table  #: per item: the one before it in the ring
    right: Table  #: per item: the one after it
    mask: Table  #: per word: a bit for each option, and whether its item is covered
    calls: Table  #: items that have one option left
    pairs: Table  #: items that came to have two
    copies: Table  #: the masks as they were before each guess; empty where they are too large
    hidden: Table  #: the nodes that options were hidden by, where there are no copies
    cost: NDArray[np.int64]  #: per option


class Dance(NamedTuple):
    """Where a search stands, and what it has found."""

    choice: Table  #: per chosen option: the node it was chosen by
    guess: NDArray[np.int64]  #: per guess that has options left to try: see its columns
    tally: NDArray[np.int64]  #: found, kept, nodes, ...
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
    costly: bool  #: not all solutions cost nothing


#: numba sets its settings at run time
_SETTINGS: Any = config

if _SETTINGS.DISABLE_JIT:

    def now(_pair: NDArray[np.int64]) -> Int:
        """Nanoseconds on a clock that never goes back."""
        return time.monotonic_ns()

    def lowest(mask: Int) -> Int:
        """The number of the lowest bit that is set; one must be."""
        return Unsigned((int(mask) & -int(mask)).bit_length() - 1)

    def ones(mask: Int) -> Int:
        """How many bits are set."""
        return Unsigned(int(mask).bit_count())

else:
    # A ctypes pointer would keep numba from caching its callers.
    _clock_gettime: Any = types.ExternalFunction(
        "clock_gettime", types.int32(types.int32, types.uintp)
    )

    @verb
    def now(_pair: NDArray[np.int64]) -> Int:
        """Nanoseconds on a clock that never goes back; `_pair` is where the system writes."""
        _clock_gettime(time.CLOCK_MONOTONIC, _pair.ctypes.data)
        return int(_pair[0] * 1_000_000_000 + _pair[1])

    # Two instructions of the machine that numba has no name for.
    @intrinsic
    def lowest(_typing: Any, mask: Any) -> Any:
        """The number of the lowest bit that is set; one must be."""

        def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.cttz(values[0], context.get_constant(types.boolean, True))

        return mask(mask), emit

    @intrinsic
    def ones(_typing: Any, mask: Any) -> Any:
        """How many bits are set."""

        def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.ctpop(values[0])

        return mask(mask), emit


@verb
def left_of(x: Links, item: Int) -> Int:
    """How many options an item has left."""
    mask, wide = x.mask, x.nodes.wide
    return mask[wide + item] & _OPTIONS if wide else ones(mask[item] & _OPTIONS)


@verb
def hide(x: Links, node: Int, called: Int, single: Int, paired: Int) -> tuple[Int, Int, Int, bool]:
    """Hide the option of this node from its other items; say if that leaves one with none.

    Note the items that it leaves with one option, or with two.  There is no branch but the
    loop's: what a processor cannot foresee costs it more than a number that nobody needs.
    """
    mask, calls, pairs, members, wide = x.mask, x.calls, x.pairs, x.nodes.members, x.nodes.wide
    at = x.nodes.after[node]
    own, member = members[at - _ONE], members[at]
    dead = False
    while member != own:
        word = member >> _SHIFT
        options = mask[word] ^ (_ONE << (member & _BIT))
        mask[word] = options
        if wide:
            item = x.nodes.owner[word]
            left = mask[wide + item] - _ONE
            mask[wide + item] = left
        else:
            item = word
            left = ones(options)
        calls[called] = item
        pairs[paired] = item
        called += Unsigned(left == _ONE)
        single += Unsigned(left == _ONE)
        paired += Unsigned(left == _TWO)
        dead |= left == _ZERO
        at += _ONE
        member = members[at]
    return called, single, paired, dead


@part
def unhide(x: Links, node: Int) -> None:
    """Undo `hide`; the members of an option are of different items, so any order will do."""
    at, members = x.nodes.after[node], x.nodes.members
    own = members[at - _ONE]
    while members[at] != own:
        give_back(x, members[at])
        at += _ONE


@part
def give_back(x: Links, member: Int) -> None:
    """Give an item one of its options back."""
    word, wide = member >> _SHIFT, x.nodes.wide
    x.mask[word] ^= _ONE << (member & _BIT)
    if wide:
        x.mask[wide + x.nodes.owner[word]] += _ONE


@verb
def settle(x: Links, node: Int, single: Int, open_: Int) -> tuple[Int, Int, Int]:
    """Take the items of this node's option out of the ring, its own first, and mark them.

    Say how many items have one option, how many are to be covered, and where the members of
    the option end.
    """
    left, right, mask, members, wide = x.left, x.right, x.mask, x.nodes.members, x.nodes.wide
    at = x.nodes.after[node]
    own = member = members[at - _ONE]
    while True:
        item = word = member >> _SHIFT
        if wide:
            item = x.nodes.owner[word]
            size = mask[wide + item]
            mask[word] ^= _ONE << (member & _BIT)
            mask[wide + item] = (size | _COVERED) - _ONE
            single -= Unsigned(size == _ONE)
            open_ -= Unsigned(size < _COVERED)
        else:
            options = mask[word]
            mask[word] = (options | _COVERED) ^ (_ONE << (member & _BIT))
            single -= Unsigned(ones(options) == _ONE)
            open_ -= Unsigned(options < _COVERED)
        before, behind = left[item], right[item]
        right[before] = behind
        left[behind] = before
        member = members[at]
        at += _ONE
        if member == own:
            return single, open_, at - _ONE


@verb
def choose(
    x: Links, node: Int, called: Int, single: Int, paired: Int, open_: Int, logged: Int
) -> tuple[Int, Int, Int, Int, Int, bool]:
    """Cover the items of this node's option, its own first; stop where an item runs empty.

    Say how many items are called, have one option, came to have two, and are to be covered.
    All items are marked as covered before anything is hidden: that they lose their options
    to each other is no contradiction.
    """
    mask, members, wide = x.mask, x.nodes.members, x.nodes.wide
    single, open_, end = settle(x, node, single, open_)
    at = x.nodes.after[node] - _ONE
    dead = False
    while at != end and not dead:
        word = members[at] >> _SHIFT
        last = word + _ONE
        if wide:
            item = x.nodes.owner[word]
            word, last = x.nodes.word[item], x.nodes.word[item + _ONE]
        while word != last and not dead:
            rest = mask[word] & _OPTIONS
            first = x.nodes.base[word]
            while rest != _ZERO:
                other = first + lowest(rest)
                rest &= rest - _ONE
                called, single, paired, empty = hide(x, other, called, single, paired)
                dead |= empty
                if x.hidden.size:
                    x.hidden[logged] = other
                    logged += _ONE
            word += _ONE
        at += _ONE
    return called, single, paired, open_, logged, dead


@verb
def relink(x: Links, node: Int) -> None:
    """Put the items of a chosen option back into the ring, the last one first."""
    left, right, members = x.left, x.right, x.nodes.members
    first = x.nodes.after[node] - _ONE
    at = first + _ONE
    while members[at] != members[first]:
        at += _ONE
    while at != first:
        at -= _ONE
        item = x.nodes.owner[members[at] >> _SHIFT]
        right[left[item]] = item
        left[right[item]] = item


@part
def unmark(x: Links, node: Int) -> None:
    """The items of a chosen option have it again; the primary ones are to be covered."""
    at, members, wide = x.nodes.after[node] - _ONE, x.nodes.members, x.nodes.wide
    own = member = members[at]
    while True:
        item = x.nodes.owner[member >> _SHIFT]
        give_back(x, member)
        if item <= x.nodes.primary:
            x.mask[wide + item] &= _OPTIONS
        at += _ONE
        member = members[at]
        if member == own:
            break


@part
def dance_back(x: Links, d: Dance, placed: Int, logged: Int, level: Int) -> None:
    """Undo in the masks what was done since the guess of this level."""
    for k in range(d.guess[level, PLACED_AT], placed):
        unmark(x, d.choice[k])
    for k in range(d.guess[level, LOGGED_AT], logged):
        node = x.hidden[k] & ~_OWN
        unhide(x, node)
        if x.hidden[k] & _OWN:
            give_back(x, x.nodes.members[x.nodes.after[node] - _ONE])


@verb
def copy(source: Table, start: Int, target: Table, begin: Int, size: Int) -> None:
    """Copy so many numbers; a slice, or a signed index, would take longer."""
    for k in range(size):
        target[begin + k] = source[start + k]


@verb
def first_word(x: Links, item: Int) -> Int:
    """The first word of an item that has an option left."""
    word = x.nodes.word[item]
    while x.mask[word] & _OPTIONS == _ZERO:
        word += _ONE
    return word


@part
def cheapest(x: Links, word: Int, rest: Int) -> Int:
    """Of these options of a word, the bit of the cheapest; of equal ones the lowest."""
    cost, option, first = x.cost, x.nodes.option, x.nodes.base[word]
    best = lowest(rest)
    least = cost[option[first + best]]
    while rest != _ZERO:
        bit = lowest(rest)
        rest &= rest - _ONE
        if cost[option[first + bit]] < least:
            best, least = bit, cost[option[first + bit]]
    return best


@verb
def two_of(x: Links, item: Int) -> tuple[Int, Int]:
    """The nodes of an item with two options."""
    word = first_word(x, item)
    rest = x.mask[word] & _OPTIONS
    one = x.nodes.base[word] + lowest(rest)
    rest &= rest - _ONE
    while rest == _ZERO:
        word += _ONE
        rest = x.mask[word] & _OPTIONS
    return one, x.nodes.base[word] + lowest(rest)


@verb
def compare(x: Links, one: Int, two: Int) -> tuple[Int, Int]:
    """The reach of two options, and an item that both would cover.

    The reach is how many options their other items have together: that many are hidden, more
    or less, by choosing one or the other.  The common item is 0 if there is none, or if no
    third option covers it.
    """
    members, owner = x.nodes.members, x.nodes.owner
    at, to = x.nodes.after[one], x.nodes.after[two]
    own, end = members[at - _ONE], members[to - _ONE]
    reach = common = _ZERO
    while members[at] != own and members[to] != end:
        a, b = owner[members[at] >> _SHIFT], owner[members[to] >> _SHIFT]
        left = left_of(x, a)
        reach += left + left_of(x, b)
        if a == b and left > _TWO:
            common = a + _ZERO
        at += _ONE
        to += _ONE
    while members[at] != own:
        reach += left_of(x, owner[members[at] >> _SHIFT])
        at += _ONE
    while members[to] != end:
        reach += left_of(x, owner[members[to] >> _SHIFT])
        to += _ONE
    return reach, common


@verb
def best_pair(x: Links, paired: Int, most: Int, prune: bool) -> tuple[Int, Int, Int, Int]:
    """Of the items that came last to two options, the best to branch on, 0 if there is none.

    That is the one of most reach; or of highest cost, if low cost is sought.  If the options
    of one have a common item, give it and the two.
    """
    best = common = one = two = _ZERO
    highest, seen = np.int64(-1), _ZERO
    while paired != _ZERO and seen < most:
        paired -= _ONE
        item = x.pairs[paired]
        entry = x.mask[x.nodes.wide + item]
        if entry < _COVERED and (entry if x.nodes.wide else ones(entry)) == _TWO:
            a, b = two_of(x, item)
            reach, both = compare(x, a, b)
            worth: Int = np.int64(reach)
            if prune:
                worth += x.cost[x.nodes.option[a]] + x.cost[x.nodes.option[b]]
            if worth > highest:
                best, highest = item + _ZERO, worth
            if both != _ZERO:
                common, one, two = both, a, b
            seen += _ONE
    return best, common, one, two


@part
def smallest(x: Links) -> Int:
    """An item with the fewest options; none has less than two, and three are few enough."""
    item = best = x.right[0]
    fewest = left_of(x, item)
    while item != _ZERO and fewest > _THREE:
        left = left_of(x, item)
        if left < fewest:
            best, fewest = item, left
        item = x.right[item]
    return best


@verb
def confine(
    x: Links, item: Int, one: Int, two: Int, paired: Int, logged: Int
) -> tuple[Int, Int, Int, bool]:
    """Hide the options of an item but those of these two nodes: one of them will be chosen.

    Say how many items are called, came to have two options, and what was hidden.
    """
    mask, option, wide = x.mask, x.nodes.option, x.nodes.wide
    called, dead, word = _ZERO, False, x.nodes.word[item]
    while word != x.nodes.word[item + _ONE]:
        rest = mask[word] & _OPTIONS
        while rest != _ZERO:
            bit = lowest(rest)
            rest &= rest - _ONE
            node = x.nodes.base[word] + bit
            if option[node] != option[one] and option[node] != option[two]:
                mask[word] ^= _ONE << bit
                if wide:
                    mask[wide + item] -= _ONE
                called, _, paired, empty = hide(x, node, called, called, paired)
                dead |= empty
                if x.hidden.size:
                    x.hidden[logged] = node | _OWN
                    logged += _ONE
        word += _ONE
    x.pairs[paired] = item
    return called, paired + _ONE, logged, dead


@part
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


@part
def pile(d: Dance) -> None:
    """Make a heap of the kept solutions: the dearest, of equals the last found, on top."""
    count = d.tally[KEPT]
    for at in range(count // 2 - 1, -1, -1):
        sink(d, at, count)


@part
def rank(d: Dance) -> None:
    """Put the kept solutions in order: the cheapest, of equals the first found, in front."""
    pile(d)
    for last in range(d.tally[KEPT] - 1, 0, -1):
        d.ranks[0], d.ranks[last] = d.ranks[last], d.ranks[0]
        sink(d, np.int64(0), last)


@part
def keep(x: Links, d: Dance, terms: Terms, length: Int, cost: Int) -> None:
    """Keep a solution, if need be in the place of the dearest."""
    t, ranks = d.tally, d.ranks
    if t[ROUND] and known(x, d, length, cost):
        return
    slot = t[KEPT]
    if slot < terms.wanted:
        ranks[slot] = slot
    else:
        slot = ranks[0]
    d.costs[slot], d.lengths[slot], d.born[slot] = cost, length, t[FOUND]
    for place in range(length):
        d.kept[slot, place] = x.nodes.option[d.choice[place]]
    if t[KEPT] == terms.wanted:
        sink(d, np.int64(0), terms.wanted)
    else:
        t[KEPT] += 1
        if t[KEPT] == terms.wanted:
            pile(d)
    if terms.prune and t[KEPT] == terms.wanted:
        t[BUDGET] = min(t[BUDGET], d.costs[ranks[0]] - terms.step)


@part
def known(x: Links, d: Dance, length: Int, cost: Int) -> bool:
    """Whether an earlier round kept this solution already."""
    for slot in range(d.tally[KEPT]):
        if d.costs[slot] != cost or d.lengths[slot] != length:
            continue
        place = k = 0
        while place < length and k < length:
            k = 0
            while k < length and d.kept[slot, k] != x.nodes.option[d.choice[place]]:
                k += 1
            place += 1
        if k < length:
            return True
    return False


@part
def complete(x: Links, d: Dance, placed: Int) -> tuple[Int, Int]:
    """Where every item has one option left, these options are the rest of a solution.

    Write them behind the chosen ones; say how many there are then, and what the new ones cost.
    """
    members, owner = x.nodes.members, x.nodes.owner
    cost = np.int64(0)
    item = x.right[0]
    while item != 0:
        word = first_word(x, item)
        node = x.nodes.base[word] + lowest(x.mask[word] & _OPTIONS)
        at = x.nodes.after[node]
        own = members[at - _ONE]
        while members[at] != own and owner[members[at] >> _SHIFT] > item:
            at += _ONE
        if members[at] == own:  # It is the first of the option's items.
            d.choice[placed] = node
            placed += 1
            cost += x.cost[x.nodes.option[node]]
        item = x.right[item]
    return placed, cost


@part
def solution(x: Links, d: Dance, terms: Terms, placed: Int, spent: Int) -> None:
    """Count a solution unless it is too dear; keep it if it is wanted."""
    t = d.tally
    length, more = complete(x, d, placed)
    cost = spent + more
    if cost <= t[BUDGET]:
        t[FOUND] += 1
        if t[KEPT] < terms.wanted or cost < d.costs[d.ranks[0]]:
            keep(x, d, terms, length, cost)


@part
def look(entered: bool, pause: Int, deadline: Int, pair: NDArray[np.int64]) -> Int:
    """TIMED_OUT or PAUSED if it is time for that, else EXHAUSTED: nothing in the way yet."""
    clock = now(pair)
    if clock >= deadline:
        return TIMED_OUT
    if clock >= pause and not entered:  # even the shortest slice gets on
        return PAUSED
    return EXHAUSTED


@part
def search(  # noqa: PLR0912, PLR0915 # the steps of the algorithm, in one place
    x: Links, d: Dance, terms: Terms, pause: Int, deadline: Int, pair: NDArray[np.int64]
) -> Int:
    """Algorithm X.  Go on from where `d` stands; say how it came back.

    PAUSED at the time `pause`, or FULL when there is no room for another solution: call
    again.  Else the links are as they began, and it is EXHAUSTED, LIMITED (`limit` solutions
    were found), TIMED_OUT (at `deadline`) or TIRED (after its quota of nodes).
    """
    mask, word, base, wide, size = x.mask, x.nodes.word, x.nodes.base, x.nodes.wide, x.mask.size
    choice, guess, t = d.choice, d.guess, d.tally
    level, placed, spent, nodes, dead = t[LEVEL], t[PLACED], t[SPENT], t[NODES], t[DEAD] > 0
    rest: Int = _ZERO
    open_, called, single = Unsigned(t[OPEN]), Unsigned(t[CALLED]), Unsigned(t[SINGLE])
    paired, logged = Unsigned(t[PAIRED]), Unsigned(t[LOGGED])
    alone = x.right.size == x.nodes.primary + 1  # There are no secondary items.
    status, entered, again = EXHAUSTED, nodes, nodes
    while True:
        if nodes >= again:
            status = look(nodes == entered, pause, deadline, pair)
            again = nodes + t[LOOK]
            if status == EXHAUSTED and nodes >= t[QUOTA]:
                status = TIRED
        # Where every item has one option left, these options are the rest of a solution:
        # each is the only one of all its items.  Unless they meet in a secondary item.
        solved = not dead and open_ == (single if alone else _ZERO)
        if solved and status == EXHAUSTED:
            if t[KEPT] == d.kept.shape[0] and t[KEPT] < terms.wanted:
                status = FULL
            elif t[KEPT] < terms.wanted or terms.costly:
                solution(x, d, terms, placed, spent)
            else:
                t[FOUND] += 1
            if t[FOUND] == terms.limit and status == EXHAUSTED:
                status = LIMITED
        if status <= FULL:
            t[LEVEL], t[PLACED], t[SPENT], t[NODES], t[DEAD] = level, placed, spent, nodes, dead
            t[OPEN], t[CALLED], t[SINGLE] = open_, called, single
            t[PAIRED], t[LOGGED] = paired, logged
            return status
        if dead or solved or status != EXHAUSTED:  # X8. Leave a level.
            if status != EXHAUSTED:
                level = 0
            if x.hidden.size:
                dance_back(x, d, placed, logged, level)
            else:
                copy(x.copies, Unsigned(level * size), mask, _ZERO, Unsigned(size))
            while placed > guess[level, PLACED_AT]:
                placed -= 1
                relink(x, choice[placed])
            if level == 0:
                t[NODES] = nodes
                return status
            spent, open_ = guess[level, SPENT_AT], Unsigned(guess[level, OPEN_AT])
            paired, logged = Unsigned(guess[level, PAIRED_AT]), Unsigned(guess[level, LOGGED_AT])
            called, single, dead = _ZERO, _ZERO, False
            w, rest = Unsigned(guess[level, WORD]), Unsigned(guess[level, REST])
        elif called != _ZERO:  # What is forced is no guess.
            called -= _ONE
            item = x.calls[called]
            if mask[wide + item] >= _COVERED:
                continue
            w = first_word(x, item)
            rest = mask[w] & _OPTIONS
            level += 1  # and down again below
        else:  # X3. Choose an item.
            most = Unsigned(COMPARED) if t[FOUND] < PLENTY else _ONE
            best, common, one, two = best_pair(x, paired, most, terms.prune)
            if common != _ZERO:
                called, paired, logged, dead = confine(x, common, one, two, paired, logged)
                single = called
                continue
            if best == _ZERO:
                best = smallest(x)
            level += 1
            guess[level, PLACED_AT], guess[level, SPENT_AT] = placed, spent
            guess[level, OPEN_AT], guess[level, PAIRED_AT] = open_, paired
            guess[level, LOGGED_AT] = logged
            if not x.hidden.size:
                copy(mask, _ZERO, x.copies, Unsigned(level * size), Unsigned(size))
            w = first_word(x, best)
            rest = mask[w] & _OPTIONS
        bit = cheapest(x, w, rest) if terms.prune else lowest(rest)
        node = base[w] + bit
        rest ^= _ONE << bit
        if wide:
            last = word[x.nodes.owner[w] + _ONE] - _ONE
            while rest == _ZERO and w != last:
                w += _ONE
                rest = mask[w] & _OPTIONS
        if rest == _ZERO:  # Nothing else is to be tried here.
            level -= 1
        else:
            guess[level, WORD], guess[level, REST] = w, rest
        spent += x.cost[x.nodes.option[node]]
        if spent > t[BUDGET]:
            dead = True
            continue
        choice[placed] = node  # X4, X5. Cover the items of this option, and go on without them.
        placed += 1
        nodes += 1
        called, single, paired, open_, logged, dead = choose(
            x, node, called, single, paired, open_, logged
        )


@part
def begin(x: Links, d: Dance) -> None:
    """Stand at the beginning of a search that may spend what it likes."""
    d.tally[:] = 0
    d.tally[BUDGET] = d.tally[REACH] = UNBOUNDED
    d.tally[QUOTA] = UNBOUNDED
    d.tally[LOOK] = max(1, min(LONGEST_LOOK, LONGEST_WORK // x.nodes.members.size))
    stand(x, d)


@part
def again(x: Links, d: Dance, terms: Terms, reach: Int) -> None:
    """Begin another round, for all solutions that cost at most `reach`; what is kept stays."""
    t = d.tally
    t[ROUND] += 1
    t[BUDGET] = t[REACH] = reach
    if terms.prune and t[KEPT] == terms.wanted:
        t[BUDGET] = min(reach, d.costs[d.ranks[0]] - terms.step)
    stand(x, d)


@part
def stand(x: Links, d: Dance) -> None:
    """Nothing is chosen yet; note the items that have one option, two, or none."""
    t, right, mask = d.tally, x.right, x.mask
    t[LEVEL:] = 0
    item = right[0]
    while item != 0:
        left = left_of(x, item)
        t[OPEN] += 1
        t[DEAD] |= left == 0
        x.calls[t[CALLED]] = x.pairs[t[PAIRED]] = item
        t[CALLED] += left == 1
        t[PAIRED] += left == 2
        item = right[item]
    t[SINGLE] = t[CALLED]
    if x.copies.size:
        copy(mask, _ZERO, x.copies, _ZERO, Unsigned(mask.size))


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
    start: Table  #: per item: where its options begin; one more at the end
    options: Table  #: the options of all items, one item after the other
    pair: NDArray[np.int64]  #: for the clock


@part
def list_options(x: Links, p: Prices) -> None:
    """Write down which options every item has; none that is not to be covered."""
    word, _, base, _, _, option, _, _ = x.nodes
    p.start[:] = 0
    item = Unsigned(x.right[0])
    while item != 0:
        for w in range(word[item], word[item + _ONE]):
            p.start[item + _ONE] += ones(x.mask[w] & _OPTIONS)
        item = x.right[item]
    for k in range(1, p.start.size):
        p.start[k] += p.start[k - 1]
    item = Unsigned(x.right[0])
    while item != 0:
        at = p.start[item]
        for w in range(word[item], word[item + _ONE]):
            rest = x.mask[w] & _OPTIONS
            while rest != _ZERO:
                p.options[at] = option[base[w] + lowest(rest)]
                rest &= rest - _ONE
                at += _ONE
        item = x.right[item]


@part
def tighten(x: Links, p: Prices, homes: Int, deadline: Int) -> Int:
    """Find better prices; give by how much all of them together rose, or fell.

    Coordinate descent on the dual of the linear relaxation, softened by a temperature: every
    item in turn is priced so that its cheapest option would cost nothing.  The items up to
    `homes`, one of them in each option, are priced last and exactly, in whole numbers.
    """
    list_options(x, p)
    items = x.right.size
    heat = spread(x, p)
    for _ in range(SWEEPS):
        if now(p.pair) >= deadline:
            break
        for item in range(1, items):
            if p.start[item] != p.start[item + 1]:
                p.change[item] += soften(p.start, p.options, p.slack, item, heat)
        heat *= COOLING
    rise = np.int64(0)
    for home in (False, True):
        for item in range(1, items):
            if (item <= homes) == home and p.start[item] != p.start[item + 1]:
                change = np.int64(math.floor(p.change[item] + 0.5))
                if home:
                    change = -least_cost(p.start, p.options, x.cost, item)
                charge(p.start, p.options, x.cost, item, change)
                p.price[item] += change
                rise += change
    return rise


@part
def spread(x: Links, p: Prices) -> float:
    """No change yet; give the temperature to begin with."""
    total = 0.0
    count = p.start[p.start.size - 1]
    p.change[:] = 0.0
    for k in range(count):
        option = p.options[k]
        p.slack[option] = x.cost[option]
        total += x.cost[option]
    return float(HEAT * total / (count + 1) + 1.0)


@part
def soften(start: Table, options: Table, slack: Floats, item: Int, heat: float) -> float:
    """Price an item so that its options cost nothing at the least, softly."""
    least = slack[options[start[item]]]
    for k in range(start[item], start[item + 1]):
        least = min(least, slack[options[k]])
    total = 0.0
    for k in range(start[item], start[item + 1]):
        above = (slack[options[k]] - least) / heat
        if above < NEGLIGIBLE:
            total += math.exp(-above)
    change = float(heat * math.log(total) - least)
    charge(start, options, slack, item, change)
    return change


@part
def charge(start: Table, options: Table, cost: Any, item: Int, change: Any) -> None:
    """Let all options of an item cost more."""
    for k in range(start[item], start[item + 1]):
        cost[options[k]] += change


@part
def least_cost(start: Table, options: Table, cost: NDArray[np.int64], item: Int) -> Int:
    """What the cheapest option of an item costs."""
    least = np.int64(UNBOUNDED)
    for k in range(start[item], start[item + 1]):
        least = min(least, cost[options[k]])
    return least


# Grids.  A grid of side n is a problem with 4 n² items (each cell is filled; each row, column
# and box has each symbol) and n³ options (a cell and a symbol).  What the clues imply by
# counting alone is found on bit masks first, so that only the rest has to be danced: bit s
# of open[cell] is set while symbol s may stand there, and of taken[unit] when it is placed.


class Board(NamedTuple):
    """What all grids of one side have in common.  Cells, units and symbols count from 0.

    Items count from 1: the cells, then for each unit its symbols.
    """

    cells: Table  #: per cell: its row, column and box among the units, then its peers
    units: Table  #: rows, then columns, then boxes: their cells
    order: Unsigned  #: cells of a row of a box


class Marks(NamedTuple):
    """What is known of one grid before the dance."""

    open: Table  #: per cell: the symbols that may stand there
    taken: Table  #: per unit: the symbols that are placed in it
    stack: Table  #: cells that have one symbol left
    meets: Table  #: what may stand where lines and boxes meet
    spare: Table  #: what was known before a cell was probed, and after


class Grids(NamedTuple):
    """Many grids in, many answers out."""

    given: NDArray[np.uint8]  #: per grid and cell: the clue, 0 where there is none
    weight: NDArray[np.int64]  #: per cell; all 0 without a target
    report: NDArray[np.int64]  #: per grid: status, found, kept, nodes, ns, base, bound
    kept: NDArray[np.uint8]  #: rows for the kept solutions of one call: per cell the symbol from 1
    costs: NDArray[np.int64]  #: per row: what it falls short of the base


#: columns of `Grids.report`; a grid's solutions are in as many rows of `kept`, behind those of the
#: grids before it that the same call ended
STATUS, N_FOUND, N_KEPT, N_NODES, N_NS, BASE, BOUND = range(7)
#: prices, costs, base and bound count in fractions of a point of the score
POINT = 1024
#: nodes that a search for the best may take before better prices are worth their 3 ms
TRIAL = 1 << 14
#: so many searches near the best solution, each of as many nodes, follow upon a round that looked
#: everywhere; and what is freed for the first of them
NEARBY, NEAR_NODES, NEAR_FREED = 32, 1 << 12, 4
#: how far a grid is: not begun, dancing, or its solutions are to be written down
FRESH, DANCING, WRITING = range(3)


@verb
def strike(open_: Table, stack: Table, cell: Int, mask: Int, stacked: Int) -> Int:
    """These symbols do not stand in the cell; stack it when that leaves it with one, or none.

    As in `hide`, no branch: whether there is a symbol to strike cannot be foreseen.
    """
    had = open_[cell]
    left = had & ~mask
    open_[cell] = left
    stack[stacked] = cell
    return stacked + Unsigned((left != had) & (left & (left - _ONE) == _ZERO))


@part
def drain(cells: Table, open_: Table, taken: Table, stack: Table, stacked: Int) -> bool:
    """Place the one symbol of every stacked cell: strike it from the cell's peers.

    So on with those that this leaves with one symbol; False when a cell has none.
    """
    peers = Unsigned(cells.shape[1])
    while stacked != _ZERO:
        stacked -= _ONE
        cell = stack[stacked]
        mask = open_[cell]
        if mask == _ZERO:
            return False
        for k in range(_THREE):
            taken[cells[cell, k]] |= mask
        for k in range(_THREE, peers):
            stacked = strike(open_, stack, cells[cell, k], mask, stacked)
    return True


@verb
def hidden_in(units: Table, open_: Table, unit: Int, full: Int) -> Int:
    """The symbols that have one cell in a unit; more than all if a symbol has none."""
    once = twice = _ZERO
    for k in range(Unsigned(units.shape[1])):
        mask = open_[units[unit, k]]
        twice |= once & mask
        once |= mask
    return once & ~twice if once == full else ~_ZERO


@part
def fill_hidden(cells: Table, units: Table, open_: Table, taken: Table, stack: Table) -> Int:
    """Place symbols that have one cell left in a unit.

    1 if there were any, 2 if nothing is open any more, -1 on contradiction.
    """
    found, closed, side = 0, 2, Unsigned(units.shape[1])
    full = Unsigned((_ONE << side) - _ONE)
    for unit in range(Unsigned(units.shape[0])):
        if taken[unit] == full:
            continue
        alone = hidden_in(units, open_, unit, full)
        if alone > full:
            return -1
        alone &= ~taken[unit]
        closed = 0
        if alone == _ZERO:
            continue
        stacked, several = _ZERO, _ZERO
        for k in range(side):
            cell = units[unit, k]
            mask = open_[cell] & alone
            several |= mask & (mask - _ONE) & alone
            open_[cell] = mask if mask else open_[cell]
            stack[stacked] = cell
            stacked += Unsigned(mask != _ZERO)
        if several or not drain(cells, open_, taken, stack, stacked):
            return -1
        found = 1
    return found | closed


@verb
def meet(units: Table, open_: Table, meets: Table, first: Int, order: Int) -> None:
    """The symbols that may stand where each of `order` lines meets each box across them."""
    for line in range(order):
        for box in range(order):
            mask = _ZERO
            for k in range(order):
                mask |= open_[units[first + line, box * order + k]]
            meets[line * order + box] = mask


@verb
def confined(meets: Table, line: Int, box: Int, order: Int) -> tuple[Int, Int]:
    """What the box needs of this line, and the line of this box: the other may not have it."""
    in_line = in_box = _ZERO
    for k in range(order):
        if k != box:
            in_line |= meets[line * order + k]
        if k != line:
            in_box |= meets[k * order + box]
    here = meets[line * order + box]
    return here & in_line & ~in_box, here & in_box & ~in_line


@part
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
        stacked = strike(open_, stack, units[line, box * order + k], mask, stacked)
    return stacked


@part
def lock(units: Table, open_: Table, stack: Table, meets: Table, first: Int, order: Int) -> Int:
    """What must stand where a line and a box meet stands nowhere else in either.

    For `order` lines side by side.  Say how many cells that leaves with one symbol, or with none;
    they are stacked.
    """
    meet(units, open_, meets, first, order)
    stacked = _ZERO
    for line in range(order):
        for box in range(order):
            only_box, only_line = confined(meets, line, box, order)
            if only_box | only_line == _ZERO:
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
    return stacked


@part
def lock_all(
    cells: Table,
    units: Table,
    open_: Table,
    taken: Table,
    stack: Table,
    meets: Table,
    order: Int,
) -> Int:
    """Locked candidates everywhere: 1 if that filled a cell, -1 on contradiction."""
    filled = 0
    for first in range(_ZERO, Unsigned(2 * order * order), order):
        stacked = lock(units, open_, stack, meets, first, order)
        if not drain(cells, open_, taken, stack, stacked):
            return -1
        filled |= stacked > 0
    return filled


@part
def enter(
    cells: Table,
    open_: Table,
    taken: Table,
    stack: Table,
    full: Int,
    given: NDArray[np.uint8],
) -> tuple[Int, bool]:
    """Enter the clues; they clash if two of a unit are the same.

    Say how many other cells that leaves with one symbol, or with none; they are stacked.  All at
    once: to place the clues one by one takes as long as all that follows.
    """
    stacked, clash = _ZERO, _ZERO
    taken[:] = 0
    for cell in range(Unsigned(given.size)):
        mask = (_ONE << Unsigned(given[cell])) >> _ONE
        open_[cell] = mask
        for k in range(_THREE):
            clash |= taken[cells[cell, k]] & mask
            taken[cells[cell, k]] |= mask
    for cell in range(Unsigned(given.size)):
        row, column, box = cells[cell, 0], cells[cell, 1], cells[cell, 2]
        clue = open_[cell]
        left = clue if clue else full & ~(taken[row] | taken[column] | taken[box])
        open_[cell] = left
        stack[stacked] = cell
        stacked += Unsigned((clue == _ZERO) & (left & (left - _ONE) == _ZERO))
    return stacked, clash != _ZERO


@part
def pick(cells: Table, open_: Table) -> Int:
    """Of the cells with two symbols, that with most such peers that share one; or none at all.

    The last cell's successor stands for none.
    """
    best, most = Unsigned(open_.size), _ZERO
    for cell in range(Unsigned(open_.size)):
        mask = open_[cell]
        if ones(mask) == _TWO:
            like = _ONE
            for k in range(_THREE, Unsigned(cells.shape[1])):
                other = open_[cells[cell, k]]
                like += Unsigned((other & mask != _ZERO) & (ones(other) == _TWO))
            if like > most:
                best, most = cell + _ZERO, like
    return best


@part
def suppose(
    cells: Table, units: Table, open_: Table, taken: Table, stack: Table, cell: Int, mask: Int
) -> Int:
    """Place one of a cell's symbols, and what follows by singles; as `fill_hidden` tells."""
    open_[cell] = mask
    stack[_ZERO] = cell
    told = 1 if drain(cells, open_, taken, stack, _ONE) else -1
    while told == 1:
        told = fill_hidden(cells, units, open_, taken, stack)
    return told


@part
def save(open_: Table, taken: Table, spare: Table, half: Int) -> None:
    """Write down in this half of `spare` what is known."""
    size = Unsigned(open_.size)
    start = half * (size + Unsigned(taken.size))
    copy(open_, _ZERO, spare, start, size)
    copy(taken, _ZERO, spare, start + size, Unsigned(taken.size))


@part
def restore(open_: Table, taken: Table, spare: Table, half: Int) -> None:
    """Know again what was known when `save` was called."""
    size = Unsigned(open_.size)
    start = half * (size + Unsigned(taken.size))
    copy(spare, start, open_, _ZERO, size)
    copy(spare, start + size, taken, _ZERO, Unsigned(taken.size))


@part
def probe(
    cells: Table, units: Table, open_: Table, taken: Table, stack: Table, spare: Table
) -> Int:
    """Of a cell's two symbols, that stands whose other one leads to a contradiction.

    1 if that was so, 0 if both can be supposed or no cell has two, -1 if neither stands.
    """
    cell = pick(cells, open_)
    if cell == Unsigned(open_.size):
        return 0
    both = open_[cell]
    low = both & ~(both - _ONE)
    save(open_, taken, spare, _ZERO)
    if suppose(cells, units, open_, taken, stack, cell, low) < 0:
        restore(open_, taken, spare, _ZERO)
        open_[cell] = both ^ low
        stack[_ZERO] = cell
        return 1 if drain(cells, open_, taken, stack, _ONE) else -1
    save(open_, taken, spare, _ONE)
    restore(open_, taken, spare, _ZERO)
    stands = suppose(cells, units, open_, taken, stack, cell, both ^ low) < 0
    restore(open_, taken, spare, Unsigned(stands))
    return int(stands)


@part
def deduce(
    cells: Table,
    units: Table,
    open_: Table,
    taken: Table,
    stack: Table,
    meets: Table,
    spare: Table,
    order: Int,
    given: NDArray[np.uint8],
) -> Int:
    """Enter the clues and all that follows by singles, locks and probes.

    0 if something is still open, 2 if nothing is, -1 on contradiction.
    """
    full = (_ONE << order * order) - _ONE
    stacked, clash = enter(cells, open_, taken, stack, full, given)
    if clash or not drain(cells, open_, taken, stack, stacked):
        return -1
    told = 1
    while told == 1:
        told = fill_hidden(cells, units, open_, taken, stack)
        if told == 0:
            told = lock_all(cells, units, open_, taken, stack, meets, order)
        if told == 0:
            told = probe(cells, units, open_, taken, stack, spare)
    return told


@verb
def highest(open_: Int, weight: Int, side: Int) -> Int:
    """The most that one of these symbols could score in a cell of this weight."""
    best = -UNBOUNDED
    for symbol in range(side):
        if open_ >> Unsigned(symbol) & _ONE:
            best = max(best, weight * (symbol + 1))
    return best


@part
def price_cells(m: Marks, side: Int, weight: NDArray[np.int64], price: NDArray[np.int64]) -> Int:
    """Price every cell at the most that it could score; give all prices together."""
    price[:] = 0
    base = np.int64(0)
    for cell in range(m.open.size):
        price[cell + 1] = POINT * highest(m.open[cell], weight[cell], side)
        base += price[cell + 1]
    return base


@part
def lay_grid(
    cells: Table,
    m: Marks,
    x: Links,
    may: Table,
    weight: NDArray[np.int64],
    price: NDArray[np.int64],
    side: Int,
    reach: Int,
    costly: bool,
) -> Int:
    """Lay out, for the cells that are open, the symbols of `may` that cost at most `reach`.

    Give what the dearest costs.
    """
    open_, taken = m.open, m.taken
    mask, cost, members = x.mask, x.cost, x.nodes.members
    mask[:] = 0
    dearest = np.int64(0)
    for cell in range(Unsigned(open_.size)):
        if taken[cells[cell, 0]] & open_[cell]:  # It is filled.
            continue
        rest = may[cell]
        while rest != _ZERO:
            symbol = lowest(rest)
            option = cell * side + symbol
            rest &= rest - _ONE
            if costly:
                dear = -POINT * weight[cell] * np.int64(symbol + _ONE)
                for k in range(Unsigned(8) * option, Unsigned(8) * option + Unsigned(4)):
                    dear += price[members[k] >> _SHIFT]
                dearest = max(dear, dearest)
                if dear > reach:
                    continue
                cost[option] = dear
            for k in range(Unsigned(8) * option, Unsigned(8) * option + Unsigned(4)):
                mask[members[k] >> _SHIFT] |= _ONE << (members[k] & _BIT)
    link_grid(cells, open_, taken, x.left, x.right, side)
    return dearest


@part
def link_grid(
    cells: Table, open_: Table, taken: Table, left: Table, right: Table, side: Int
) -> None:
    """Link what is still to be covered of a grid: cells, then the symbols of the units."""
    last, item = _ZERO, _ONE
    for cell in range(Unsigned(open_.size)):
        if not taken[cells[cell, 0]] & open_[cell]:
            last = link(left, right, last, item)
        item += _ONE
    full = (_ONE << side) - _ONE
    for unit in range(Unsigned(taken.size)):
        rest = full & ~taken[unit]
        while rest != _ZERO:
            last = link(left, right, last, item + lowest(rest))
            rest &= rest - _ONE
        item += side
    link(left, right, last, _ZERO)


@verb
def link(left: Table, right: Table, last: Int, item: Int) -> Int:
    """Let `item` follow the last one in the ring; give it back as the last one."""
    right[last] = item
    left[item] = last
    return item


@part
def deduce_grid(b: Board, m: Marks, x: Links, g: Grids, at: Int, terms: Terms, p: Prices) -> None:
    """Deduce what is plain in grid `at` and lay out the rest, if there is any.

    A grid whose clues contradict each other has one item that no option covers.
    """
    cells, units, order = b
    open_, taken, stack, meets, spare = m
    side, last = Unsigned(units.shape[1]), _ZERO
    told = deduce(cells, units, open_, taken, stack, meets, spare, order, g.given[at])
    if told >= 0 and terms.costly:
        g.report[at, BASE] = price_cells(m, side, g.weight, p.price)
    if told == 0:
        lay_grid(cells, m, x, open_, g.weight, p.price, side, np.int64(UNBOUNDED), terms.costly)
        return
    if told < 0:
        x.mask[_ONE] = _ZERO
        last = link(x.left, x.right, _ZERO, _ONE)
    link(x.left, x.right, last, _ZERO)


@part
def open_grid(
    b: Board, m: Marks, x: Links, d: Dance, g: Grids, at: Int, terms: Terms, p: Prices
) -> None:
    """Begin with grid `at`; what is no grid is laid out already."""
    g.report[at, BASE] = 0
    is_grid = b.units.shape[0] > 0
    if is_grid:
        deduce_grid(b, m, x, g, at, terms, p)
    g.report[at, BOUND] = g.report[at, BASE]
    begin(x, d)
    if terms.prune and is_grid:
        d.tally[QUOTA] = TRIAL


@part
def lower_bound(
    x: Links, d: Dance, p: Prices, report: NDArray[np.int64], homes: Int, deadline: Int
) -> None:
    """Better prices: the bound falls, and what the kept solutions fall short of it."""
    rise = tighten(x, p, homes, deadline)
    for slot in range(d.tally[KEPT]):
        d.costs[slot] += rise
    report[BASE] += rise
    report[BOUND] = min(report[BOUND], report[BASE])


@part
def least_reach(report: NDArray[np.int64]) -> Int:
    """How far the next round looks at least: where nothing is proven yet."""
    reach = report[BASE] % POINT + POINT
    while report[BASE] - reach > report[BOUND]:
        reach = wider(report, reach)
    return reach


@verb
def wider(report: NDArray[np.int64], reach: Int) -> Int:
    """Twice as far, and by whole points of the score."""
    return report[BASE] % POINT + reach // POINT * 2 * POINT


@part
def stay_near(m: Marks, d: Dance, cells: Table, side: Int) -> None:
    """Leave open what the best solution so far has in some places, drawn by lot; fix the rest.

    The places are rows, columns, boxes, or those of some symbols.
    """
    t, may = d.tally, m.spare
    way = draw(t) % 4
    freed = _ZERO
    t[FREED] = max(2, min(np.int64(side), t[FREED]))
    while np.int64(ones(freed)) < t[FREED]:
        freed |= _ONE << Unsigned(draw(t) % np.int64(side))
    best = 0
    for slot in range(t[KEPT]):
        if d.costs[slot] < d.costs[best]:
            best = slot
    copy(m.open, _ZERO, may, _ZERO, Unsigned(m.open.size))
    for k in range(d.lengths[best]):
        option = Unsigned(d.kept[best, k])
        cell, symbol = option // side, option % side
        place = symbol
        if way < 3:
            place = cells[cell, Unsigned(way)] - Unsigned(way) * side
        if freed >> place & _ONE == _ZERO:
            may[cell] = _ONE << symbol


@verb
def draw(t: NDArray[np.int64]) -> Int:
    """A number by lot, below 32768; of a search that is begun anew always the same ones."""
    t[LOT] = (t[LOT] * 1103515245 + 12345) % (1 << 31)
    return t[LOT] // (1 << 16)


@part
def next_reach(
    x: Links, d: Dance, report: NDArray[np.int64], wanted: Int, p: Prices, homes: Int, deadline: Int
) -> Int:
    """How far below the bound the next round looks; 0 if there is to be none.

    The first round is a trial, without a bound.  Then each looks twice as far as the one before,
    and finds something, or proves that nothing is there, or tires.  After one that looked
    everywhere and tired, some look near the best solution so far, and all begins again, with a
    better bound and twice the patience.
    """
    t = d.tally
    tired, reach = report[STATUS] == TIRED, t[REACH]
    if t[NEAR] > 0:  # Nothing is proven by a search near a solution.
        t[NEAR] -= 1
        t[FREED] += -1 if tired else 1
        return least_reach(report)
    if reach == UNBOUNDED:
        if not tired:
            return 0
        lower_bound(x, d, p, report, homes, deadline)
        if t[ROUND] == 0:
            t[TURN], t[FREED] = TRIAL, NEAR_FREED
        else:
            t[NEAR] = NEARBY * (t[TURN] // TRIAL) if t[KEPT] else 0
            t[TURN] *= 2
        return least_reach(report)
    if not tired:
        report[BOUND] = min(report[BOUND], report[BASE] - reach - 1)
        if t[KEPT] == wanted and d.costs[d.ranks[0]] - POINT <= reach:
            return 0
    return wider(report, reach)


@part
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
    """Begin another round for grid `at` if there may be better solutions than the kept ones."""
    t, report, side, may = d.tally, g.report[at], Unsigned(b.units.shape[1]), m.open
    if report[STATUS] != TIRED and report[STATUS] != EXHAUSTED:
        return False
    reach = next_reach(x, d, report, terms.wanted, p, m.open.size, deadline)
    if reach == 0:
        return False
    if t[NEAR] > 0:
        stay_near(m, d, b.cells, side)
        may, reach = m.spare, np.int64(UNBOUNDED)
    if reach >= lay_grid(b.cells, m, x, may, g.weight, p.price, side, reach, terms.costly):
        reach = UNBOUNDED
    again(x, d, terms, reach)
    t[QUOTA] = t[NODES] + (NEAR_NODES if t[NEAR] > 0 else t[TURN])
    return True


@part
def write_down(b: Board, m: Marks, d: Dance, g: Grids, at: Int, row: Int) -> None:
    """The kept solutions of grid `at`, as symbols, in the rows from this one on."""
    side = Unsigned(b.units.shape[1])
    rank(d)
    for place in range(d.tally[KEPT]):
        kept, slot = g.kept[row + place], d.ranks[place]
        for cell in range(m.open.size):
            kept[cell] = lowest(m.open[cell]) + _ONE
        for k in range(d.lengths[slot]):
            option = d.kept[slot, k]
            kept[option // side] = option % side + _ONE
        g.costs[row + place] = d.costs[slot]
    g.report[at, N_FOUND], g.report[at, N_KEPT] = d.tally[FOUND], d.tally[KEPT]


@entry
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
    row = np.int64(0)
    while at < g.given.shape[0]:
        report = g.report[at]
        if stage == FRESH:
            report[N_NS] = 0
            open_grid(b, m, x, d, g, at, terms, p)
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


#: of a problem that is no grid
NO_BOARD = Board(np.zeros((0, 0), np.uint32), np.zeros((0, 0), np.uint32), Unsigned(0))


class Found(NamedTuple):
    """How a search ended."""

    status: int  #: EXHAUSTED, LIMITED or TIMED_OUT
    found: int
    kept: list[tuple[tuple[int, ...], int]]  #: option numbers from 0, ascending, and their cost
    nodes: int
    ns: int


def links(problem: Problem, copying: bool | None = None) -> Links:
    """The memory of a whole problem, laid out.

    Masks are copied before each guess where that takes little memory, or as told.
    """
    nodes, mask = nodes_of(problem)
    x = room(problem, nodes, mask.size, copying)
    x.mask[:] = mask
    primary = np.arange(1, problem.primary + 1)
    x.right[primary - 1], x.left[primary] = primary, primary - 1
    x.left[0] = problem.primary
    secondary = np.arange(problem.primary + 1, problem.items + 1)
    x.left[secondary] = x.right[secondary] = secondary
    return x


def room(problem: Problem, nodes: Nodes, words: int, copying: bool | None = None) -> Links:
    """Memory for so many words; nothing is linked."""
    items = problem.items + 1
    copies = words * (depth(problem) + 1)
    if copying is None:
        copying = copies <= COPIES
    return Links(
        nodes,
        np.zeros(items, np.uint32),
        np.zeros(items, np.uint32),
        np.zeros(words, np.uint32),
        np.zeros(items + 1, np.uint32),
        np.zeros(2 * items + 1, np.uint32),  # a confined item once more
        np.zeros(copies if copying else 0, np.uint32),
        np.zeros(0 if copying else problem.members.size + 1, np.uint32),
        problem.cost.copy(),
    )


def depth(problem: Problem) -> int:
    """How many options a solution has at most."""
    return min(problem.primary, problem.cost.size)


def nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """What the bits of the masks stand for, and the masks; then the sizes, if it is wide.

    The nodes are numbered item by item, those of an item in the order of the options.
    """
    if problem.items > LARGEST:
        raise ValueError(f"there are more than {LARGEST:,} items")
    members = problem.members.astype(np.int64)
    sizes = np.bincount(members, minlength=problem.items + 1)
    words: Integers = np.maximum(1, (sizes + WIDTH - 1) // WIDTH)
    word = np.concatenate([[0], np.cumsum(words)])
    begins = np.cumsum(sizes) - sizes  # per item: its first node
    owner = np.repeat(np.arange(sizes.size), words)
    base = begins[owner] + WIDTH * (np.arange(owner.size) - word[owner])
    mask = (1 << np.clip((begins + sizes)[owner] - base, 0, WIDTH)) - 1
    wide = owner.size if words.max() > 1 else 0
    (sizes if wide else mask)[problem.primary + 1 :] |= int(_COVERED)
    after, twice, option = _doubled(problem, word, begins)
    tables = (table.astype(np.uint32) for table in (word, owner, base, after, twice, option))
    return (
        Nodes._make([*tables, problem.primary, Unsigned(wide)]),
        (np.concatenate([mask, sizes]) if wide else mask).astype(np.uint32),
    )


def _doubled(
    problem: Problem, word: Integers, begins: Integers
) -> tuple[Integers, Integers, Integers]:
    """Where the others of each node begin, the members twice over, and each node's option."""
    members = problem.members.astype(np.int64)
    by_item = np.argsort(members, kind="stable")
    rank = np.empty_like(by_item)
    rank[by_item] = np.arange(members.size)
    rank -= begins[members]  # of the option among those of the item
    member = (word[members] + rank // WIDTH) << int(_SHIFT) | rank % WIDTH
    first = problem.first.astype(np.int64)
    lengths = first[1:] - first[:-1]
    option = np.repeat(np.arange(lengths.size), lengths)
    at = np.arange(members.size) + first[option]
    twice = np.zeros(2 * members.size + 1, np.int64)
    twice[at] = twice[at + lengths[option]] = member
    return (at + 1)[by_item], twice, option[by_item]


def dance(depth: int, room: int) -> Dance:
    """A search that chooses at most `depth` options, with room to keep so many solutions."""
    return Dance(
        np.zeros(depth + 1, np.uint32),
        np.zeros((depth + 1, 7), np.int64),
        np.zeros(DEAD + 1, np.int64),
        np.zeros((room, depth), np.uint32),
        *(np.zeros(room, np.int64) for _ in range(4)),
    )


def prices(items: int, options: int, nodes: int) -> Prices:
    """Memory for the bound."""
    return Prices(
        np.zeros(items + 1, np.int64),
        np.zeros(items + 1),
        np.zeros(options),
        np.zeros(items + 2, np.uint32),
        np.zeros(nodes, np.uint32),
        np.zeros(2, np.int64),
    )


def with_room(d: Dance, wanted: int) -> Dance:
    """The same search; if it is full, with twice the room, but no more than is wanted."""
    room = d.kept.shape[0]
    if d.tally[KEPT] < room or room >= wanted:
        return d
    more = min(room, wanted - room)
    kept = np.concatenate([d.kept, np.zeros((more, d.kept.shape[1]), np.uint32)])
    rest = (np.concatenate([column, np.zeros(more, np.int64)]) for column in d[4:])
    return Dance(d.choice, d.guess, d.tally, kept, *rest)


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
    terms = asked(
        limit=limit, keep=keep, prune=prune, timeout=timeout, costly=bool(problem.cost.any())
    )
    x, d = links(problem), dance(depth(problem), min(terms.wanted, 16))
    yield from slices(x, d, terms, slice_seconds)


def slices(x: Links, d: Dance, terms: Terms, slice_seconds: float) -> Iterator[Found | None]:
    """The same, of a problem that is laid out.

    It goes through the one door that the grids go through: each door would be compiled by itself.
    """
    b, m, p = NO_BOARD, marks(0), prices(0, 0, 0)
    g = grids(np.zeros((1, 0), np.uint8), np.zeros(0, np.int64), 0)
    status, stage = PAUSED, FRESH
    while True:
        _, stage = solve_grids(b, m, x, d, g, terms, 0, stage, nanoseconds(slice_seconds), p)
        status, *_, ns = g.report[0, : N_NS + 1].tolist()
        if status > FULL:
            break
        d = with_room(d, terms.wanted)
        yield None
    yield Found(status, int(d.tally[FOUND]), _kept(d), int(d.tally[NODES]), ns)


def marks(side: int) -> Marks:
    """Memory for what is known of one grid."""
    cells, units = side**2, 3 * side
    sizes = (cells, units, 2 * cells, side, 2 * (cells + units))
    return Marks(*(np.zeros(size, np.uint32) for size in sizes))


def grids(given: NDArray[np.uint8], weight: Integers, rows: int) -> Grids:
    """These grids, with room for so many solutions."""
    return Grids(
        given,
        weight,
        np.zeros((len(given), BOUND + 1), np.int64),
        np.zeros((rows, given.shape[1]), np.uint8),
        np.zeros(rows, np.int64),
    )


def asked(
    *,
    limit: int | None,
    keep: int,
    prune: bool,
    timeout: float,
    step: int = 1,
    costly: bool = True,
) -> Terms:
    """Terms from what a caller may ask for, however large."""
    wanted = max(1, min(keep, UNBOUNDED))
    if limit is None:
        return Terms(-1, wanted, prune, nanoseconds(timeout), step, costly)
    limit = min(limit, UNBOUNDED)
    return Terms(limit, max(1, min(wanted, limit)), prune, nanoseconds(timeout), step, costly)


def nanoseconds(seconds: float) -> int:
    """As the kernel counts them; thirty years are as good as for ever."""
    return int(min(seconds, 1e9) * 1e9)


def _kept(d: Dance) -> list[tuple[tuple[int, ...], int]]:
    """The cheapest first, of equals the first found."""
    count = d.tally[KEPT]
    return [
        (tuple(sorted(d.kept[slot, : d.lengths[slot]].tolist())), int(d.costs[slot]))
        for slot in np.lexsort((d.born[:count], d.costs[:count])).tolist()
    ]


def solve(
    problem: Problem, *, limit: int | None = None, keep: int = 1, prune: bool = False
) -> Found:
    """Search to the end."""
    ended = (found for found in searching(problem, limit=limit, keep=keep, prune=prune) if found)
    return next(ended)


def show(x: Links) -> str:
    """The items, as a table to read: their neighbours, and which options they have."""
    items = range(x.right.size)
    words = [x.mask[x.nodes.word[item]] & _OPTIONS for item in items]
    lines: list[tuple[str, Iterable[object]]] = [
        ("item", items),
        ("left", x.left),
        ("right", x.right),
        ("mask", ["..", *(f"{word:b}" for word in words[1:])]),
    ]
    return "\n".join(f"{name:6}" + "".join(f"{cell!s:>4}" for cell in row) for name, row in lines)
