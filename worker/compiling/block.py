"""The block of words by which an entry and its machine code pass values; see `entry`."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

#: where the objects of NumPy's arrays and records (PyArrayObject, PyVoidScalarObject) have their
#: fields, which NumPy's C API compiles into every program that uses it
ARRAY_DATA, ARRAY_SHAPE, ARRAY_FLAGS, RECORD_DATA = 16, 32, 64, 24
#: the flag of an array in C's order (NPY_ARRAY_C_CONTIGUOUS)
IN_ORDER = 1

# numba has types for a part of its functions only.
_types: Any = types
_tuples: Any = types.BaseTuple


def on_block(inner: Any, kinds: Sequence[Any], returned: Any) -> Callable[[Any], None]:
    """Return a function of the block of words that an entry gives to machine code."""
    size = len([*_leaves(kinds)])
    check, read, write = _checking(kinds), _reading(kinds), _writing(size, returned)

    def native(block: Any) -> None:
        if check(block):
            write(block, inner(*read(block)))

    return native


def _leaves(kinds: Sequence[Any]) -> Iterator[Any]:
    """Yield the types of the arguments, and of the values in tuples, a word each."""
    for kind in kinds:
        yield from _leaves(tuple(kind)) if isinstance(kind, _tuples) else (kind,)


def _checking(kinds: Sequence[Any]) -> Any:
    """Return an operation: whether all arrays are in C's order."""

    def check(_typing: Any, block: Any) -> Any:
        def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            number = ir.IntType(32)
            flags = number(IN_ORDER)
            for at, kind in enumerate(_leaves(kinds)):
                if isinstance(kind, types.Array):
                    word = builder.load(_word(builder, values[0], at))
                    flags = builder.and_(flags, _field(builder, word, ARRAY_FLAGS, number))
            return builder.icmp_unsigned("!=", flags, number(0))

        return _types.boolean(block), emit

    return intrinsic(check)


def _reading(kinds: Sequence[Any]) -> Any:
    """Return an operation that reads arguments of these types."""
    together = _types.Tuple(kinds)

    def read(_typing: Any, block: Any) -> Any:
        def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            words = (builder.load(_word(builder, values[0], number)) for number in count())
            parts = [_value(context, builder, kind, words) for kind in kinds]
            return context.make_tuple(builder, together, parts)

        return together(block), emit

    return intrinsic(read)


def _value(context: Any, builder: Any, kind: Any, words: Iterator[Any]) -> Any:
    """Emit what makes a value of a type of its words."""
    if isinstance(kind, _tuples):
        parts = [_value(context, builder, one, words) for one in kind]
        return context.make_tuple(builder, kind, parts)
    word, form = next(words), context.get_value_type(kind)
    if isinstance(kind, types.Integer | types.Boolean):
        return builder.trunc(word, form) if form.width < word.type.width else word
    if isinstance(kind, types.Float):
        return builder.bitcast(word, form)
    if isinstance(kind, types.Record):
        return _field(builder, word, RECORD_DATA, form)
    return _array(context, builder, kind, word)


def _array(context: Any, builder: Any, kind: Any, address: Any) -> Any:
    """Emit what makes numba's array of the address of NumPy's, which is in C's order."""
    size = context.get_value_type(types.intp)
    element = context.get_data_type(kind.dtype)
    data = _field(builder, address, ARRAY_DATA, element.as_pointer())
    sizes = _field(builder, address, ARRAY_SHAPE, size.as_pointer())
    shape = [builder.load(builder.gep(sizes, [size(axis)])) for axis in range(kind.ndim)]
    strides = [itemsize := size(context.get_abi_sizeof(element))]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = context.make_array(kind)(context, builder)
    populate: Any = populate_array
    populate(array, data, shape, strides[: kind.ndim], itemsize, meminfo=None)
    return array._getvalue()


def _field(builder: Any, address: Any, offset: int, form: Any) -> Any:
    """Emit what reads a field of an object."""
    place = builder.add(address, address.type(offset))
    return builder.load(builder.inttoptr(place, form.as_pointer()))


def _writing(begin: int, returned: Any) -> Any:
    """Return an operation that writes results, and 1, from a word of the block on."""
    unpack: Any = cgutils.unpack_tuple
    is_tuple, kinds = isinstance(returned, _tuples), _results(returned)

    def write(_typing: Any, block: Any, result: Any) -> Any:
        def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            results = unpack(builder, values[1]) if is_tuple else [values[1]][: len(kinds)]
            whole = [
                context.cast(builder, value, kind, types.int64)
                for value, kind in zip(results, kinds, strict=True)
            ]
            for number, value in enumerate([*whole, ir.IntType(64)(1)], begin):
                builder.store(value, _word(builder, values[0], number))
            return context.get_dummy_value()

        return types.none(block, result), emit

    return intrinsic(write)


def _word(builder: Any, block: Any, number: int) -> Any:
    """Return the address of a word of a block."""
    word = ir.IntType(64)
    words = builder.bitcast(block, word.as_pointer())
    return builder.gep(words, [word(number)])


def results_of(returned: Any) -> tuple[str, bool]:
    """Return `results` and `is_tuple` of `cache.Code` for a function that returns this type."""
    return "".join(map(_code, _results(returned))), isinstance(returned, _tuples)


def _results(returned: Any) -> tuple[Any, ...]:
    """Return the types of the results of a function."""
    if returned == types.none:
        return ()
    some = tuple(returned) if isinstance(returned, _tuples) else (returned,)
    if not all(isinstance(one, types.Integer | types.Boolean) for one in some):
        raise TypeError(f"an entry returns integers, not {returned}")
    return some


def _code(result: Any) -> str:
    """Return the code of the type of a result; see `Code.results`."""
    if isinstance(result, types.Boolean):
        return "?"
    return "q" if result.signed else "Q"
