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

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.layout import CHOSEN, EXCLUDED, Tables
from worker.set_cover.linear.basis import NONE, Floats

#: reduced costs that differ by less are the same, in units: they are sums of rounded multipliers
NEAR = 32.0
#: how far a variable may be beyond its bound, and what is too small to be divided by
BEYOND, LEAST_SHARE = 1e-7, 1e-6


@compiled
def least_value(tables: Tables, variable: Int) -> float:
    """Return the least value of a variable."""
    options = Unsigned(tables.cost.size)
    if variable < options:
        return 1.0 if tables.fate[variable] == CHOSEN else 0.0
    return float(tables.basis.least[variable - options])


@compiled
def greatest_value(tables: Tables, variable: Int) -> float:
    """Return the greatest value of a variable; all options of an item may be too few for it."""
    options = Unsigned(tables.cost.size)
    if variable < options:
        return 0.0 if tables.fate[variable] == EXCLUDED else 1.0
    return float(tables.basis.most[variable - options])


@compiled
def end_value(tables: Tables, variable: Int) -> float:
    """Return the value of a variable that is not basic."""
    if tables.basis.at_most[variable] != ZERO:
        return greatest_value(tables, variable)
    return least_value(tables, variable)


@compiled
def is_basic(tables: Tables, variable: Int) -> bool:
    """Return whether a variable is basic."""
    basis, options = tables.basis, Unsigned(tables.cost.size)
    if variable < options:
        return bool(basis.place[variable] != NONE)
    return bool(basis.rank[variable - options] == NONE)


@compiled
def variable_at(tables: Tables, place: Int, lines: Int) -> Int:
    """Return the basic variable at a place."""
    if place < lines:
        return Unsigned(tables.basis.factors.option[place])
    return Unsigned(tables.cost.size) + place - lines


@compiled
def leaving(tables: Tables, lines: Int) -> Int:
    """Return the place of the variable to leave; twice the lines if all are within bounds."""
    basis, best, found = tables.basis, 0.0, Unsigned(lines + lines)
    for place in range(basis.factors.number[0]):
        fate = tables.fate[basis.factors.option[place]]
        low, high = 1.0 if fate == CHOSEN else 0.0, 0.0 if fate == EXCLUDED else 1.0
        best, found = farther(tables, Unsigned(place), low, high, best, found)
    for line in range(lines):
        if basis.rank[line] == NONE:
            low, high = basis.least[line], basis.most[line]
            best, found = farther(tables, Unsigned(lines + line), low, high, best, found)
    return found


@inlined
def farther(
    tables: Tables, place: Int, low: float, high: float, best: float, found: Int
) -> tuple[float, Int]:
    """Return the best squared distance by squared length, and its place."""
    value = float(tables.basis.value[place])
    beyond = low - value if value < low else value - high
    if beyond > BEYOND:
        rank = beyond * beyond / float(tables.basis.factors.length[place])
        if rank > best:
            return rank, place
    return best, found


@compiled
def read_row(tables: Tables, place: Int, lines: Int) -> None:
    """Read the row of a place in the inverse of all lines.

    The variable of a line is the sum of its options, so its row is the sum of theirs, less 1 for
    the line itself.
    """
    basis, inverse, tight = tables.basis, tables.basis.factors.inverse, tables.basis.factors.line
    number = Unsigned(basis.factors.number[0])
    for line in range(lines + ONE):
        basis.row[line] = 0.0
    if place < lines:
        for k in range(number):
            basis.row[tight[k]] = inverse[k * lines + place]
        return
    item = basis.item[place - lines]
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        column = Unsigned(basis.place[tables.options[at]])
        if column != NONE:
            for k in range(number):
                basis.row[tight[k]] += inverse[k * lines + column]
    basis.row[place - lines] = -1.0


@compiled
def list_candidates(tables: Tables, search: Search, sign: float) -> Int:
    """List the variables that may enter; return their number.

    Multipliers change by a positive number times `sign` and the row.
    """
    basis, options, number = tables.basis, Unsigned(tables.cost.size), ZERO
    for k in range(search.state.free):
        option, share = Unsigned(tables.order[k]), 0.0
        if basis.place[option] == NONE:
            for at in range(tables.first[option], tables.first[option + ONE]):
                share += basis.row[basis.line[at]]
            number = add_candidate(tables, option, share, sign, number)
        basis.share[option] = share
    for k in range(basis.factors.number[0]):
        line = Unsigned(basis.factors.line[k])
        variable, share = options + line, -basis.row[line]
        basis.share[variable] = share
        if basis.least[line] != basis.most[line]:
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
def read_column(tables: Tables, variable: Int, lines: Int) -> None:
    """Read the product of the inverse of all lines and of the column of a variable."""
    basis, options, column = tables.basis, Unsigned(tables.cost.size), tables.basis.column
    for place in range(basis.factors.number[0]):
        column[place] = 0.0
    if variable >= options:
        add_tight(tables, Unsigned(basis.rank[variable - options]), -1.0, lines)
        sum_in_lines(tables, column, lines)
        return
    for at in range(tables.first[variable], tables.first[variable + ONE]):
        line = Unsigned(basis.line[at])
        if line != lines and basis.rank[line] != NONE:
            add_tight(tables, Unsigned(basis.rank[line]), 1.0, lines)
    sum_in_lines(tables, column, lines)
    for at in range(tables.first[variable], tables.first[variable + ONE]):
        column[lines + basis.line[at]] -= 1.0


@compiled
def add_tight(tables: Tables, rank: Int, times: float, lines: Int) -> None:
    """Add the column of a tight line in the inverse, so many times, to that of basic options."""
    inverse, column, base = tables.basis.factors.inverse, tables.basis.column, rank * lines
    for place in range(tables.basis.factors.number[0]):
        column[place] += times * inverse[base + place]


@compiled
def sum_in_lines(tables: Tables, numbers: Floats, lines: Int) -> None:
    """Set the number of each line to the sum of those of its basic options."""
    basis = tables.basis
    for line in range(lines):
        numbers[lines + line] = 0.0
    for place in range(basis.factors.number[0]):
        option, value = Unsigned(basis.factors.option[place]), numbers[place]
        if value != 0.0:
            for at in range(tables.first[option], tables.first[option + ONE]):
                numbers[lines + basis.line[at]] += value


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
def move_values(tables: Tables, place: Int, goal: float, lines: Int) -> float:
    """Change the variable that enters until the one at a place has the value `goal`.

    Return the change.
    """
    basis = tables.basis
    change = float((basis.value[place] - goal) / basis.column[place])
    for k in range(basis.factors.number[0]):
        basis.value[k] -= change * basis.column[k]
    for k in range(lines, lines + lines):
        basis.value[k] -= change * basis.column[k]
    return change
