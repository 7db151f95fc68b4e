"""Answers as a Parquet file with typed columns, written one row group at a time."""

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple, TextIO

from cli.errors import BadUsage
from cli.options import Flag
from cli.output.row import COLUMNS, AnswerRow
from cli.terminal import is_terminal

#: pyarrow's names of the types of columns that are not strings
ARROW_TYPES = {
    **dict.fromkeys(("id", "batch", "position", "solutions", "score", "bound", "nodes"), "int64"),
    **dict.fromkeys(("size", "clues", "attempts"), "int32"),
    "complete": "int8",
    "ms": "float64",
}


class GroupSize(NamedTuple):
    """The limits of a row group, which is held in memory before it is written."""

    rows: int
    characters: int  #: of puzzles and solutions


GROUP_SIZE = GroupSize(rows=16_384, characters=16 << 20)


def check_parquet(output: str | None) -> None:
    """Raise BadUsage if pyarrow is missing or the output is a terminal."""
    if importlib.util.find_spec("pyarrow") is None:
        raise BadUsage("Parquet output needs pyarrow: pip install 'bullseye[parquet]'")
    if output in {None, "-"} and is_terminal(sys.stdout):
        raise BadUsage(
            f"Parquet is a binary format; write it to a file with {Flag.OUTPUT} FILE.parquet"
        )


def write_parquet(
    answers: Iterable[AnswerRow], out: TextIO, group_size: GroupSize = GROUP_SIZE
) -> None:
    """Write all columns; `solved_at` becomes a timestamp in UTC."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    schema = pyarrow.schema([(name, _type(pyarrow, name)) for name in COLUMNS])
    with ParquetWriter(out.buffer, schema, compression="zstd") as writer:
        for group in _groups(answers, group_size):
            columns = dict(zip(COLUMNS, map(list, zip(*group, strict=True)), strict=True))
            columns["solved_at"] = list(map(datetime.fromisoformat, columns["solved_at"]))
            writer.write_table(pyarrow.table(columns, schema=schema))


def _type(pyarrow: Any, name: str) -> Any:
    if name == "solved_at":
        return pyarrow.timestamp("ms", tz="UTC")
    return getattr(pyarrow, ARROW_TYPES.get(name, "string"))()


def _groups(answers: Iterable[AnswerRow], size: GroupSize) -> Iterator[list[AnswerRow]]:
    group: list[AnswerRow] = []
    characters = 0
    for answer in answers:
        group.append(answer)
        characters += len(answer.puzzle) + len(answer.solution or "")
        if len(group) == size.rows or characters > size.characters:
            yield group
            group, characters = [], 0
    if group:
        yield group
