"""The dual simplex method: multipliers that prove the bound of the linear relaxation.

Every variable has a least and a greatest value, so any basis has multipliers that prove a bound:
what is not basic has the value that its reduced cost asks for. Hence the basis goes on from node to
node, whatever is decided or undone there. As in sweeps, multipliers are rounded to integers, and
the bound that they prove is computed from these; a basis with rounding errors costs time only.
"""

import math

import numpy as np

from worker.compiling.clock import now
from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import UNBOUNDED, Search
from worker.set_cover.layout import CHOSEN, Tables
from worker.set_cover.linear.pivot import (
    NEAR,
    add_column,
    copy_factors,
    end_value,
    entering,
    greatest_value,
    least_value,
    leaving,
    list_candidates,
    move_multipliers,
    move_values,
    read_column,
    replace,
)

#: how much the share of a variable may differ between its row and its column, before rounding
#: errors have spoilt the inverse
SPOILT = 1e-6
#: by how much a bound that exceeds the budget does so, in units, for the rounding of multipliers
MARGIN = 1e6


@compiled
def has_basis(tables: Tables) -> bool:
    """Return whether the linear relaxation is solved at each node."""
    return bool(tables.basis.value.size != 0)


@compiled
def number_lines(tables: Tables, search: Search) -> None:
    """Give a line to each item that binds at the root."""
    basis, state = tables.basis, search.state
    state.lines, state.has_basis = ZERO, 0
    for item in range(Unsigned(basis.line.size)):
        times, size = tables.times[item], tables.size[item]
        if times < size and (times < tables.least[item] or tables.most[item] < size):
            basis.item[state.lines] = item
            state.lines += ONE
    for item in range(Unsigned(basis.line.size)):
        basis.line[item] = state.lines
    for line in range(state.lines):
        basis.line[basis.item[line]] = line


@compiled
def begin_basis(tables: Tables, search: Search) -> None:
    """Let the numbers of times that items are covered be basic, with multipliers of 0.

    To begin at those of sweeps took four times as many pivots for crews of airlines.
    """
    basis, places = tables.basis, search.state.lines
    factors, options = basis.factors, Unsigned(tables.cost.size)
    for at in range(places * places):
        factors.inverse[at] = 0.0
    for option in range(options):
        basis.place[option] = places
    for line in range(places):
        factors.inverse[line * places + line] = -1.0
        factors.basic[line], basis.place[options + line] = options + line, line
        factors.length[line] = 1.0
        factors.multiplier[line] = 0.0
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

    In a spoilt basis they may be infinite, or not a number.
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


@compiled
def set_values(tables: Tables, search: Search) -> None:
    """Compute the values of all variables, from the reduced costs that `price` has computed."""
    basis, places = tables.basis, search.state.lines
    options, need = Unsigned(tables.cost.size), basis.row
    for line in range(places):
        variable = options + line
        basis.reduced[variable] = basis.factors.multiplier[line]
        basis.at_most[variable] = ONE if basis.reduced[variable] < 0.0 else ZERO
        need[line] = -end_value(tables, variable) if basis.place[variable] == places else 0.0
    for k in range(options):
        option = Unsigned(tables.order[k])
        basis.reduced[option] = float(tables.reduced[option])
        is_used = tables.fate[option] == CHOSEN
        if k < search.state.free:
            is_used = basis.reduced[option] < -NEAR
        basis.at_most[option] = ONE if is_used else ZERO
        if is_used and basis.place[option] == places:
            for at in range(tables.first[option], tables.first[option + ONE]):
                need[basis.line[tables.items[at]]] += 1.0
    for place in range(places):
        basis.value[place] = 0.0
    for line in range(places):
        if need[line] != 0.0:
            add_column(tables, line, -need[line], basis.value, places)


@compiled
def pivot_on(tables: Tables, search: Search, pivots: Int, bound: Int) -> None:
    """Improve the multipliers by up to `pivots` pivots, or until no cover is within the budget.

    `price` has computed the reduced costs, and the bound. If the time `state.until` ends this, set
    `state.unfinished`.
    """
    state, lowest, step = search.state, float(bound), 0.0
    set_values(tables, search)
    for k in range(pivots):
        place = leaving(tables, state.lines)
        if place == state.lines:
            break
        if k != 0 and now(search.clock) >= state.until:
            state.unfinished = 1
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
    basis, state, old = tables.basis, search.state, Unsigned(tables.basis.factors.basic[place])
    is_above = basis.value[place] > greatest_value(tables, old)
    goal = greatest_value(tables, old) if is_above else least_value(tables, old)
    sign, beyond = 1.0 if is_above else -1.0, float(abs(basis.value[place] - goal))
    number = list_candidates(tables, search, place, sign)
    if number == ZERO:
        rise = float(state.budget) - lowest if state.budget < UNBOUNDED else 0.0
        return lowest, sign * (rise + MARGIN) / beyond
    variable = entering(tables, number)
    read_column(tables, variable, state.lines)
    share = float(basis.column[place])
    step = float(basis.reduced[variable] / share)
    lowest += abs(step) * beyond
    if lowest > state.budget:
        return lowest, step
    if abs(share - basis.share[variable]) > SPOILT * (1.0 + abs(share)):
        state.has_basis = 0
        return lowest, 0.0
    move_multipliers(tables, search, step)
    move_values(tables, place, variable, goal, state.lines)
    basis.reduced[variable], basis.reduced[old] = 0.0, -step
    basis.at_most[old] = ONE if is_above else ZERO
    replace(tables, place, variable, state.lines)
    return lowest, 0.0


@compiled
def return_to_kept(tables: Tables, places: Int) -> None:
    """Return to the basis that was kept."""
    basis = tables.basis
    for place in range(places):
        basis.place[basis.factors.basic[place]] = places
    copy_factors(basis.kept, basis.factors, places)
    for place in range(places):
        basis.place[basis.factors.basic[place]] = place


@compiled
def use_of(tables: Tables, option: Int, places: Int) -> float:
    """Return how much the linear relaxation uses a free option."""
    basis = tables.basis
    place = Unsigned(basis.place[option])
    if place != places:
        return float(basis.value[place])
    return float(basis.at_most[option])
