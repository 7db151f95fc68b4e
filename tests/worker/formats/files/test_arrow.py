"""Parquet and Arrow files of puzzles."""

import io
import json
import sys
from collections.abc import Callable

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from tests.worker.formats.reading import GRID, errors, read
from worker.formats.errors import FormatError
from worker.formats.files.text import MAX_LINE_BYTES

ROWS = [GRID[at : at + 9] for at in range(0, 81, 9)]
CELLS = [int(cell) if cell != "." else 0 for cell in GRID]
SOLVED = "987632541362541971541897362813265479479183625625749813256914738198376254734528196"


def as_parquet(table: pa.Table) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out, row_group_size=2)
    return out.getvalue()


def as_feather(table: pa.Table) -> bytes:
    out = io.BytesIO()
    feather.write_feather(table, out)
    return out.getvalue()


@pytest.fixture(params=[as_parquet, as_feather])
def written(request: pytest.FixtureRequest) -> Callable[[pa.Table], bytes]:
    made: Callable[[pa.Table], bytes] = request.param
    return made


#: a grid as data sets have it
GRIDS = {
    "text": pa.array([GRID] * 3),
    "text with line ends": pa.array(["\n".join(ROWS)] * 3),
    "dictionary": pa.array([GRID] * 3).dictionary_encode(),
    "list of cells": pa.array([CELLS] * 3, pa.list_(pa.int8())),
    "list of fixed size": pa.array([CELLS] * 3, pa.list_(pa.int8(), 81)),
    "list of lists": pa.array(
        [[CELLS[at : at + 9] for at in range(0, 81, 9)]] * 3, pa.list_(pa.list_(pa.int64()))
    ),
    "large list": pa.array([CELLS] * 3, pa.large_list(pa.int8())),
    "bytes": pa.array([GRID.encode()] * 3),
    "view of text": pa.array([GRID] * 3, pa.string_view()),
    "list of rows": pa.array([ROWS] * 3),
    "cells or null": pa.array([[cell or None for cell in CELLS]] * 3),
}


@pytest.mark.parametrize("name", GRIDS)
def test_a_column_of_grids_is_read(written: Callable[[pa.Table], bytes], name: str) -> None:
    found = read(written(pa.table({"puzzle": GRIDS[name]})))[1]
    assert [(one.text, one.error) for one in found] == [(GRID, None)] * 3


def test_further_columns_are_those_of_a_table(written: Callable[[pa.Table], bytes]) -> None:
    table = pa.table(
        {
            "id": [7, 8],
            "quizzes": [GRID, GRID],
            "solutions": [SOLVED, None],
            "rating": [8.5, None],
            "source": ["a, b\nc", '"d"'],
        }
    )
    one, two = read(written(table))[1]
    assert (one.label, one.solution) == ("7", SOLVED)
    assert json.loads(one.extra or "") == {"rating": 8.5, "source": "a, b c"}
    assert (two.solution, json.loads(two.extra or "")) == (None, {"source": '"d"'})


def test_names_and_values_of_any_kind_are_kept(written: Callable[[pa.Table], bytes]) -> None:
    values = {"a, b": ['x, "y"'], "list": [[0.5, 2.0]], "object": [{"a": 1}], "bytes": [b"\xff"]}
    (entry,) = read(written(pa.table({**values, "id": [1], "puzzle": [GRID]})))[1]
    kept = {"a, b": 'x, "y"', "list": "[0.5, 2.0]", "object": '{"a": 1}', "bytes": "\ufffd"}
    assert (entry.text, json.loads(entry.extra or "")) == (GRID, kept)


def test_two_columns_may_have_one_name(written: Callable[[pa.Table], bytes]) -> None:
    columns = [pa.array([GRID]), pa.array([1]), pa.array([2])]
    table = pa.Table.from_arrays(columns, names=["puzzle", "a", "a"])
    assert [one.text for one in read(written(table))[1]] == [GRID]


def test_a_row_group_that_declares_too_much_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.formats.files.arrow.MAX_GROUP_BYTES", 100)
    with pytest.raises(FormatError, match="has a row group of more than 100 bytes; write it again"):
        read(as_parquet(pa.table({"puzzle": [GRID] * 3})))


def test_an_invalid_grid_is_an_error_with_its_line(written: Callable[[pa.Table], bytes]) -> None:
    table = pa.table({"puzzle": [GRID, GRID[1:], GRID, GRID]})
    assert errors(written(table)) == [(3, "80 cells, expected 81")]


def test_a_damaged_file_is_rejected(written: Callable[[pa.Table], bytes]) -> None:
    whole = written(pa.table({"puzzle": [GRID] * 3}))
    with pytest.raises(FormatError, match="cannot be read as Parquet or Arrow"):
        read(whole[: len(whole) // 2])


def test_without_pyarrow_the_message_names_the_extra(
    written: Callable[[pa.Table], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = written(pa.table({"puzzle": [GRID]}))
    monkeypatch.delitem(sys.modules, "worker.formats.files.arrow", raising=False)
    monkeypatch.delattr("worker.formats.files.arrow", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FormatError, match=r"needs pyarrow; pip install 'bullseye\[parquet\]'"):
        read(whole)


def test_a_long_text_that_is_stored_once_is_refused_before_it_is_read(
    written: Callable[[pa.Table], bytes],
) -> None:
    texts = pa.array(["." * (MAX_LINE_BYTES + 1), GRID])
    places = pa.array([1, 0, 0, 0], pa.int32())
    table = pa.table({"puzzle": pa.DictionaryArray.from_arrays(places, texts)})
    with pytest.raises(FormatError, match="has a text of more than 1,048,576 bytes; write a puzz"):
        read(written(table))


def test_runs_of_values_count_towards_the_size_of_a_row_group(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("worker.formats.files.arrow.MAX_GROUP_BYTES", 99_999)
    table = pa.table({"puzzle": pa.array([GRID] * 2), "n": pa.array([[1] * 60_000] * 2)})
    out = io.BytesIO()
    parquet.write_table(table, out)
    with pytest.raises(FormatError, match="has a row group of more than 99,999 bytes"):
        read(out.getvalue())
