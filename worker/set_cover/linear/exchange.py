"""Exchange of the variable that enters the basis for the one that leaves it.

All rows of the inverse change by multiples of the row that leaves. Their squared lengths follow
from the products of both (Forrest and Goldfarb, 1992), so the rows of lines that are not tight need
not be known.
"""

from worker.compiling.jit import compiled, copy, inlined
from worker.compiling.numbers import ONE, Int, Unsigned
from worker.set_cover.layout import Tables
from worker.set_cover.linear.basis import NONE
from worker.set_cover.linear.pivot import sum_in_lines

#: the least square of a length; rounding errors might make one negative
LEAST_LENGTH = 1e-4


@compiled
def exchange(tables: Tables, place: Int, variable: Int, value: float, lines: Int) -> None:
    """Let a variable, whose column was read, enter with a value; what is at a place leaves."""
    basis, options = tables.basis, Unsigned(tables.cost.size)
    own = float(basis.column[place])
    length = float(change_rows(tables, place, lines)) / (own * own)
    if variable < options:
        target = enter_option(tables, place, variable, lines)
    else:
        target = enter_line(tables, place, variable - options, lines)
    basis.factors.length[target] = max(length, LEAST_LENGTH)
    basis.value[target] = value


@compiled
def enter_option(tables: Tables, place: Int, option: Int, lines: Int) -> Int:
    """Let an option be basic; return its place."""
    basis, factors, own = tables.basis, tables.basis.factors, tables.basis.column[place]
    number = Unsigned(factors.number[0])
    target = place if place < lines else number
    for rank in range(number):
        factors.inverse[rank * lines + target] = basis.row[factors.line[rank]] / own
    if place < lines:
        basis.place[factors.option[place]] = NONE
    else:
        basis.column[target] = -1.0
        factors.number[0] = number + ONE
        tighten(tables, place, number, lines)
    factors.option[target], basis.place[option] = option, target
    return target


@compiled
def enter_line(tables: Tables, place: Int, line: Int, lines: Int) -> Int:
    """Let the variable of a tight line be basic; return its place."""
    basis, rank = tables.basis, Unsigned(tables.basis.rank[line])
    basis.rank[line] = NONE
    if place < lines:
        remove(tables, place, rank, lines)
    else:
        tighten(tables, place, rank, lines)
    return lines + line


@compiled
def change_rows(tables: Tables, place: Int, lines: Int) -> float:
    """Subtract the row of a place from those of basic options, so often that its column is 0 there.

    Update the squared lengths of all rows, and return that of the row as it was.
    """
    basis = tables.basis
    row, column, turn = basis.row, basis.column, basis.turn
    inverse, number = basis.factors.inverse, basis.factors.number[0]
    inverted, square = float(1.0 / column[place]), 1.0 if place >= lines else 0.0
    for k in range(number):
        turn[k] = 0.0
    for rank in range(number):
        base, entry = rank * lines, row[basis.factors.line[rank]]
        times = entry * inverted
        square += entry * entry
        if entry != 0.0:
            for k in range(number):
                old = inverse[base + k]
                turn[k] += entry * old
                inverse[base + k] = old - times * column[k]
    sum_in_lines(tables, turn, lines)
    for k in range(number):
        shorten(tables, Unsigned(k), inverted, square)
    for k in range(lines, lines + lines):
        shorten(tables, k, inverted, square)
    return square


@inlined
def shorten(tables: Tables, place: Int, inverted: float, square: float) -> None:
    """Update the squared length of the row of a place."""
    basis, length = tables.basis, tables.basis.factors.length
    times = basis.column[place] * inverted
    new = length[place] - times * (2.0 * basis.turn[place] - times * square)
    length[place] = LEAST_LENGTH if new < LEAST_LENGTH else new


@compiled
def tighten(tables: Tables, place: Int, rank: Int, lines: Int) -> None:
    """Let the line whose variable is at a place be tight, and give it a rank."""
    basis, factors, own = tables.basis, tables.basis.factors, tables.basis.column[place]
    for k in range(factors.number[0]):
        factors.inverse[rank * lines + k] = basis.column[k] / own
    factors.line[rank], basis.rank[place - lines] = place - lines, rank


@compiled
def remove(tables: Tables, place: Int, rank: Int, lines: Int) -> None:
    """Remove a basic option and a tight line; the last ones take their place and rank."""
    basis, factors = tables.basis, tables.basis.factors
    inverse, last = factors.inverse, Unsigned(factors.number[0] - ONE)
    basis.place[factors.option[place]] = NONE
    if rank != last:
        copy(inverse, last * lines, inverse, rank * lines, last + ONE)
        factors.line[rank] = factors.line[last]
        basis.rank[factors.line[rank]] = rank
    if place != last:
        for k in range(last):
            inverse[k * lines + place] = inverse[k * lines + last]
        factors.option[place], factors.length[place] = factors.option[last], factors.length[last]
        basis.value[place] = basis.value[last]
        basis.place[factors.option[place]] = place
    factors.number[0] = last


@compiled
def mark_basic(tables: Tables, lines: Int) -> None:
    """Set the places of the basic options and the ranks of the tight lines from their lists."""
    basis = tables.basis
    for line in range(lines):
        basis.rank[line] = NONE
    for k in range(basis.factors.number[0]):
        basis.place[basis.factors.option[k]] = k
        basis.rank[basis.factors.line[k]] = k
