"""NumPy arrays: grids and matrices of any number type are read, other arrays are rejected."""

import gzip
import io
import json
import pickle
import struct
import tracemalloc
from collections.abc import Callable
from math import isqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.sudoku import BOXES
from tests.worker.formats.reading import GRID, errors, read, texts
from worker.formats.errors import FormatError
from worker.formats.source import open_source
from worker.formats.variants import is_region_map
from worker.sudoku.symbols import VALUES

TYPES = ["i1", "u1", "<i2", ">i2", "<u4", "<i4", "<i8", ">i8", "<u8", "<f2", "<f4", "<f8", ">f8"]


def saved(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def values(*grids: str) -> list[list[int]]:
    return [[("." + VALUES).index(cell) for cell in grid] for grid in grids]


def headed(text: str | bytes, version: int = 1, data: bytes = b"") -> bytes:
    """An array file with this header."""
    header = text.encode() if isinstance(text, str) else text
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


def described(descr: str = "'|u1'", order: str = "False", shape: str = "(1, 81)") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


HEADER = "has a damaged or unknown NumPy header"
SHAPE = "declares an impossible shape"
GOOD = bytes(values(GRID)[0])


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(BOXES)).flatmap(
        lambda side: st.lists(
            st.text("." + VALUES[:side], min_size=side**2 - 1, max_size=side**2 - 1).map(
                "{}.".format
            ),
            min_size=1,
            max_size=5,
        )
    ),
    st.sampled_from(TYPES),
    st.booleans(),
)
def test_grids_saved_by_numpy_are_read(grids: list[str], kind: str, flat: bool) -> None:
    side = isqrt(len(grids[0]))
    assume(not any(map(is_region_map, grids)))
    if set("".join(grids)) <= {".", "1"}:
        grids[0] = "2" + grids[0][1:]  # else it could also be a matrix of 0 and 1
    array = np.array(values(*grids), kind)
    if not flat or array.shape == (16, 16):
        array = array.reshape(-1, side, side)
    assert texts(saved(array)) == grids


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.sampled_from(["?", *TYPES]), st.data())
def test_a_matrix_saved_by_numpy_is_read_only_with_from_matrix(
    rows: int, columns: int, kind: str, data: st.DataObject
) -> None:
    row = st.lists(st.integers(0, 1), min_size=columns, max_size=columns)
    array = data.draw(st.lists(row, min_size=rows, max_size=rows))
    array[0][-1] = 1
    options = [[i for i, entry in enumerate(entries, 1) if entry] for entries in array]
    content = saved(np.array(array, kind))
    (text,) = texts(content, "matrix")
    assert json.loads(text) == {"items": columns, "secondary": 0, "options": options}
    with pytest.raises(FormatError):
        read(content)


def test_a_two_dimensional_array_is_one_grid() -> None:
    assert texts(saved(np.array(values(GRID)).reshape(9, 9))) == [GRID]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_each_version_of_the_header_is_read(version: int) -> None:
    assert texts(headed(described(), version, GOOD)) == [GRID]


def test_a_header_in_the_style_of_python_2_is_read() -> None:
    header = '{"shape":(1L,81L),"descr":"|i1","fortran_order":False}'
    assert texts(headed(header, 1, GOOD)) == [GRID]


def test_a_compressed_array_is_read() -> None:
    array = np.array(values(GRID, GRID))
    compressed = io.BytesIO()
    np.savez_compressed(compressed, array)
    assert texts(compressed.getvalue()) == [GRID, GRID]
    assert texts(gzip.compress(saved(array))) == [GRID, GRID]


@pytest.mark.parametrize(
    ("kind", "odd"),
    [("u1", 10), ("u1", 255), ("i1", -1), ("i8", 2**62), ("u8", 2**64 - 1)]
    + [("f8", odd) for odd in (0.5, -1.0, float("nan"), float("inf"), 1e300)],
)
def test_an_invalid_value_invalidates_only_its_grid(kind: str, odd: float) -> None:
    array = np.array(values(GRID, GRID, GRID), kind)
    array[1, 5] = odd
    (first, bad, last) = read(saved(array))[1]
    assert (first.text, last.text) == (GRID, GRID)
    assert bad.line == 2
    assert bad.error is not None
    assert "at character 6 is not a cell" in bad.error


def test_an_invalid_value_of_a_16x16_grid_is_quoted() -> None:
    array = np.full((3, 16, 16), 16, "i8")
    array[1, 3, 4] = -99
    ((_, error),) = errors(saved(array))
    assert "`-99` at cell 5 is not a cell" in error


def test_an_array_whose_empty_cells_are_not_zero_is_rejected() -> None:
    array = np.array(values(GRID, GRID), "i8") - 1
    with pytest.raises(FormatError) as refusal:
        read(saved(array))
    assert str(refusal.value) == (
        "standard input: has a value such as -1 in each of its first grids; "
        "cells are 0 (empty) or 1 to 9"
    )


@pytest.mark.parametrize(
    ("array", "what"),
    [
        (np.zeros((3, 7)), "is an array of 3 x 7; grids are n x 9 x 9 or n x 81"),
        (np.zeros((3, 7)), "choose --from matrix if this is an exact cover"),
        (np.zeros(81), "is an array of 81; grids are"),
        (np.zeros(()), "is an array of no dimension"),
        (np.zeros((2, 2, 81)), "is an array of 2 x 2 x 81"),
        (np.zeros((2, 9, 4)), "is an array of 2 x 9 x 4"),
        (np.zeros((3, 0)), "is an array of 3 x 0"),
        (np.zeros((0, 81)), "is empty"),
        (np.zeros((16, 16)), "can be one 16x16 grid or sixteen 4x4 grids"),
        (np.asfortranarray(np.zeros((3, 81))), "is an array in Fortran order"),
        (np.zeros((3, 81), complex), "is an array of complex128, not of numbers"),
        (np.zeros((3, 81), "U1"), "is an array of <U1, not of numbers"),
        (np.zeros((3, 81), "M8[s]"), "is an array of datetime64[s], not of numbers"),
        (np.zeros((3, 81), [("a", "i4")]), "not of numbers"),
    ],
)
def test_an_array_that_is_not_of_grids_is_rejected_in_one_sentence(array: Any, what: str) -> None:
    with pytest.raises(FormatError) as refusal:
        read(saved(array))
    assert what in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("array", [np.zeros(5), np.zeros((2, 9, 9)), np.zeros((3, 0))])
def test_an_array_read_as_a_matrix_must_have_two_dimensions(array: Any) -> None:
    with pytest.raises(FormatError, match="a matrix has two dimensions"):
        read(saved(array), "matrix")


SPRUNG: list[str] = []


def spring() -> None:
    """Called if a Trap is unpickled."""
    SPRUNG.append("sprung")


class Trap:
    """An object that calls `spring` when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return spring, ()


def test_unpickling_the_trap_springs_it() -> None:
    pickle.loads(pickle.dumps(Trap()))
    assert SPRUNG == ["sprung"]
    SPRUNG.clear()


def test_an_array_of_objects_is_rejected_and_not_unpickled() -> None:
    array = np.empty((1, 81), object)
    array[:] = Trap()
    for requested in (None, "matrix"):
        with pytest.raises(FormatError, match="Python objects, which Bullseye does not load"):
            read(saved(array), requested)
    with pytest.raises(FormatError):
        read(headed(described("'|u1'"), 1, pickle.dumps(Trap())))
    assert SPRUNG == []


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\x93NUMPY", HEADER),
        (b"\x93NUMPY\x01", HEADER),
        (b"\x93NUMPY\x01\x00", HEADER),
        (b"\x93NUMPY\x01\x00\xff\x00{", HEADER),
        (b"\x93NUMPY\x04\x00\x02\x00{}", HEADER),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", HEADER),
        (headed("{}"), HEADER),
        (headed(b"\xff" * 99), HEADER),
        (headed("(" * 9999), HEADER),
        (headed(described(shape="(1, -81)")), SHAPE),
        (headed(described(shape="__import__('os')")), HEADER),
        (headed(described(order="1")), HEADER),
        (headed(described(shape=f"({'9' * 30}, 81)")), SHAPE),
        (headed(described(shape=f"({'9' * 5000}, 81)")), HEADER),
        (headed(described("'|f1'")), HEADER),
        (headed(described("'<i3'")), HEADER),
        (headed(described("'<i4, <i4'")), "not of numbers"),
        (headed(described("'|V81'")), "not of numbers"),
        (headed(described(shape="(999999999999999999, 81)")), "ends after 0 of 999,999,999,999,"),
        (headed(described(shape="(2, 81)"), 1, GOOD), "ends after 1 of 2 grids"),
        (headed(described(), 1, GOOD[:-1]), "ends after 0 of 1 grids"),
        (headed(described(), 1, GOOD + b"\0"), "has data after its array"),
        (headed(described(shape="(0, 81)"), 1, b"\0"), "has data after its array"),
    ],
)
def test_a_damaged_array_file_is_rejected_in_one_sentence(content: bytes, what: str) -> None:
    with pytest.raises(FormatError) as refusal:
        read(content)
    assert what in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_a_matrix_with_too_many_columns_is_rejected() -> None:
    with pytest.raises(FormatError, match="1 to 1,048,576 columns"):
        read(headed(described(shape="(1, 999999999999)")), "matrix")


def test_a_truncated_array_file_is_rejected() -> None:
    content = saved(np.array(values(GRID, GRID), "u1"))
    for size in range(1, len(content)):
        with pytest.raises(FormatError):
            read(content[:size])


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 300), st.binary(min_size=1, max_size=4))
def test_damaged_bytes_raise_nothing_but_a_format_error(at: int, damage: bytes) -> None:
    content = saved(np.array(values(GRID, GRID), "u1"))
    content = content[:at] + damage + content[at + len(damage) :]
    for requested in (None, "matrix", "lines"):
        try:
            entries = read(content, requested)[1]
        except FormatError as refusal:
            assert "\n" not in str(refusal)
        else:
            assert all(entry.text for entry in entries)


class Endless(io.RawIOBase):
    """An array file of 10^12 grids."""

    def __init__(self) -> None:
        self._ahead = headed(described("'<i8'", shape="(1000000000000, 9, 9)"))
        self._grid = np.array(values(GRID), "<i8").tobytes()

    def read(self, size: int = -1) -> bytes:
        while len(self._ahead) < size:
            self._ahead += self._grid * 1000
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data


def test_memory_does_not_grow_with_the_array() -> None:
    tracemalloc.start()
    try:
        with open_source("-", None, Endless()) as source:  # type: ignore[arg-type]
            entries = iter(source)
            assert {next(entries).text for _ in range(50_000)} == {GRID}
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000
