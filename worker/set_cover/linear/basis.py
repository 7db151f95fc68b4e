"""The memory of a basis of the linear relaxation.

The relaxation has two kinds of variables: how much each option is used, and how often each item is
covered. A *line* for each item that binds says that the second is the sum of the first. As many
variables are *basic*: the lines give their values. Each other variable has its least or its
greatest value. The options are the first variables, in their order, then come those of the lines.

A line is *tight* if its variable is not basic, so there are as many tight lines as basic options.
The matrix of both is all that must be inverted: the other lines only tell their own variables.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Table

#: the most items for which there is a basis; their square is the size of its inverse
MOST_ITEMS = 1_000
#: the place of a variable that is not basic, and the rank of a line that is not tight
NONE = 2**32 - 1
#: numbers that bases of guesses may take; the guesses below go on with the basis that is there
MOST_SAVED = 1 << 21

Floats = NDArray[np.float64]


class Factors(NamedTuple):
    """A basis, and what is computed from it.

    The *place* of a basic option is its number among them. The variable of a line has the place of
    the line, behind those of the options.
    """

    number: Table  #: one entry: how many options are basic, and lines tight
    inverse: Floats  #: per tight line and basic option: the inverse of the matrix of both
    option: Table  #: per basic option: which one it is
    line: Table  #: per tight line: which one it is
    length: Floats  #: per place: the square of the length of its row of the inverse of all lines
    multiplier: Floats  #: per line: with which the reduced costs of basic variables are 0


class Basis(NamedTuple):
    """A basis; it has no lines where there are too many items."""

    item: Table  #: per line: its item
    line: Table  #: per entry of `Tables.items`: the line of its item, or as many as there are lines
    least: Floats  #: per line: how often its item must be covered
    most: Floats  #: per line: how often it may be; all its options may be fewer
    factors: Factors
    saved: Floats  #: a stack of bases to return to: those of the guesses, and that of a probe
    place: Table  #: per option: its place, or NONE
    rank: Table  #: per line: its number among the tight ones, or NONE
    at_most: Table  #: per variable that is not basic: 1 if it has its greatest value, else 0
    reduced: Floats  #: per variable: its reduced cost
    value: Floats  #: per place: the value of the basic variable
    row: Floats  #: per line: the row of the inverse of the variable that leaves; then a 0
    share: Floats  #: per variable: the product of this row and of its column
    column: Floats  #: per place: the product of the inverse and of the column that enters
    turn: Floats  #: per place: the product of its row and of that of the variable that leaves
    candidates: Table  #: the variables that may enter


def new_factors(lines: int) -> Factors:
    """Return the memory of a basis with so many lines; its inverse is not set to 0."""
    return Factors(
        number=np.zeros(min(lines, 1), np.uint32),
        inverse=np.empty(lines * lines),
        option=np.zeros(lines, np.uint32),
        line=np.zeros(lines, np.uint32),
        length=np.zeros(2 * lines),
        multiplier=np.zeros(lines),
    )


def room_for(lines: int) -> int:
    """Return how many numbers a basis takes at most."""
    return lines * (lines + 5) + 1 if lines else 0


def new_basis(options: int, items: int, entries: int) -> Basis:
    """Return the memory of a basis, which has no lines unless it fits."""
    lines = items + 1 if items <= MOST_ITEMS else 0
    variables = options + lines if lines else 0
    return Basis(
        item=np.zeros(lines, np.uint32),
        line=np.zeros(entries if lines else 0, np.uint32),
        least=np.zeros(lines),
        most=np.zeros(lines),
        factors=new_factors(lines),
        saved=np.empty(min(MOST_SAVED, options * room_for(lines)) + room_for(lines)),
        place=np.zeros(variables, np.uint32),
        rank=np.zeros(lines, np.uint32),
        at_most=np.zeros(variables, np.uint32),
        reduced=np.zeros(variables),
        value=np.zeros(2 * lines),
        row=np.zeros(lines + 1),
        share=np.zeros(variables),
        column=np.zeros(2 * lines + 1),
        turn=np.zeros(2 * lines + 1),
        candidates=np.zeros(variables, np.uint32),
    )
