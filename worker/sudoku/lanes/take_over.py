"""The general search goes on where a search in lanes stopped, with what it found.

The lanes leave a stack of guesses, each with the options that are still to be tried. The general
search makes the same guesses in its own tables, one after the other: so every solution is visited
by one of the two searches, and by one only. Between two guesses it does all that it would do there
itself, which may decide more than the lanes had decided: then a guess of theirs is none here, and
what they had still to try is left out or goes on alone.
"""

from typing import Any

from worker.compiling.jit import ONE, ZERO, Int, Unsigned, compiled, lowest_bit
from worker.compiling.vectors import WIDTH, Vector
from worker.exact_cover.branch import best_pair
from worker.exact_cover.cover import Counts, choose, first_word_left, is_open
from worker.exact_cover.exclude import confine
from worker.exact_cover.layout import NOT_OPEN, OPTION_BITS, Links
from worker.exact_cover.search import MANY_SOLUTIONS, enter_root, save
from worker.exact_cover.state import RESTART_NODES, UNLIMITED, Kept, Search, Terms
from worker.sudoku.board import Marks
from worker.sudoku.lanes.board import CELL_LANES, CELLS, LANES, SIDE
from worker.sudoku.lanes.memory import Grid

_CELLS, _SIDE, _WIDTH, _LANES = Unsigned(CELLS), Unsigned(SIDE), Unsigned(WIDTH), Unsigned(LANES)
_FIRST_CELL = Unsigned(CELL_LANES)


@compiled
def take_over(
    grid: Grid, marks: Marks, links: Links, search: Search, terms: Terms, dual: Int
) -> None:
    """Continue a search that stopped in lanes, on the tables of the presolved grid.

    `dual` is what solutions score less their cost. Where scores prune, only the solutions are
    taken over: the rounds that follow begin at the root, with these as the best so far.
    """
    state, levels = search.state, Unsigned(search.state.level)
    strip(marks, search.kept, state.kept, dual)
    if terms.prune:
        state.node_limit, state.revisits = state.nodes, 1
        state.pairs_compared = ONE if state.found >= MANY_SOLUTIONS else state.pairs_compared
        return
    state.node_limit, state.restart_nodes = UNLIMITED, 0
    if state.found * RESTART_NODES > state.nodes * MANY_SOLUTIONS:
        state.pairs_compared = ONE
    enter_root(links, search)
    settle(links, search, terms)
    goes_on = state.dead == 0
    for level in range(ONE, levels + ONE):
        goes_on = goes_on and choose_covered(
            grid, marks, links, search, terms, grid.snapshots, level * _LANES
        )
        goes_on = goes_on and guess(grid, marks, links, search, terms, level)
    if goes_on:
        choose_covered(grid, marks, links, search, terms, grid.mask, ZERO)


@compiled
def strip(marks: Marks, kept: Kept, count: Int, dual: Int) -> None:
    """Leave the kept solutions the options of open cells only, and let them cost what is lost."""
    for slot in range(count):
        length = 0
        for cell in range(_CELLS):
            if marks.candidates[cell] & (marks.candidates[cell] - ONE) != ZERO:
                kept.options[slot, length] = kept.options[slot, cell]
                length += 1
        kept.length[slot] = length
        kept.cost[slot] += dual


@compiled
def choose_covered(
    grid: Grid,
    marks: Marks,
    links: Links,
    search: Search,
    terms: Terms,
    mask: Vector,
    lanes: Int,
) -> bool:
    """Choose the options of all cells that are covered in these lanes; return false if dead."""
    for cell in range(_CELLS):
        if mask[lanes + _FIRST_CELL + cell] == 0:
            symbol = Unsigned(grid.symbols[cell])
            item = cell + ONE
            if has_options(links, item):
                choose_bit(links, search, terms, item, symbol)
            elif not is_chosen(marks, links, search, cell, symbol):
                search.state.dead = 1
            if search.state.dead != 0:
                return False
    return True


@compiled
def guess(grid: Grid, marks: Marks, links: Links, search: Search, terms: Terms, level: Int) -> bool:
    """Guess as the lanes did at this level; return false if their deeper guesses are void here."""
    state, rest = search.state, Unsigned(grid.rest[level])
    lane = Unsigned(grid.branch[level])
    item, tried = item_of(lane), tried_bit(grid, lane)
    if not has_options(links, item):
        if is_bit_chosen(grid, marks, links, search, lane, tried):
            return True
        state.dead = 1
        while rest != ZERO:
            if is_bit_chosen(grid, marks, links, search, lane, lowest_bit(rest)):
                state.dead = 0  # all that is left of this level
            rest &= rest - ONE
        return False
    left: Any = links.mask[links.nodes.first_word[item]] & OPTION_BITS
    rest &= left
    is_deeper = bool(left >> tried & ONE != ZERO)
    if not is_deeper:
        if rest == ZERO:
            state.dead = 1
            return False
        tried = lowest_bit(rest)
        rest &= rest - ONE
    if rest != ZERO:
        state.level += 1
        save(links, search, state.level, state.length, state.spent, counts_of(search))
        saved = search.guesses[state.level]
        saved.word, saved.rest = links.nodes.first_word[item], rest
    choose_bit(links, search, terms, item, tried)
    return is_deeper and state.dead == 0


@compiled
def has_options(links: Links, item: Int) -> bool:
    """Return whether an item is open with options left; the presolve leaves covered ones none."""
    left = links.mask[links.nodes.first_word[item]]
    return bool(left != ZERO and left < NOT_OPEN)


@compiled
def item_of(lane: Int) -> Int:
    """Return the item of a lane as the general search numbers it."""
    if lane >= _FIRST_CELL:
        return lane - _FIRST_CELL + ONE
    return _CELLS + lane % _WIDTH * _SIDE + lane // _WIDTH + ONE


@compiled
def cell_and_symbol(grid: Grid, lane: Int, bit: Int) -> tuple[Int, Int]:
    """Return cell and symbol of the option that is this bit of a lane's item."""
    if lane >= _FIRST_CELL:
        return lane - _FIRST_CELL, bit
    return Unsigned(grid.rows.unit_cells[lane % _WIDTH, bit]), lane // _WIDTH


@compiled
def tried_bit(grid: Grid, lane: Int) -> Int:
    """Return the bit of the option by which a lane's item is covered now."""
    for bit in range(_SIDE):
        cell, symbol = cell_and_symbol(grid, lane, bit)
        if grid.mask[_FIRST_CELL + cell] == 0 and grid.symbols[cell] == symbol:
            return bit
    return _SIDE


@compiled
def is_bit_chosen(
    grid: Grid, marks: Marks, links: Links, search: Search, lane: Int, bit: Int
) -> bool:
    """Return whether the option that is this bit of a lane's item is chosen."""
    cell, symbol = cell_and_symbol(grid, lane, bit)
    return is_chosen(marks, links, search, cell, symbol)


@compiled
def is_chosen(marks: Marks, links: Links, search: Search, cell: Int, symbol: Int) -> bool:
    """Return whether a cell has this symbol: by the presolve, or by a chosen option."""
    if marks.candidates[cell] == ONE << symbol:
        return True
    for k in range(search.state.length):
        if links.nodes.option[search.chosen[k]] == cell * _SIDE + symbol:
            return True
    return False


@compiled
def counts_of(search: Search) -> Counts:
    """Return the counts that are in the registers."""
    state = search.state
    return Counts(state.forced, state.single, state.pairs, state.trail, state.open)


@compiled
def choose_bit(links: Links, search: Search, terms: Terms, item: Int, bit: Int) -> None:
    """Choose an option of an open item, and what follows from it; dead if the item lost it."""
    word = links.nodes.first_word[item]
    if links.mask[word] >> bit & ONE == ZERO:
        search.state.dead = 1
        return
    choose_node(links, search, links.nodes.first_node[word] + bit)
    settle(links, search, terms)


@compiled
def choose_node(links: Links, search: Search, node: Int) -> None:
    """Choose the option of a node."""
    state = search.state
    search.chosen[state.length] = node
    state.length += 1
    state.spent += links.cost[links.nodes.option[node]]
    counts, dead = choose(links, node, counts_of(search))
    set_counts(search, counts, dead)


@compiled
def set_counts(search: Search, counts: Counts, dead: bool) -> None:
    """Write counts, and whether the node is dead, to the registers."""
    state = search.state
    state.forced, state.single, state.pairs = counts.forced, counts.single, counts.pairs
    state.trail, state.open, state.dead = counts.trail, counts.open, dead


@compiled
def settle(links: Links, search: Search, terms: Terms) -> None:
    """Choose and exclude all that the search would before its next guess."""
    state = search.state
    while state.dead == 0:
        if state.forced != ZERO:
            state.forced -= ONE
            item = links.forced[state.forced]
            if is_open(links, item):
                word = first_word_left(links, item)
                rest = links.mask[word] & OPTION_BITS
                choose_node(links, search, links.nodes.first_node[word] + lowest_bit(rest))
            continue
        compared = state.pairs_compared
        _, common, one, two = best_pair(links, state.pairs, compared, terms.prune)
        if common == ZERO:
            return
        counts, dead = confine(links, common, one, two, counts_of(search))
        set_counts(search, counts, dead)
