"""What machine code is given, what it returns, and what an entry refuses."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from worker.compiling.entry import entry
from worker.compiling.jit import compiled
from worker.compiling.numbers import Int, Integers, Record, Unsigned, record


class Inner(NamedTuple):
    grid: NDArray[np.uint8]
    limit: Int


class Tables(NamedTuple):
    costs: Integers
    inner: Inner
    state: Record


STATE = record(("level", np.int32), ("found", np.uint64), ("is_new", np.bool_))


@compiled
def at(grid: NDArray[np.uint8], row: Int, column: Int) -> Int:
    return Unsigned(grid[row, column])


@entry(__file__)
def read_all(
    tables: Tables, number: Int, fraction: float, flag: bool, row: Int, column: Int
) -> tuple[Int, Int, Int]:
    state = tables.state
    state.found += Unsigned(1)
    tables.costs[0] += number
    cell = at(tables.inner.grid, row, column)
    half = np.int64(fraction * 2)
    return cell, half - number if flag else half, tables.inner.limit + state.found


@entry(__file__)
def last(numbers: Any) -> Int:
    return numbers[len(numbers) - 1]


@entry(__file__)
def clear(numbers: Any) -> None:
    for k in range(len(numbers)):
        numbers[k] = 0


def tables(rows: int = 4, columns: int = 6, limit: int = 7) -> Tables:
    grid = np.arange(rows * columns, dtype=np.uint8).reshape(rows, columns)
    return Tables(np.array([5]), Inner(grid, Unsigned(limit)), np.zeros(2, STATE)[1])


@given(
    number=some.integers(-(2**63), 2**63 - 1),
    fraction=some.floats(-1e9, 1e9),
    flag=some.booleans(),
    rows=some.integers(1, 12),
    columns=some.integers(1, 12),
    limit=some.integers(0, 2**64 - 1),
    data=some.data(),
)
def test_machine_code_reads_what_python_gives_it(
    number: int, fraction: float, flag: bool, rows: int, columns: int, limit: int, data: Any
) -> None:
    row, column = data.draw(some.integers(0, rows - 1)), data.draw(some.integers(0, columns - 1))
    memory = tables(rows, columns, limit)
    found = read_all(memory, number, fraction, flag, row, column)
    half = int(fraction * 2) - (number if flag else 0)
    wrapped = (half + 2**63) % 2**64 - 2**63
    assert found == (row * columns + column, wrapped, (limit + 1) % 2**64)
    assert memory.state.found == 1
    assert int(memory.costs[0]) == (number + 5 + 2**63) % 2**64 - 2**63


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i4", "u4", "i8", "u8"])
def test_each_type_of_numbers_has_code_of_its_own(dtype: str) -> None:
    least = int(np.iinfo(dtype).min)
    assert last(np.array([1, 2, least], dtype)) == least
    clear(numbers := np.array([1, 2, 3], dtype))
    assert numbers.tolist() == [0, 0, 0]


def test_an_array_that_is_read_only_is_read() -> None:
    numbers = np.array([3, 4])
    numbers.flags.writeable = False
    assert last(numbers) == 4


def test_an_empty_array_is_taken() -> None:
    assert clear(np.zeros(0, np.int64)) is None


@pytest.mark.parametrize(
    "numbers", [np.arange(6)[::2], np.arange(6)[::-1], np.arange(6).reshape(2, 3).T[0]]
)
def test_an_array_in_another_order_is_refused(numbers: Integers) -> None:
    with pytest.raises(TypeError, match="not in C's order"):
        clear(numbers)


@pytest.mark.parametrize("value", ["text", None, [1, 2], {1}])
def test_other_types_are_refused(value: object) -> None:
    with pytest.raises(TypeError, match=f"machine code takes no {type(value).__name__}"):
        last(value)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_an_integer_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(OverflowError, match="does not fit into 64 bits"):
        read_all(tables(), number, 0.5, True, 0, 0)


def test_code_is_made_once_for_each_kind_of_arguments() -> None:
    function: Any = last
    before = len(function.natives)
    for numbers in (np.array([1.5], np.float32).view(np.int32), np.zeros((2, 2), np.int16)[1]):
        assert last(numbers) == numbers[-1]
        assert last(numbers) == numbers[-1]
    assert len(function.natives) <= before + 2
