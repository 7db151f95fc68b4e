"""A function that Python calls, and its machine code for each kind of arguments.

Arguments are arrays, records and numbers, and tuples of these.  The machine code is given one
block of 64-bit words: the address of the object of each array and record, and each number.  It
writes its results, which are integers, after them, and then whether all arrays are in C's order.
"""

import hashlib
import os
import struct
from array import array
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import CFUNCTYPE, c_int, c_void_p
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy import ndarray

from worker.compiling.cache import Code, address, load, make
from worker.compiling.log import of_no_puzzle
from worker.garbage import uncollected

F = TypeVar("F", bound=Callable[..., Any])
#: what tells apart arguments for which a function is compiled again
Kind = tuple[object, ...]
#: takes the words of the arguments, and returns the results
Native = Callable[[list[int]], Any]

#: whether entries run as Python, too
IS_PYTHON = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
#: where numba's functions leave a pointer to their result, and to an exception; and the block
_SIGNATURE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)
#: the least and the first too great of the numbers of Python that are given to machine code
_LEAST, _END = -(1 << 63), 1 << 63
#: the bits of a word
_MASK = (1 << 64) - 1


def entry(*files: str) -> Callable[[F], F]:
    """Return the decorator of a function that Python calls.

    `files` are one of each folder whose functions it calls, but for this one: machine code is
    stored under a digest of all these sources.
    """
    sources = partial(source_digest, *(Path(file).parent for file in (__file__, *files)))

    def decorate(function: F) -> Any:
        return function if IS_PYTHON else Entry(function, sources)

    return decorate


@cache
def source_digest(*folders: Path) -> str:
    """Return a text that changes with any Python source file in these folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Entry:
    """A function that Python calls; its machine code is stored, and made where it is not."""

    def __init__(self, function: Callable[..., Any], sources: Callable[[], str]) -> None:
        """`sources` returns a digest of all sources that the machine code depends on."""
        self.function = function
        #: by kinds of arguments
        self.natives: dict[Kind, Native] = {}
        self._sources = sources

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code for the arguments.

        Raises TypeError for arguments of other types, and OverflowError for integers of Python that
        do not fit into 64 bits.
        """
        words: list[int] = []
        kind: list[object] = []
        _add_all(arguments, words, kind)
        key = tuple(kind)
        native = self.natives.get(key)
        if native is None:
            with of_no_puzzle():
                native = self.natives[key] = self._load(key, arguments)
        return native(words)

    def _load(self, kind: Kind, arguments: Sequence[Any]) -> Native:
        function = self.function
        source = f"{function.__module__}.{function.__qualname__}"
        kinds = "\n".join([self._sources(), *map(_described, kind)])
        name = f"{source}-{hashlib.sha256(kinds.encode()).hexdigest()[:16]}"
        stored = load(name)
        if stored is None:
            stored = make(name, lambda: _compile(function, arguments))
        return _native(stored)


def _described(kind: object) -> str:
    return f"{kind.__module__}.{kind.__qualname__}" if isinstance(kind, type) else repr(kind)


def _compile(function: Callable[..., Any], arguments: Sequence[Any]) -> Code:
    # numba turns what a signal raises in its import into an ImportError; this thread gets none.
    with ThreadPoolExecutor(1) as other:
        other.submit(import_module, "worker.compiling.compiler").result()
    from worker.compiling.compiler import machine_code  # noqa: PLC0415 # numba takes 0.2 s

    with uncollected():
        return machine_code(function, arguments)


def _native(code: Code) -> Native:
    """Return a function that calls machine code, which stays loaded until the process ends."""
    call = _SIGNATURE(address(code))
    words_of = {"?": "?7x"}  # each result has a word
    form = "".join(words_of.get(one, one) for one in code.results)
    unpack, count = struct.Struct(f"={form}?").unpack_from, len(code.results)
    more = [0] * (count + 3)

    def native(words: list[int]) -> Any:
        block = array("Q", words + more)
        start, size = block.buffer_info()
        end = start + 8 * size
        if call(end - 16, end - 8, start):
            raise SystemError(f"{code.symbol} failed")
        *results, is_in_order = unpack(block, 8 * len(words))
        if not is_in_order:
            raise TypeError("the elements of an array are not in C's order")
        return tuple(results) if code.is_tuple else results[0] if count else None

    return native


def _add_all(values: Iterable[Any], words: list[int], kind: list[object]) -> None:
    """Append the words of some values, and what tells apart for which of them code is compiled."""
    for value in values:
        type_ = type(value)
        if type_ is ndarray:
            words.append(id(value))
            kind.append(value.dtype)
            kind.append(value.ndim)
            continue
        kind.append(type_)
        if type_ is int or type_ is bool:
            if not _LEAST <= value < _END:
                raise OverflowError(f"{value} does not fit into 64 bits")
            words.append(value & _MASK)
        elif issubclass(type_, tuple):
            kind.append(len(value))
            _add_all(value, words, kind)
        elif issubclass(type_, np.void):
            kind.append(value.dtype)
            words.append(id(value))
        elif issubclass(type_, np.integer | np.bool_):
            words.append(int(value) & _MASK)
        elif issubclass(type_, float):
            words.append(int.from_bytes(struct.pack("=d", value), "little"))
        else:
            raise TypeError(f"machine code takes no {type_.__name__}")
