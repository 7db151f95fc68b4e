"""How the kernel is compiled by numba, what is said meanwhile, and its bit counts.

`entry` marks a function that Python calls, `compiled` one that only compiled functions call, and
`inlined` one of those that must be part of every caller, because it runs at each search node.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter_ns, thread_time_ns
from typing import Any, TypeVar

import numpy as np
from numba import config, njit, types
from numba.core import event
from numba.extending import intrinsic
from numpy.typing import NDArray

from worker.compiling.linking import compiler_options
from worker.compiling.log import TEXT, logger, spent

#: the package whose functions are the solver; a program may compile others
PACKAGE = __name__.partition(".")[0]
F = TypeVar("F", bound=Callable[..., Any])
Table = NDArray[np.uint32]
Integers = NDArray[np.int64]
#: an integer of a width that numba infers
Int = Any
#: one structured scalar of numpy, read and written by attribute
Record = Any


class Fields(np.void):  # type: ignore[misc] # numpy lets it be subclassed, but not its types
    """A record whose fields are attributes; those of `np.record` take 2.4 times as long to read."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError as error:
            raise AttributeError(name) from error

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def record(*columns: tuple[str, Any]) -> Any:
    """Return the type of records that have these columns, a name and a type each."""
    return np.dtype((Fields, np.dtype([*columns], align=True)))


#: The type of every count and index in compiled code. Signed indices cost a test for negative
#: values at each access, which doubles the time of a search; and numba turns a mixture of signed
#: and unsigned integers into a float, and compiles a function again for each mixture of widths.
Unsigned = np.uint64
ZERO: Any = Unsigned(0)
ONE: Any = Unsigned(1)
TWO: Any = Unsigned(2)
THREE: Any = Unsigned(3)

#: numba defines its settings at run time
_SETTINGS: Any = config


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

    def on_end(self, compilation: Any) -> None:  # noqa: ARG002 # the name of numba
        """Count the time of a function that Python called, with all that it calls."""
        wall_ns, cpu_ns = self._began.pop()
        if not self._began:
            spent.wall_ns += perf_counter_ns() - wall_ns
            spent.cpu_ns += thread_time_ns() - cpu_ns


_EVENT: Any = event  # it has no types
_EVENT.register("numba:compile", Announcer())

compiled = _jit(no_cpython_wrapper=True, **compiler_options())
inlined = _jit(no_cpython_wrapper=True, forceinline=True, **compiler_options())


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
        return _jit(cache=True)(function)

    return decorate


@cache
def source_digest(*folders: Path) -> str:
    """Return a text that changes with any Python source file in these folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


if _SETTINGS.DISABLE_JIT:

    def lowest_bit(mask: Int) -> Int:
        """Return the position of the lowest bit that is set; `mask` must not be 0."""
        return Unsigned((int(mask) & -int(mask)).bit_length() - 1)

    def bit_count(mask: Int) -> Int:
        """Return the number of bits that are set."""
        return Unsigned(int(mask).bit_count())

else:
    # Each of these two is one machine instruction that numba has no name for.
    @intrinsic
    def lowest_bit(_typing: Any, mask: Any) -> Any:
        """Return the position of the lowest bit that is set; `mask` must not be 0."""

        def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.cttz(values[0], context.get_constant(types.boolean, True))

        return mask(mask), emit

    @intrinsic
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
