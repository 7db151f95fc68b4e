"""Operations on vectors of 32 lanes of 16 bits, for which numba has no names.

A lane holds an item: the bit OPEN while it must still be covered, and a bit for each option that
it has left. A set of lanes is a word of 32 bits. A vector is one register of AVX-512, two of AVX2,
or four of SSE2 and NEON: LLVM translates the operations to what the processor has.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from worker.compiling.jit import operation
from worker.compiling.numbers import Int, Unsigned

Vector = NDArray[np.uint16]

#: lanes of a vector
WIDTH = 32
#: the bit of an item that must still be covered
OPEN = 1 << 15
#: all bits of a lane
ALL = (1 << 16) - 1

_VECTOR = ir.VectorType(ir.IntType(16), WIDTH)
#: bytes; a vector may begin at any lane
_ALIGNMENT = 2


class Selection(NamedTuple):
    """A vector made of the lanes of another one."""

    source: Sequence[int]  #: per lane: the number of the lane that it is copied from
    bits: Sequence[int]  #: per lane: the bits that are copied


_ONES, _OPENS = (ir.Constant(_VECTOR, [lane] * WIDTH) for lane in (1, OPEN))


def _set(is_in: NDArray[np.bool_]) -> Int:
    return Unsigned(int(np.packbits(is_in, bitorder="little").view(np.uint32)[0]))


def _items(mask: Vector, at: Int) -> Vector:
    return mask[int(at) : int(at) + WIDTH]


def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), _VECTOR.as_pointer())


def _load(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    return builder.load(_pointer(context, builder, kind, array, at), align=_ALIGNMENT)


def _set_of(builder: Any, is_in: Any) -> Any:
    return builder.zext(builder.bitcast(is_in, ir.IntType(WIDTH)), ir.IntType(64))


def _without_lowest_bit(builder: Any, lanes: Any) -> Any:
    return builder.and_(lanes, builder.sub(lanes, _ONES))


def _cover_lanes(mask: Vector, at: Int, rows: Vector, row: Int) -> tuple[Int, Int, Int]:
    items = _items(mask, at)
    items &= _items(rows, row)
    rest = items & (items - np.uint16(1))
    return _set(items == OPEN), _set(rest == OPEN), _set(rest > OPEN)


@operation(_cover_lanes)
def cover_lanes(_typing: Any, mask: Any, at: Any, rows: Any, row: Any) -> Any:
    """Remove from 32 items, from `at` on, what the row from `row` on does not have.

    Return three sets: the open items that have no option left, one option, and more.
    """

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *values[:2])
        keep = _load(context, builder, signature.args[2], *values[2:])
        items = builder.and_(builder.load(place, align=_ALIGNMENT), keep)
        builder.store(items, place, align=_ALIGNMENT)
        rest = _without_lowest_bit(builder, items)
        sets = [
            builder.icmp_unsigned("==", items, _OPENS),
            builder.icmp_unsigned("==", rest, _OPENS),
            builder.icmp_unsigned(">", rest, _OPENS),
        ]
        words = [_set_of(builder, each) for each in sets]
        return context.make_tuple(builder, signature.return_type, words)

    three_words: Any = types.UniTuple(types.uint64, 3)  # type: ignore[no-untyped-call]
    return three_words(mask, at, rows, row), emit


def _pair_lanes(mask: Vector, at: Int) -> Int:
    items = _items(mask, at)
    return _set((np.bitwise_count(items) == 3) & (items > OPEN))


@operation(_pair_lanes)
def pair_lanes(_typing: Any, mask: Any, at: Any) -> Any:
    """Return which of 32 items, from `at` on, are open and have two options left."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        items = _load(context, builder, signature.args[0], *values)
        rest = _without_lowest_bit(builder, items)
        last = _without_lowest_bit(builder, rest)
        has_two = builder.icmp_unsigned(">", rest, _OPENS)
        has_no_third = builder.icmp_unsigned("==", last, _OPENS)
        return _set_of(builder, builder.and_(has_two, has_no_third))

    return types.uint64(mask, at), emit


def one_is_empty(first: Selection, second: Selection) -> Any:
    """Return a function that compares two selections of 32 items, lane by lane.

    It takes a mask and the index of the first item, and returns the set of lanes in which exactly
    one of the two selected items is open and has no option.
    """

    def where(mask: Vector, at: Int) -> Int:
        selected = (
            _items(mask, at)[list(one.source)] & np.array(one.bits, np.uint16)
            for one in (first, second)
        )
        return _set(np.logical_xor(*(items == OPEN for items in selected)))

    def is_empty(builder: Any, items: Any, selection: Selection) -> Any:
        order = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), list(selection.source))
        selected = builder.shuffle_vector(items, ir.Constant(_VECTOR, ir.Undefined), order)
        left = builder.and_(selected, ir.Constant(_VECTOR, list(selection.bits)))
        return builder.icmp_unsigned("==", left, _OPENS)

    @operation(where)
    def where_one_is_empty(_typing: Any, mask: Any, at: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            items = _load(context, builder, signature.args[0], *values)
            empty = (is_empty(builder, items, first), is_empty(builder, items, second))
            return _set_of(builder, builder.xor(*empty))

        return types.uint64(mask, at), emit

    return where_one_is_empty
