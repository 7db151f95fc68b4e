"""Splits a batch into Parquet files that share no class of puzzles, as data for training and tests.

The classes are sorted by a hash with a seed, and cut where the parts have their shares of puzzles.
So the parts depend on the seed and the classes only, not on the order of the puzzles.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import reduce
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Connection, Engine

from storage import batches
from storage.archive import arrow
from storage.batches import Batch
from storage.database import database_id, read
from storage.errors import BatchIncomplete, ExportFailed
from storage.export import files
from storage.queries.answers import select_lines
from storage.queries.lines import Form
from storage.queries.progress import is_finished
from storage.values import BatchKey
from storage.view import COLUMNS

#: of the hash SplitMix64 (Steele, Lea and Flood, 2014): what is added for each seed, and its steps
_GAMMA = 0x9E3779B97F4A7C15
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST_SHIFT = 31
_MASK = 2**64 - 1
#: the remedy where no puzzle has a class
_REMEDY = "solve it with --classes; a grid_class needs exactly one solution"


class Split(NamedTuple):
    """How a batch is split."""

    shares: Sequence[int]  #: of the puzzles, in the order of the parts
    column: str  #: `class` or `grid_class`
    seed: int


class Part(NamedTuple):
    """A part of a batch in a file."""

    path: Path
    classes: int
    puzzles: int
    rows: int


#: turns rows of the view into those that are written
Change = Callable[[pa.Table], pa.Table]


def split(engine: Engine, key: BatchKey, parent: Path, how: Split, change: Change) -> list[Part]:
    """Write the parts of a finished batch to a new folder, `batch-N-parts` in `parent`.

    Puzzles without a class are left out.  Raises NoSuchBatch,
    AmbiguousName, BatchIncomplete and ExportFailed.
    """
    with read(engine, archived=True) as connection:
        batch = batches.find(connection, key)
        if not (batch.ready and is_finished(connection, batch.id)):
            raise BatchIncomplete(f"batch {batch.id} is not finished", "wait for it")
        folder = files.folder_of(batch, parent)
        folder = folder.with_name(f"{folder.name}-parts")
        if folder.exists():
            raise ExportFailed(f"{folder} exists", "move it, or give another folder")
        counts = _counts(connection, batch, how)
        if not counts.num_rows:
            raise ExportFailed(f"no puzzle of batch {batch.id} has a {how.column}", _REMEDY)
        starts = _starts(counts, how.shares)
        with files.drafted(folder) as draft:
            sizes = _write(connection, batch, how, starts, change, draft)
            files.publish(draft, folder)
    classes = Counter(_part_of(counts["place"], starts).to_pylist())
    return [Part(folder / _name(at), classes[at], *size) for at, size in enumerate(sizes)]


def _counts(connection: Connection, batch: Batch, how: Split) -> pa.Table:
    """Return the places of all classes and their numbers of puzzles, sorted by place."""
    found = [_places(one, how) for one in _rows(connection, batch, [how.column])]
    places = pa.table({"place": pa.chunked_array(found, pa.uint64()).drop_null()})
    return places.group_by("place").aggregate([([], "count_all")]).sort_by("place")


def _write(
    connection: Connection,
    batch: Batch,
    how: Split,
    starts: Sequence[int],
    change: Change,
    folder: Path,
) -> list[tuple[int, int]]:
    """Write the parts; return the numbers of puzzles and of rows of each."""
    schema = change(arrow.ANSWERS.empty_table()).schema
    sizes = [(0, 0)] * len(how.shares)
    origin = {"database": database_id(connection), "batch": batch.id, **how._asdict()}
    with ExitStack() as stack:
        writers = [
            stack.enter_context(arrow.writer(folder / _name(at), schema))
            for at in range(len(sizes))
        ]
        for table in _rows(connection, batch, COLUMNS):
            part_of = _part_of(_places(table, how), starts)
            for at, writer in enumerate(writers):
                ours = table.filter(pc.equal(part_of, at))
                rows = change(ours)
                writer.write_table(rows)
                sizes[at] = sizes[at][0] + ours.num_rows, sizes[at][1] + rows.num_rows
        for at, writer in enumerate(writers):
            writer.add_key_value_metadata({files.KEY: json.dumps({**origin, "part": at + 1})})
    for at in range(len(sizes)):
        files.sync(folder / _name(at))
    return sizes


def _name(at: int) -> str:
    return f"part-{at + 1}.parquet"


def _rows(connection: Connection, batch: Batch, columns: Sequence[str]) -> Iterator[pa.Table]:
    with closing(select_lines(connection, Form.ARROW, columns, batch=batch.id)) as lines:
        yield from arrow.row_groups(lines, Form.ARROW.value, arrow.of_answers(columns))


def _places(table: pa.Table, how: Split) -> pa.Array:
    """Return the hash of each row's class; null if it has none."""
    found = table[how.column].combine_chunks().view(pa.uint64())
    found = pc.add(found, pa.scalar(_GAMMA * (how.seed + 1) & _MASK, pa.uint64()))
    for shift, factor in _STEPS:
        found = pc.bit_wise_xor(found, pc.shift_right(found, pa.scalar(shift, pa.uint64())))
        found = pc.multiply(found, pa.scalar(factor, pa.uint64()))
    return pc.bit_wise_xor(found, pc.shift_right(found, pa.scalar(_LAST_SHIFT, pa.uint64())))


def _starts(counts: pa.Table, shares: Sequence[int]) -> list[int]:
    """Return the least place of each part but the first, without those of empty last parts."""
    sums = pc.cumulative_sum(counts["count_all"])
    total = sums[-1].as_py()
    cuts = (total * share // sum(shares) for share in list(accumulate(shares))[:-1])
    before = (pc.sum(pc.less_equal(sums, cut)).as_py() for cut in cuts)
    return [counts["place"][number].as_py() for number in before if number < counts.num_rows]


def _part_of(places: pa.Array, starts: Iterable[int]) -> pa.Array:
    """Return the number of the part of each place, from 0; null for null."""
    beyond = (pc.greater_equal(places, pa.scalar(start, pa.uint64())) for start in (0, *starts))
    return pc.subtract(reduce(pc.add, (pc.cast(one, pa.int8()) for one in beyond)), 1)
