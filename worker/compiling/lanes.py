"""Vectors in compiled code: operations on them emit LLVM's instructions."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from worker.compiling.vectors import WIDTH, Rule, Vector

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


def applying(count: int, rule: Rule) -> Callable[..., Any]:
    """Return what emits a rule, as numba's `intrinsic` decorates it; see `vectors.on_vectors`."""

    def apply(_typing: Any, source: Any, target: Any) -> Any:
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

    return apply


def _vector_at(builder: Any, data: Any, number: int) -> Any:
    """Return the address of a vector of an array, by its number."""
    lane = ir.Constant(_WORD, number * WIDTH)
    return builder.bitcast(builder.gep(data, [lane]), _VECTOR.as_pointer())
