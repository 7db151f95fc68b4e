"""Machine code of marked functions, made by numba; imported only where none is stored."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, typeof, types, version_info
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from worker.compiling.cache import Code
from worker.compiling.jit import MARKED
from worker.compiling.operations import operations

#: the first and the last version of numba that `LinkedCompiler` was tried with
TRIED_VERSIONS = ((0, 62), (0, 68))
IS_TRIED = TRIED_VERSIONS[0] <= version_info.short <= TRIED_VERSIONS[1]


class LinkedLibrary(JITCodeLibrary):
    """The intermediate code of one function, without machine code.

    numba optimises each function and makes machine code of it, and then does so again within every
    function that calls it, up to the entry that Python calls. Only the last result is used. A
    function with such a library is linked into its callers as it is. A cold compile of the whole
    kernel then takes 8 s of CPU time instead of 11, and easy puzzles are solved about 6 % faster,
    because LLVM decides once, and for the whole, what to inline.

    The methods that it overrides are not documented by numba. So it is used only with the versions
    that it was tried with; with any other, functions are compiled in the usual way.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return no address, because there is no machine code."""
        return 0

    @property
    def codegen(self) -> "LinkedLibrary":
        """Return this object, of which numba calls only `set_env`."""
        return self

    def set_env(self, _name: str, _environment: object) -> None:
        """Do nothing: only functions that create Python objects use their environment."""


class LinkedCompiler(CompilerBase):
    """numba's usual compiler, which writes to a `LinkedLibrary`."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's pipeline, after setting the library that it writes to."""
        state, builder = self.state, DefaultPassBuilder
        library: Any = LinkedLibrary
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        return [builder.define_nopython_pipeline(state)]  # type: ignore[no-untyped-call]


#: Without `_nrt=False` numba counts the references to every array at every use, which takes half
#: of the time of an easy puzzle; no compiled function here creates or returns an array.
SHARED: dict[str, Any] = {
    **{"_nrt": False, "error_model": "numpy", "no_rewrites": True},
    **{"no_cfunc_wrapper": True, "no_cpython_wrapper": True},
}
#: options of functions that only compiled functions call
INNER: dict[str, Any] = SHARED | ({"pipeline_class": LinkedCompiler} if IS_TRIED else {})

#: where the objects of NumPy's arrays and records (PyArrayObject, PyVoidScalarObject) have their
#: fields, which NumPy's C API compiles into every program that uses it
ARRAY_DATA, ARRAY_SHAPE, ARRAY_FLAGS, RECORD_DATA = 16, 32, 64, 24
#: the flag of an array in C's order (NPY_ARRAY_C_CONTIGUOUS)
IN_ORDER = 1

# numba has types for a part of its functions only.
_compile: Any = njit
_types: Any = types
_typeof: Any = typeof
_tuples: Any = types.BaseTuple
#: by functions, what numba finds in their place, and does not keep alive
_known: dict[Callable[..., Any], Any] = {}


def machine_code(function: Callable[..., Any], arguments: Sequence[Any]) -> Code:
    """Compile a function for the types of some arguments."""
    for marked in MARKED.keys() - _known.keys():
        _replace(marked, _compile(**INNER, **MARKED[marked])(marked))
    for replaced, operation in operations().items():
        if replaced not in _known:
            _replace(replaced, operation)
    inner = _compile(**INNER)(function)
    kinds = tuple(_type(argument) for argument in arguments)
    typing = cpu_target.typing_context
    found = typing.resolve_function_type(typing.resolve_value_type(inner), kinds, {})
    returned = found.return_type
    native = _compile(**SHARED)(_native(inner, kinds, returned))
    block = (_types.voidptr,)
    native.compile(block)
    made = native.overloads[block]
    _, _, (machine, _) = made.library.serialize_using_object_code()
    is_tuple = isinstance(returned, _tuples)
    results = "".join(map(_code, _results(returned)))
    return Code(made.fndesc.llvm_func_name, results, is_tuple, machine)


def _replace(function: Callable[..., Any], other: Any) -> None:
    """Let numba find another function wherever compiled code names a function."""
    _known[function] = other
    typing = cpu_target.typing_context
    typing.refresh()  # it then knows the operations that were defined last
    typing.insert_global(function, typing.resolve_value_type(other))


def _type(value: Any) -> Any:
    """Return numba's type of an argument; arrays that cannot be written to count as others."""
    if isinstance(value, np.ndarray):
        return _typeof(value).copy(readonly=False)
    if isinstance(value, tuple):
        return _tuples.from_types([_type(one) for one in value], type(value))
    return _typeof(value)


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


def _native(inner: Any, kinds: Sequence[Any], returned: Any) -> Callable[[Any], None]:
    """Return a function of the block of words that an entry gives to machine code."""
    size = sum(map(_size, kinds))
    check, read, write = _checking(kinds), _reading(kinds), _writing(size, returned)

    def native(block: Any) -> None:
        if check(block):
            write(block, inner(*read(block)))

    return native


def _size(kind: Any) -> int:
    """Return the words of an argument."""
    return sum(map(_size, kind)) if isinstance(kind, _tuples) else 1


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
