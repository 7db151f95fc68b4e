"""How the kernel is compiled by numba, what is said meanwhile, and its bit operations.

`entry` marks a function that Python calls, `compiled` one that only compiled functions call, and
`inlined` one of those that must be part of every caller, because it runs at each search node.
"""

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter_ns, thread_time_ns
from typing import Any, TypeVar

from numba import config, njit, types, version_info
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.extending import intrinsic
from numpy.typing import NDArray

from worker.compiling.cache import WaitingCache
from worker.compiling.log import TEXT, logger, spent
from worker.compiling.numbers import Int, Unsigned

#: the package whose functions are the solver; a program may compile others
PACKAGE = __name__.partition(".")[0]
F = TypeVar("F", bound=Callable[..., Any])

#: numba defines its settings at run time
_SETTINGS: Any = config
#: whether functions are not compiled, but run as Python, which NUMBA_DISABLE_JIT=1 asks for
IS_PYTHON: bool = _SETTINGS.DISABLE_JIT
#: the first and the last version of numba that `LinkedCompiler` and `WaitingCache` were tried with
TRIED_VERSIONS = ((0, 62), (0, 68))
IS_TRIED = TRIED_VERSIONS[0] <= version_info.short <= TRIED_VERSIONS[1]


def _jit(**options: Any) -> Callable[[F], F]:
    """Return `numba.njit` with the options that all compiled functions share.

    Without `_nrt=False` numba counts the references to every array at every use, which takes half
    of the time of an easy puzzle; no compiled function here creates or returns an array.
    """
    decorate: Any = njit
    shared = {"nogil": True, "_nrt": False, "error_model": "numpy", "no_rewrites": True}
    decorated: Callable[[F], F] = decorate(**shared, no_cfunc_wrapper=True, **options)
    return decorated


class Announcer(event.Listener):
    """Logs TEXT, once, when numba compiles the solver, but not when it loads it from its cache.

    This is a warning, so that it is seen in programs that configure no logging.  The time
    that it takes is counted as `spent`.
    """

    def __init__(self) -> None:
        self._announced = False
        self._began: list[tuple[int, int]] = []  #: of a function, and of those that it calls

    def on_start(self, compilation: Any) -> None:
        """Log, unless another program's function is compiled; the event is `numba:compile`."""
        self._began.append((perf_counter_ns(), thread_time_ns()))
        module: str = compilation.data["dispatcher"].py_func.__module__
        if not self._announced and module.partition(".")[0] == PACKAGE:
            self._announced = True
            logger.warning(TEXT, extra={"reason": TEXT})

    def on_end(self, compilation: Any) -> None:
        """Count the time of a function that Python called, with all that it calls."""
        wall_ns, cpu_ns = self._began.pop()
        cache = compilation.data["dispatcher"]._cache
        if sys.exc_info()[0] and isinstance(cache, WaitingCache):  # numba's `is_failed` is inverted
            cache.release()
        if not self._began:
            spent.wall_ns += perf_counter_ns() - wall_ns
            spent.cpu_ns += thread_time_ns() - cpu_ns


_EVENT: Any = event  # it has no types
_EVENT.register("numba:compile", Announcer())


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


#: options of functions that only compiled functions call
INNER: dict[str, Any] = {"no_cpython_wrapper": True}
if IS_TRIED:
    INNER["pipeline_class"] = LinkedCompiler
compiled, inlined = _jit(**INNER), _jit(forceinline=True, **INNER)


def entry(*files: str) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator of a function that Python calls.

    `files` are one of each folder whose functions it calls, but for this one. numba's cache notices
    an edit of the file that defines an entry, but not of another whose functions the entry calls;
    and it fails on what another release stored if a type of an argument has moved since. So the
    name of an entry, by which numba names its files, contains a digest of all these sources.
    """
    digest = source_digest(Path(__file__).parent, *(Path(file).parent for file in files))

    def decorate(function: Callable[..., Any]) -> Any:
        function.__qualname__ += f"_{digest}"
        dispatcher: Any = _jit(cache=not IS_TRIED)(function)
        waiting: Any = WaitingCache
        if IS_TRIED and not IS_PYTHON:
            dispatcher._cache = waiting(function)
        return dispatcher

    return decorate


@cache
def source_digest(*folders: Path) -> str:
    """Return a text that changes with any Python source file in these folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def operation(python: F) -> Callable[[Callable[..., Any]], F]:
    """Return the decorator of an operation that numba has no name for: it emits its LLVM code.

    Where functions run as Python, `python` takes its place.
    """

    def decorate(emitting: Callable[..., Any]) -> Any:
        return python if IS_PYTHON else intrinsic(emitting)

    return decorate


def _lowest_bit(mask: Int) -> Int:
    return Unsigned((int(mask) & -int(mask)).bit_length() - 1)


@operation(_lowest_bit)
def lowest_bit(_typing: Any, mask: Any) -> Any:
    """Return the position of the lowest bit that is set; `mask` must not be 0."""

    def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], context.get_constant(types.boolean, True))

    return mask(mask), emit


def _bit_count(mask: Int) -> Int:
    return Unsigned(int(mask).bit_count())


@operation(_bit_count)
def bit_count(_typing: Any, mask: Any) -> Any:
    """Return the number of bits that are set."""

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return mask(mask), emit


@inlined
def copy(source: NDArray[Any], start: Int, target: NDArray[Any], begin: Int, size: Int) -> None:
    """Copy `size` numbers from `source[start:]` to `target[begin:]`.

    LLVM vectorises this loop; a slice assignment, or a signed index, takes longer.
    """
    for k in range(size):
        target[begin + k] = source[start + k]
