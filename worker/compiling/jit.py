"""How functions are marked that only compiled functions call; does not import numba.

`compiled` marks such a function, and `inlined` one that must be part of every caller, because it
runs at each search node. Both remain functions of Python; only an entry is machine code.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.typing import NDArray

from worker.compiling.numbers import Int, Unsigned

F = TypeVar("F", bound=Callable[..., Any])
#: the functions that only compiled functions call, and numba's options for each
MARKED: dict[Callable[..., Any], dict[str, Any]] = {}


def compiled(function: F) -> F:
    """Mark a function that only compiled functions call."""
    MARKED[function] = {}
    return function


def inlined(function: F) -> F:
    """Mark a function that only compiled functions call, and that is part of each of them."""
    MARKED[function] = {"forceinline": True}
    return function


def lowest_bit(mask: Int) -> Int:
    """Return the position of the lowest bit that is set; `mask` must not be 0."""
    return Unsigned((int(mask) & -int(mask)).bit_length() - 1)


def bit_count(mask: Int) -> Int:
    """Return the number of bits that are set."""
    return Unsigned(int(mask).bit_count())


@inlined
def copy(source: NDArray[Any], start: Int, target: NDArray[Any], begin: Int, size: Int) -> None:
    """Copy `size` numbers from `source[start:]` to `target[begin:]`.

    LLVM vectorises this loop; a slice assignment, or a signed index, takes longer.
    """
    for k in range(size):
        target[begin + k] = source[start + k]
