"""Machine code of marked functions, made by numba; imported only where none is stored."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import njit, typeof, types, version_info
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.registry import cpu_target

from worker.compiling.block import on_block, results_of
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
    native = _compile(**SHARED)(on_block(inner, kinds, returned))
    block = (_types.voidptr,)
    native.compile(block)
    made = native.overloads[block]
    _, _, (machine, _) = made.library.serialize_using_object_code()
    return Code(made.fndesc.llvm_func_name, *results_of(returned), machine)


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
