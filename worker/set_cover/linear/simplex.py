"""The dual simplex method: multipliers that prove the bound of the linear relaxation.

Every variable has a least and a greatest value, so any basis has multipliers that prove a bound:
what is not basic has the value that its reduced cost asks for. Hence the basis goes on from node to
node, whatever is decided or undone there. As in sweeps, multipliers are rounded to integers, and
the bound that they prove is computed from these; a basis with rounding errors costs time only.
"""

import math

import numpy as np

from worker.compiling.clock import now
from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import UNBOUNDED, Search
from worker.set_cover.layout import CHOSEN, Tables
from worker.set_cover.linear.basis import NONE
from worker.set_cover.linear.exchange import exchange, mark_basic
from worker.set_cover.linear.pivot import (
    NEAR,
    end_value,
    entering,
    greatest_value,
    is_basic,
    least_value,
    leaving,
    list_candidates,
    move_multipliers,
    move_values,
    read_column,
    read_row,
    variable_at,
)

#: how much the share of a variable may differ between its row and its column, before rounding
#: errors have spoilt the inverse
SPOILT = 1e-6
#: by how much a bound that exceeds the budget does so, in units, for the rounding of multipliers
MARGIN = 1e6


@compiled
def has_basis(tables: Tables) -> bool:
    """Return whether there is room for a basis."""
    return bool(tables.basis.value.size != 0)


@compiled
def number_lines(tables: Tables, search: Search) -> None:
    """Give a line to each item that binds at the root."""
    basis, state = tables.basis, search.state
    state.lines, state.has_basis = ZERO, 0
    for item in range(Unsigned(basis.item.size)):
        times, size = tables.times[item], tables.size[item]
        tables.mark[item] = NONE
        if times < size and (times < tables.least[item] or tables.most[item] < size):
            basis.item[state.lines] = item
            tables.mark[item] = state.lines
            state.lines += ONE
    for at in range(Unsigned(basis.line.size)):
        basis.line[at] = min(state.lines, tables.mark[tables.items[at]])
    for item in range(Unsigned(basis.item.size)):
        tables.mark[item] = ZERO


@compiled
def begin_basis(tables: Tables, search: Search) -> None:
    """Let the numbers of times that items are covered be basic, with multipliers of 0.

    To begin at those of sweeps took four times as many pivots for crews of airlines.
    """
    basis, lines = tables.basis, search.state.lines
    for option in range(Unsigned(tables.cost.size)):
        basis.place[option] = NONE
    for variable in range(Unsigned(basis.at_most.size)):
        basis.at_most[variable] = ZERO
    for line in range(lines):
        basis.factors.length[lines + line] = 1.0
        basis.factors.multiplier[line] = 0.0
    basis.factors.number[0] = ZERO
    mark_basic(tables, lines)
    search.state.has_basis = 1


@compiled
def recall_basis(tables: Tables, search: Search) -> None:
    """Take the multipliers of the basis, or begin one."""
    if search.state.has_basis == 0:
        begin_basis(tables, search)
    use_multipliers(tables, search, 0.0)


@compiled
def use_multipliers(tables: Tables, search: Search, step: float) -> None:
    """Let the multipliers of the bound be those of the basis, and a step along the row.

    If they exceed all limits, a new basis will begin: this one is spoilt, or there is no cover.
    """
    basis, most = tables.basis, search.state.most
    for item in range(tables.multiplier.size):
        tables.multiplier[item] = 0
    for line in range(search.state.lines):
        value = basis.factors.multiplier[line]
        if step != 0.0:
            value += step * basis.row[line]
        if -most <= value <= most:
            tables.multiplier[basis.item[line]] = np.int64(math.floor(value + 0.5))
        elif step == 0.0:
            search.state.has_basis = 0


@compiled
def take_reduced(tables: Tables, search: Search) -> None:
    """Take the bounds of all variables, and the reduced costs that `price` has computed."""
    basis, options = tables.basis, Unsigned(tables.cost.size)
    for line in range(search.state.lines):
        variable, item = options + line, basis.item[line]
        basis.least[line] = float(tables.least[item])
        basis.most[line] = float(min(tables.most[item], tables.size[item]))
        basis.reduced[variable] = basis.factors.multiplier[line]
        take_end(tables, variable)
    for k in range(search.state.free):
        option = tables.order[k]
        basis.reduced[option] = float(tables.reduced[option])
        take_end(tables, option)


@inlined
def take_end(tables: Tables, variable: Int) -> None:
    """Let a variable have the end that its reduced cost asks for, or keep its own if that is 0.

    Otherwise, pivots that change no multiplier would be undone whenever time ends them.
    """
    basis = tables.basis
    if abs(basis.reduced[variable]) > NEAR:
        basis.at_most[variable] = ONE if basis.reduced[variable] < 0.0 else ZERO


@compiled
def set_values(tables: Tables, search: Search) -> None:
    """Compute the values of all basic variables."""
    basis, lines, value = tables.basis, search.state.lines, tables.basis.value
    options, need, number = Unsigned(tables.cost.size), basis.row, basis.factors.number[0]
    for line in range(lines):
        need[line] = float(tables.times[basis.item[line]])
        if not is_basic(tables, options + line):
            need[line] -= end_value(tables, options + line)
    for k in range(search.state.free):
        option = Unsigned(tables.order[k])
        if basis.at_most[option] != ZERO and not is_basic(tables, option):
            add_to_lines(tables, option, 1.0)
    for place in range(number):
        option = Unsigned(basis.factors.option[place])
        value[place] = 0.0
        if tables.fate[option] == CHOSEN:
            add_to_lines(tables, option, -1.0)
    for rank in range(number):
        base, one = rank * lines, need[basis.factors.line[rank]]
        if one != 0.0:
            for place in range(number):
                value[place] -= one * basis.factors.inverse[base + place]
    for place in range(number):
        add_to_lines(tables, Unsigned(basis.factors.option[place]), float(value[place]))
    for line in range(lines):
        value[lines + line] = need[line]


@compiled
def add_to_lines(tables: Tables, option: Int, value: float) -> None:
    """Add a number to the lines of an option, in the row."""
    basis = tables.basis
    for at in range(tables.first[option], tables.first[option + ONE]):
        basis.row[basis.line[at]] += value


@compiled
def pivot_on(tables: Tables, search: Search, pivots: Int, bound: Int) -> None:
    """Improve the multipliers by up to `pivots` pivots, or until no cover is within the budget.

    `price` has computed the reduced costs, and the bound. If the time `state.until` ends this, set
    `state.pivots` to their number.
    """
    state, lowest, step = search.state, float(bound), 0.0
    take_reduced(tables, search)
    set_values(tables, search)
    for k in range(pivots):
        place = leaving(tables, state.lines)
        if place == state.lines + state.lines:
            break
        if k != 0 and now(search.clock) >= state.until:
            state.pivots = k
            break
        lowest, step = pivot(tables, search, place, lowest)
        if step != 0.0 or lowest > state.budget or state.has_basis == 0:
            break
    use_multipliers(tables, search, step)


@compiled
def pivot(tables: Tables, search: Search, place: Int, lowest: float) -> tuple[float, float]:
    """Let another variable take a place in the basis; return the bound then, and 0.

    If that exceeds the budget, return a step along the row that proves this instead, and leave the
    basis as it is. If rounding errors have spoilt the basis, a new one will begin.
    """
    basis, state, lines = tables.basis, search.state, search.state.lines
    old = variable_at(tables, place, lines)
    is_above = basis.value[place] > greatest_value(tables, old)
    goal = greatest_value(tables, old) if is_above else least_value(tables, old)
    sign, beyond = 1.0 if is_above else -1.0, float(abs(basis.value[place] - goal))
    read_row(tables, place, lines)
    number = list_candidates(tables, search, sign)
    if number == ZERO:
        rise = float(state.budget) - lowest if state.budget < UNBOUNDED else 0.0
        return lowest, sign * (rise + MARGIN) / beyond
    variable = entering(tables, number)
    read_column(tables, variable, lines)
    share = float(basis.column[place])
    step = float(basis.reduced[variable] / share)
    lowest += abs(step) * beyond
    if lowest > state.budget:
        return lowest, step
    if abs(share - basis.share[variable]) > SPOILT * (1.0 + abs(share)):
        state.has_basis = 0
        return lowest, 0.0
    value = end_value(tables, variable) + move_values(tables, place, goal, lines)
    move_multipliers(tables, search, step)
    basis.reduced[variable], basis.reduced[old] = 0.0, -step
    basis.at_most[old] = ONE if is_above else ZERO
    exchange(tables, place, variable, value, lines)
    return lowest, 0.0


@compiled
def use_of(tables: Tables, option: Int) -> float:
    """Return how much the linear relaxation uses a free option."""
    basis = tables.basis
    place = Unsigned(basis.place[option])
    if place != NONE:
        return float(basis.value[place])
    return float(basis.at_most[option])
