"""The memory of a basis of the linear relaxation.

The relaxation has two kinds of variables: how much each option is used, and how often each item is
covered. A *line* for each item that binds says that the second is the sum of the first. As many
variables are *basic*: the lines give their values. Each other variable has its least or its
greatest value. The options are the first variables, in their order, then come those of the lines.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Table

#: the most items for which there is a basis; their square is the size of its inverse
MOST_ITEMS = 1_000

Floats = NDArray[np.float64]


class Factors(NamedTuple):
    """A basis, and what is computed from it."""

    inverse: Floats  #: per line and place in the basis: the inverse of the matrix of the basis
    basic: Table  #: per place: a variable
    length: Floats  #: per place: the square of the length of its row of the inverse
    multiplier: Floats  #: per line: with which the reduced costs of basic variables are 0


class Basis(NamedTuple):
    """A basis; it has no places where there are too many items, or where set covers are wanted."""

    item: Table  #: per line: its item
    line: Table  #: per item: its line, or as many as there are lines
    factors: Factors
    kept: Factors  #: those to return to after a branch was probed
    place: Table  #: per variable: its place, or as many as there are places if it is not basic
    at_most: Table  #: per variable that is not basic: 1 if it has its greatest value, else 0
    reduced: Floats  #: per variable: its reduced cost
    value: Floats  #: per place: the value of the basic variable
    row: Floats  #: per line: the row of the inverse whose variable leaves the basis; then a 0
    share: Floats  #: per variable: the product of this row and of its column
    column: (
        Floats  #: per place: the product of the inverse and of the column of the one that enters
    )
    candidates: Table  #: the variables that may enter


def new_factors(places: int) -> Factors:
    """Return the memory of a basis with so many places."""
    return Factors(
        np.zeros(places * places), np.zeros(places, np.uint32), np.zeros(places), np.zeros(places)
    )


def new_basis(options: int, items: int, is_wanted: bool) -> Basis:
    """Return the memory of a basis, which has no places unless it is wanted and fits."""
    places = items + 1 if is_wanted and items <= MOST_ITEMS else 0
    variables = options + places if places else 0
    return Basis(
        item=np.zeros(places, np.uint32),
        line=np.zeros(places, np.uint32),
        factors=new_factors(places),
        kept=new_factors(places),
        place=np.zeros(variables, np.uint32),
        at_most=np.zeros(variables, np.uint32),
        reduced=np.zeros(variables),
        value=np.zeros(places),
        row=np.zeros(places + 1),
        share=np.zeros(variables),
        column=np.zeros(places),
        candidates=np.zeros(variables, np.uint32),
    )
