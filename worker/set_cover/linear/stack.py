"""A stack of bases, to return to that of a node before its other branch, or after a probe.

Further decisions leave a basis that proves less at the node; from its own, the other branch needs
half as many pivots.
"""

from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.layout import Tables
from worker.set_cover.linear.basis import MOST_SAVED, NONE
from worker.set_cover.linear.exchange import mark_basic


@compiled
def push_basis(tables: Tables, search: Search) -> Int:
    """Save the basis on top of the stack, if there is room; return where it begins, or NONE."""
    state, number = search.state, Unsigned(tables.basis.factors.number[0])
    begin, lines = Unsigned(state.saved), state.lines
    size = number * (number + Unsigned(3)) + lines + lines + ONE
    if state.has_basis == 0 or begin + size > MOST_SAVED:
        return Unsigned(NONE)
    state.saved = save_basis(tables, search)
    return begin


@compiled
def save_basis(tables: Tables, search: Search) -> Int:
    """Write the basis behind the stack, where there is always room for it; return its end."""
    saved, factors, lines = tables.basis.saved, tables.basis.factors, search.state.lines
    number, at = Unsigned(factors.number[0]), Unsigned(search.state.saved)
    saved[at] = number
    at += ONE
    for k in range(number):
        saved[at + k], saved[at + number + k] = factors.option[k], factors.line[k]
    at += number + number
    for rank in range(number):
        copy(factors.inverse, rank * lines, saved, at, number)
        at += number
    copy(factors.length, ZERO, saved, at, number)
    at += number
    copy(factors.length, lines, saved, at, lines)
    at += lines
    copy(factors.multiplier, ZERO, saved, at, lines)
    return at + lines


@compiled
def load_basis(tables: Tables, search: Search, begin: Int) -> None:
    """Return to the basis that was saved there."""
    basis, saved, lines = tables.basis, tables.basis.saved, search.state.lines
    factors, number, at = basis.factors, Unsigned(saved[begin]), begin + ONE
    for k in range(factors.number[0]):
        basis.place[factors.option[k]] = NONE
    for k in range(number):
        factors.option[k] = Unsigned(saved[at + k])
        factors.line[k] = Unsigned(saved[at + number + k])
    at += number + number
    for rank in range(number):
        copy(saved, at, factors.inverse, rank * lines, number)
        at += number
    copy(saved, at, factors.length, ZERO, number)
    at += number
    copy(saved, at, factors.length, lines, lines)
    at += lines
    copy(saved, at, factors.multiplier, ZERO, lines)
    factors.number[0], search.state.has_basis = number, 1
    mark_basic(tables, lines)
