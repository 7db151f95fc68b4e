"""Answers as a Parquet file: typed columns, packed, written in row groups as they come."""

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, TextIO

from cli.errors import BadUsage
from cli.output.row import COLUMNS, AnswerRow

#: answers in a row group at most, and the characters of their puzzles and solutions
ANSWERS, CHARACTERS = 16_384, 16 << 20
#: types of the columns that are no text, as pyarrow calls them
TYPES = {
    **dict.fromkeys(("id", "batch", "position", "solutions", "score", "bound", "nodes"), "int64"),
    **dict.fromkeys(("size", "clues", "attempts"), "int32"),
    "complete": "int8",
    "ms": "float64",
}


def require(output: str | None) -> None:
    """Misused where no Parquet can be written, or nobody could read it."""
    if importlib.util.find_spec("pyarrow") is None:
        raise BadUsage("Parquet is written by pyarrow: pip install 'bullseye[parquet]'")
    if output in {None, "-"} and sys.stdout is not None and sys.stdout.isatty():
        raise BadUsage("Parquet is nothing to look at: write it to a file with -o FILE.parquet")


def write_parquet(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """All columns, `solved_at` as a time; what is absent is null."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    schema = pyarrow.schema([(name, _type(pyarrow, name)) for name in COLUMNS])
    with ParquetWriter(out.buffer, schema, compression="zstd") as writer:
        for group in _groups(answers):
            columns = dict(zip(COLUMNS, map(list, zip(*group, strict=True)), strict=True))
            columns["solved_at"] = list(map(datetime.fromisoformat, columns["solved_at"]))
            writer.write_table(pyarrow.table(columns, schema=schema))


def _type(pyarrow: Any, name: str) -> Any:
    if name == "solved_at":
        return pyarrow.timestamp("ms", tz="UTC")
    return getattr(pyarrow, TYPES.get(name, "string"))()


def _groups(answers: Iterable[AnswerRow]) -> Iterator[list[AnswerRow]]:
    """Neighbours, as many as fit into memory well."""
    group: list[AnswerRow] = []
    held = 0
    for answer in answers:
        group.append(answer)
        held += len(answer.puzzle) + len(answer.solution or "")
        if len(group) == ANSWERS or held > CHARACTERS:
            yield group
            group, held = [], 0
    if group:
        yield group
