"""Input -> batch: read everything first, then store it in short transactions.

Nothing is stored until the last line is understood.  In between the puzzles lie in a
temporary file, so memory does not grow with the input.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, Any, NamedTuple, Self

from sqlalchemy import Engine

from storage import answers, batches, chunks
from storage.batches import Batch
from storage.database import write
from storage.values import Answer, Puzzle, Status
from worker.errors import BadInput
from worker.puzzles.formats.source import Entry, Layout, Run, Source
from worker.puzzles.options import Options

#: puzzles stored in one transaction, which takes well under a second
TRANSACTION = 16384
#: bad lines that are remembered word by word
REMEMBERED = 20
#: milliseconds of solving that a chunk is cut for
CHUNK_MS = 200.0
#: a guess at the milliseconds for a grid of so many cells, and for a cover problem
GRID_MS = {16: 0.005, 81: 0.05, 256: 2.0, 625: 20.0}
COVER_MS = 10.0
#: the most puzzles in a chunk, and the most bytes
CHUNK_PUZZLES = 8192
CHUNK_BYTES = 1 << 20
#: a batch has at least this many chunks, so that several workers share even a small one
CHUNKS = 8


class Bad(NamedTuple):
    """A line of the input that is no puzzle."""

    source: str
    line: int
    text: str
    error: str


@dataclass(frozen=True, slots=True)
class Input:
    """One source of a batch: which positions it gave, and how it writes puzzles."""

    name: str
    first: int
    count: int
    layout: Layout

    def to_json(self) -> dict[str, Any]:
        """As plain values, for the batch's options."""
        return {
            "name": self.name,
            "first": self.first,
            "count": self.count,
            "layout": self.layout.to_json(),
        }


@dataclass(slots=True)
class Spool:
    """Everything that was read, and where it waits.  Close it to remove the file."""

    file: IO[str]
    inputs: list[Input] = field(default_factory=list)
    puzzles: int = 0
    bad: list[Bad] = field(default_factory=list)
    bad_count: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    @property
    def kind(self) -> str:
        """What the batch holds: sudoku, cover or mixed."""
        kinds = {source.layout.kind for source in self.inputs}
        return kinds.pop() if len(kinds) == 1 else "mixed"

    @property
    def source(self) -> str:
        """The names of the inputs."""
        return ", ".join(source.name for source in self.inputs)

    def entries(self) -> Iterator[tuple[str | None, str, str | None]]:
        """Label, text and error of every entry, in the order of the input."""
        self.file.seek(0)
        for line in self.file:
            if line[0] == "[":
                label, text, error = json.loads(line)
                yield label, text, error
            else:
                yield None, line[:-1], None


def new_spool() -> Spool:
    """An empty spool in the system's temporary folder."""
    return Spool(tempfile.TemporaryFile("w+", encoding="utf-8", prefix="bullseye-"))


def read_into(spool: Spool, source: Source) -> None:
    """Append everything that `source` holds."""
    first = spool.puzzles + 1
    write_line = spool.file.write
    for entry in source.parts():
        if isinstance(entry, Run):
            spool.puzzles += entry.size
            write_line(entry.text)
            continue
        spool.puzzles += 1
        if entry.error is not None:
            _remember(spool, source.name, entry)
        if entry.label is None and entry.error is None and entry.text[0] != "[":
            write_line(entry.text + "\n")
        else:
            write_line(json.dumps((entry.label, entry.text, entry.error)) + "\n")
    count = spool.puzzles - first + 1
    spool.inputs.append(Input(source.name, first, count, source.layout))


def _remember(spool: Spool, name: str, entry: Entry) -> None:
    spool.bad_count += 1
    if len(spool.bad) < REMEMBERED and entry.error is not None:
        spool.bad.append(Bad(name, entry.line, entry.text, entry.error))


def refuse_bad(spool: Spool) -> None:
    """Raise BadInput if a line is no puzzle."""
    if not spool.bad:
        return
    bad = spool.bad[0]
    raise BadInput(f"{bad.source} line {bad.line}: {bad.error}")


def store(engine: Engine, spool: Spool, options: Options, *, name: str | None, queue: str) -> Batch:
    """A batch with all of the spool: bad lines become answers `invalid`, the rest chunks.

    The last transaction makes the batch ready; before that no worker sees any of it.
    """
    kind = "target" if options.target and spool.kind == "sudoku" else spool.kind
    told = {**options.to_json(), "inputs": [source.to_json() for source in spool.inputs]}
    with write(engine) as connection:
        batch = batches.create(
            connection,
            name=name,
            source=spool.source,
            kind=kind,
            options=told,
            puzzles=spool.puzzles,
            queue=queue,
        )
    entries = enumerate(spool.entries(), start=1)
    share = max(1, -(-spool.puzzles // CHUNKS))
    while portion := list(islice(entries, TRANSACTION)):
        _store_portion(engine, batch, portion, options, share)
    with write(engine) as connection:
        batches.make_ready(connection, batch.id)
    return batch


def _store_portion(
    engine: Engine,
    batch: Batch,
    portion: Sequence[tuple[int, tuple[str | None, str, str | None]]],
    options: Options,
    share: int,
) -> None:
    before = batch.first_id - 1
    good = [
        Puzzle(before + position, position, label, text)
        for position, (label, text, error) in portion
        if error is None
    ]
    bad = [
        _invalid(Puzzle(before + position, position, label, text), batch.kind, error)
        for position, (label, text, error) in portion
        if error is not None
    ]
    with write(engine) as connection:
        chunks.add_many(connection, batch, cut(good, options, share))
        if bad:
            answers.add(connection, batch.id, bad, worker=None, attempts=0)


def cut(puzzles: Iterable[Puzzle], options: Options, share: int) -> Iterator[list[Puzzle]]:
    """Chunks of about CHUNK_MS of expected solving, none above the limits or `share`."""
    chunk: list[Puzzle] = []
    cost = size = 0.0
    for puzzle in puzzles:
        expected = expected_ms(puzzle.text, options)
        full = len(chunk) >= min(share, CHUNK_PUZZLES)
        if chunk and (full or cost + expected > CHUNK_MS or size + len(puzzle.text) > CHUNK_BYTES):
            yield chunk
            chunk, cost, size = [], 0.0, 0
        chunk.append(puzzle)
        cost += expected
        size += len(puzzle.text)
    if chunk:
        yield chunk


def expected_ms(text: str, options: Options) -> float:
    """A guess at the solver's time for one puzzle, to the power of ten."""
    base = COVER_MS if text.startswith("{") else GRID_MS.get(len(text), max(GRID_MS.values()))
    if options.target:
        base *= 100
    if options.limit is None or options.every:
        base *= 100
    return base


def _invalid(line: Puzzle, kind: str, error: str) -> Answer:
    """The answer to a line that is no puzzle; its kind is the batch's."""
    return Answer(
        id=line.id,
        position=line.position,
        label=line.label,
        kind=kind,
        size=None,
        clues=None,
        puzzle=line.text,
        status=Status.INVALID,
        detail=error,
    )
