"""Rows of Parquet files with random equivalents of their sudokus."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pyarrow as pa

from worker.symmetry.equivalents import equivalents

#: the columns that are added: 0 for the puzzle itself, and how it becomes the equivalent
COPY, ARRANGEMENT = pa.field("copy", pa.int32()), pa.field("arrangement", pa.string())


def augmented(number: int, seed: int) -> Callable[[pa.Table], pa.Table]:
    """Return what adds this number of equivalents after each sudoku, and says what they are.

    Without a number it changes nothing.
    """

    def change(table: pa.Table) -> pa.Table:
        if not number:
            return table
        schema = table.schema.append(COPY).append(ARRANGEMENT)
        rows = [copy for row in table.to_pylist() for copy in _copies(row, number, seed)]
        return pa.Table.from_pylist(rows, schema)

    return change


def _copies(row: dict[str, Any], number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield a row, and those of its equivalents; targets have none, since scores would change."""
    yield {**row, "copy": 0, "arrangement": None}
    if row["kind"] != "sudoku" or row["class"] is None:
        return
    chance = Random(f"{seed} {row['position']}")  # noqa: S311 # reproducible, not secret
    found = equivalents(row["puzzle"], row["solution"], number, chance)
    for copy, one in enumerate(found, 1):
        same = {"puzzle": one.puzzle, "solution": one.solution}
        yield {**row, **same, "copy": copy, "arrangement": one.arrangement}
