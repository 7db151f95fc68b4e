"""A pivot: one variable enters the basis, and another one leaves it.

The variable that leaves is beyond one of its bounds, and gets that value. So all multipliers move
along its row of the inverse, until the reduced cost of another variable is 0, which enters. Its
squared distance from the bound by the squared length of the row tells which one is best (the *dual
steepest edge*: Forrest and Goldfarb, *Steepest-edge simplex algorithms for linear programming*,
Mathematical Programming 57, 1992). Of those that may enter within a tolerance, the one with the
greatest share in the row does (Harris, *Pivot selection methods of the Devex LP code*, ibid. 5,
1973).
"""

import numpy as np

from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.layout import CHOSEN, EXCLUDED, Tables
from worker.set_cover.linear.basis import Factors, Floats

#: reduced costs that differ by less are the same, in units: they are sums of rounded multipliers
NEAR = 32.0
#: how far a variable may be beyond its bound, and what is too small to be divided by
BEYOND, LEAST_SHARE = 1e-7, 1e-6
#: the least square of a length; rounding errors might make one negative
LEAST_LENGTH = 1e-4


@compiled
def least_value(tables: Tables, variable: Int) -> float:
    """Return the least value of a variable."""
    options = Unsigned(tables.cost.size)
    if variable < options:
        return 1.0 if tables.fate[variable] == CHOSEN else 0.0
    return float(tables.least[tables.basis.item[variable - options]])


@compiled
def greatest_value(tables: Tables, variable: Int) -> float:
    """Return the greatest value of a variable; all options of an item may be too few for it."""
    options = Unsigned(tables.cost.size)
    if variable < options:
        return 0.0 if tables.fate[variable] == EXCLUDED else 1.0
    item = tables.basis.item[variable - options]
    return float(min(tables.most[item], tables.size[item]))


@compiled
def end_value(tables: Tables, variable: Int) -> float:
    """Return the value of a variable that is not basic."""
    if tables.basis.at_most[variable] != ZERO:
        return greatest_value(tables, variable)
    return least_value(tables, variable)


@compiled
def leaving(tables: Tables, places: Int) -> Int:
    """Return the place of the variable to leave; `places` if all are within bounds."""
    basis = tables.basis
    basic, length, best = basis.factors.basic, basis.factors.length, 0.0
    found = places
    for place in range(places):
        value, variable = basis.value[place], Unsigned(basic[place])
        beyond = least_value(tables, variable) - value
        beyond = max(beyond, value - greatest_value(tables, variable))
        if beyond > BEYOND and beyond * beyond > best * length[place]:
            best, found = beyond * beyond / length[place], place
    return found


@compiled
def list_candidates(tables: Tables, search: Search, place: Int, sign: float) -> Int:
    """Read the row of a place, and list the variables that may enter; return their number.

    Multipliers change by a positive number times `sign` and the row.
    """
    basis, options, places = tables.basis, Unsigned(tables.cost.size), search.state.lines
    for line in range(places):
        basis.row[line] = basis.factors.inverse[line * places + place]
    basis.row[places] = 0.0
    number = ZERO
    for k in range(search.state.free):
        option, share = Unsigned(tables.order[k]), 0.0
        if basis.place[option] == places:
            for at in range(tables.first[option], tables.first[option + ONE]):
                share += basis.row[basis.line[tables.items[at]]]
            number = add_candidate(tables, option, share, sign, number)
        basis.share[option] = share
    for line in range(places):
        variable, share, item = options + line, -basis.row[line], basis.item[line]
        basis.share[variable] = share
        if basis.place[variable] == places and tables.least[item] != tables.most[item]:
            number = add_candidate(tables, variable, share, sign, number)
    return number


@compiled
def add_candidate(tables: Tables, variable: Int, share: float, sign: float, number: Int) -> Int:
    """Add a variable to the list of `number` if its reduced cost goes to 0; return the number."""
    towards = -share * sign if tables.basis.at_most[variable] != ZERO else share * sign
    if towards > LEAST_SHARE:
        tables.basis.candidates[number] = variable
        number += ONE
    return number


@compiled
def entering(tables: Tables, number: Int) -> Int:
    """Return which of the candidates enters."""
    basis, step = tables.basis, np.inf
    for k in range(number):
        variable = basis.candidates[k]
        share = abs(basis.share[variable])
        step = min(step, (abs(basis.reduced[variable]) + NEAR) / share)
    best, found = 0.0, Unsigned(basis.candidates[0])
    for k in range(number):
        variable = Unsigned(basis.candidates[k])
        share = abs(basis.share[variable])
        if share > best and abs(basis.reduced[variable]) <= step * share:
            best, found = share, variable
    return found


@compiled
def read_column(tables: Tables, variable: Int, places: Int) -> None:
    """Read the product of the inverse and of the column of a variable."""
    basis, options = tables.basis, Unsigned(tables.cost.size)
    for place in range(places):
        basis.column[place] = 0.0
    if variable >= options:
        add_column(tables, variable - options, -1.0, basis.column, places)
        return
    for at in range(tables.first[variable], tables.first[variable + ONE]):
        line = Unsigned(basis.line[tables.items[at]])
        if line != places:
            add_column(tables, line, 1.0, basis.column, places)


@compiled
def add_column(tables: Tables, line: Int, times: float, target: Floats, places: Int) -> None:
    """Add the column of a line in the inverse, so many times, to numbers per place."""
    inverse, base = tables.basis.factors.inverse, line * places
    for place in range(places):
        target[place] += times * inverse[base + place]


@compiled
def move_multipliers(tables: Tables, search: Search, step: float) -> None:
    """Move all multipliers along the row, and the reduced costs with them."""
    basis, options = tables.basis, Unsigned(tables.cost.size)
    for k in range(search.state.free):
        option = tables.order[k]
        basis.reduced[option] -= step * basis.share[option]
    for line in range(search.state.lines):
        basis.factors.multiplier[line] += step * basis.row[line]
        basis.reduced[options + line] = basis.factors.multiplier[line]


@compiled
def move_values(tables: Tables, place: Int, variable: Int, goal: float, places: Int) -> None:
    """Change a variable that is not basic until the one at a place has the value `goal`."""
    basis = tables.basis
    change = (basis.value[place] - goal) / basis.column[place]
    for k in range(places):
        basis.value[k] -= change * basis.column[k]
    basis.value[place] = end_value(tables, variable) + change


@compiled
def replace(tables: Tables, place: Int, variable: Int, places: Int) -> None:
    """Let a variable, whose column was read, take a place in the basis."""
    basis = tables.basis
    inverse, length, column = basis.factors.inverse, basis.factors.length, basis.column
    own, squares = column[place], 0.0
    column[place] = 0.0
    for line in range(places):
        base = line * places
        times = inverse[base + place] / own
        if times != 0.0:
            for k in range(places):
                old = inverse[base + k]
                new = old - times * column[k]
                length[k] += new * new - old * old
                inverse[base + k] = new
            inverse[base + place] = times
            squares += times * times
    length[place] = squares
    for k in range(places):
        length[k] = max(length[k], LEAST_LENGTH)
    basis.place[basis.factors.basic[place]] = places
    basis.factors.basic[place], basis.place[variable] = variable, place


@compiled
def copy_factors(source: Factors, target: Factors, places: Int) -> None:
    """Copy a basis, and what is computed from it."""
    copy(source.inverse, ZERO, target.inverse, ZERO, places * places)
    copy(source.basic, ZERO, target.basic, ZERO, places)
    copy(source.length, ZERO, target.length, ZERO, places)
    copy(source.multiplier, ZERO, target.multiplier, ZERO, places)
