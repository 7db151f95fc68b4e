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
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from worker.compiling.jit import operation
from worker.compiling.numbers import Int, Unsigned

Vector = NDArray[np.uint16]

#: lanes of a vector
WIDTH = 16

_VECTOR = ir.VectorType(ir.IntType(16), WIDTH)
_WORD = ir.IntType(64)
#: bytes; a vector may begin at any lane
_ALIGNMENT = 2


class Lanes:
    """A vector in compiled code: an operation on it emits an instruction."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def _with(self, name: str, other: "Lanes | Vector | int") -> "Lanes":
        if isinstance(other, Lanes):
            return Lanes(self.builder, getattr(self.builder, name)(self.value, other.value))
        constant = ir.Constant(_VECTOR, np.broadcast_to(other, WIDTH).tolist())
        return Lanes(self.builder, getattr(self.builder, name)(self.value, constant))

    def __and__(self, other: "Lanes | Vector | int") -> "Lanes":
        return self._with("and_", other)

    def __or__(self, other: "Lanes | Vector | int") -> "Lanes":
        return self._with("or_", other)

    def __xor__(self, other: "Lanes | Vector | int") -> "Lanes":
        return self._with("xor", other)

    def __sub__(self, other: "Lanes | Vector | int") -> "Lanes":
        return self._with("sub", other)

    def __invert__(self) -> "Lanes":
        return Lanes(self.builder, self.builder.not_(self.value))

    def where_zero(self) -> "Lanes":
        """Return all bits of the lanes that are 0."""
        is_zero = self.builder.icmp_unsigned("==", self.value, ir.Constant(_VECTOR, None))
        return Lanes(self.builder, self.builder.sext(is_zero, _VECTOR))

    def moved(self, order: Sequence[int]) -> "Lanes":
        """Return the lanes with these numbers."""
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), list(order))
        undefined = ir.Constant(_VECTOR, ir.Undefined)
        return Lanes(self.builder, self.builder.shuffle_vector(self.value, undefined, lanes))

    def has_any(self) -> Any:
        """Return a word: 1 if any bit of any lane is set, 0 otherwise."""
        whole = ir.IntType(16 * WIDTH)
        bits = self.builder.bitcast(self.value, whole)
        is_set = self.builder.icmp_unsigned("!=", bits, ir.Constant(whole, 0))
        return self.builder.zext(is_set, _WORD)


#: what a rule works on: `Lanes` in compiled code, else `Vector`
AnyLanes = Any
Rule = Callable[[list[AnyLanes]], tuple[list[AnyLanes], list[AnyLanes]]]


def where_zero(lanes: AnyLanes) -> AnyLanes:
    """Return all bits of the lanes that are 0, and no bit of the others."""
    if isinstance(lanes, Lanes):
        return lanes.where_zero()
    return np.where(lanes == 0, ~lanes, np.zeros_like(lanes))


def moved(lanes: AnyLanes, order: Sequence[int]) -> AnyLanes:
    """Return a vector whose lanes are those of another one, by their numbers."""
    return lanes.moved(order) if isinstance(lanes, Lanes) else lanes[list(order)]


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

    @operation(apply)
    def apply_rule(_typing: Any, source: Any, target: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            first, into = (
                context.make_array(kind)(context, builder, array).data
                for kind, array in zip(signature.args, values, strict=True)
            )
            given = [
                builder.load(_vector_at(builder, first, number), align=_ALIGNMENT)
                for number in range(count)
            ]
            vectors, signs = rule([Lanes(builder, value) for value in given])
            for number, vector in enumerate(vectors):
                place = _vector_at(builder, into, number)
                builder.store(vector.value, place, align=_ALIGNMENT)
            found = ir.Constant(_WORD, 0)
            for bit, sign in enumerate(signs):
                shifted = builder.shl(sign.has_any(), ir.Constant(_WORD, bit))
                found = builder.or_(found, shifted)
            return found

        return types.uint64(source, target), emit

    return apply_rule


def _vector_at(builder: Any, data: Any, number: int) -> Any:
    """Return the address of a vector of an array, by its number."""
    lane = ir.Constant(_WORD, number * WIDTH)
    return builder.bitcast(builder.gep(data, [lane]), _VECTOR.as_pointer())
