"""Rules on vectors of 16 lanes of 16 bits, for which numba has no names.

A rule is a function of vectors, written once with Python's operators. Where functions are not
compiled, it runs on arrays of NumPy; elsewhere it runs on `Lanes`, which emit LLVM's instructions,
and LLVM translates these to what the processor has: a vector is one register of AVX2 and AVX-512,
or two of SSE2 and NEON.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Int, Unsigned

Vector = NDArray[np.uint16]

#: lanes of a vector
WIDTH = 16

#: what a rule works on: `Lanes` in compiled code, else `Vector`
AnyLanes = Any
Rule = Callable[[list[AnyLanes]], tuple[list[AnyLanes], list[AnyLanes]]]
#: by the functions that apply them: how many vectors each takes, and the rules
RULES: dict[Callable[[Vector, Vector], Int], tuple[int, Rule]] = {}


def where_zero(lanes: AnyLanes) -> AnyLanes:
    """Return all bits of the lanes that are 0, and no bit of the others."""
    if isinstance(lanes, np.ndarray):
        return np.where(lanes == 0, ~lanes, np.zeros_like(lanes))
    return lanes.where_zero()


def moved(lanes: AnyLanes, order: Sequence[int]) -> AnyLanes:
    """Return a vector whose lanes are those of another one, by their numbers."""
    return lanes[list(order)] if isinstance(lanes, np.ndarray) else lanes.moved(order)


def any_of(vectors: Sequence[AnyLanes]) -> AnyLanes:
    """Return the bits that any of the vectors has."""
    return reduce(or_, vectors)


def on_vectors(count: int, rule: Rule) -> Callable[[Vector, Vector], Int]:
    """Return a compiled function that applies a rule to the first vectors of an array.

    The rule takes `count` vectors, and returns vectors and signs. The function writes the vectors
    to a second array, which may be the first one. It returns one bit for each sign, the lowest for
    the first one: whether the sign has any bit.
    """

    def apply(source: Vector, target: Vector) -> Int:
        given = [source[at : at + WIDTH].copy() for at in range(0, count * WIDTH, WIDTH)]
        vectors, signs = rule(given)
        target[: len(vectors) * WIDTH] = np.concatenate(vectors)
        return Unsigned(sum(int(sign.any()) << bit for bit, sign in enumerate(signs)))

    RULES[apply] = count, rule
    return apply
