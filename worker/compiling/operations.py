"""Operations that numba has no names for, and the functions that they replace."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from worker.compiling import jit
from worker.compiling.clock import clock_gettime
from worker.compiling.lanes import applying
from worker.compiling.vectors import RULES

_types: Any = types
_function: Any = cgutils.get_or_insert_function


@intrinsic
def _lowest_bit(_typing: Any, mask: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.IntType(1)(True))

    return mask(mask), emit


@intrinsic
def _bit_count(_typing: Any, mask: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return mask(mask), emit


@intrinsic
def _clock_gettime(_typing: Any, _clock: Any, _address: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        number = ir.IntType(32)
        kind = ir.FunctionType(number, [number, ir.IntType(64)])
        function = _function(builder.module, kind, clock_gettime.__name__)
        return builder.call(function, values)

    return _types.int32(_types.int32, _types.uintp), emit


def operations() -> dict[Callable[..., Any], Any]:
    """Return all operations, by the functions that they replace."""
    known: dict[Callable[..., Any], Any] = {
        jit.lowest_bit: _lowest_bit,
        jit.bit_count: _bit_count,
        clock_gettime: _clock_gettime,
    }
    return known | {apply: intrinsic(applying(*rule)) for apply, rule in RULES.items()}
