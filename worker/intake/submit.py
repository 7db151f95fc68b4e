"""Input -> batch: read everything first, then store it in short transactions.

Nothing is stored until the last line is understood.  In between the puzzles lie in a
temporary file, so memory does not grow with the input.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import IO, Any, NamedTuple, Self

from sqlalchemy import Engine

from storage import answers, batches, packing
from storage.batches import Batch
from storage.database import write
from storage.outbox import publishing
from storage.queries.reuse import Earlier, earlier
from storage.values import Answer, Answers, Puzzle, Status
from worker.errors import BadInput
from worker.formats.entry import Entry, Run
from worker.formats.layout import Layout
from worker.formats.source import Source
from worker.intake.cutting import cut, cut_grids, plain_grids
from worker.options import Options

#: puzzles stored in one transaction, which takes well under a second
TRANSACTION = 16384
#: bad lines that are remembered word by word
REMEMBERED = 20


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

    def portions(self) -> Iterator[list[str]]:
        """What was read, in the order of the input, some lines at a time; see `parsed`."""
        self.file.seek(0)
        while lines := list(islice(self.file, TRANSACTION)):
            yield lines


def new_spool() -> Spool:
    """An empty spool in the system's temporary folder."""
    return Spool(tempfile.TemporaryFile("w+", encoding="utf-8", prefix="bullseye-"))


def read_into(spool: Spool, source: Source, parts: Iterable[Entry | Run] | None = None) -> None:
    """Append everything that `source` holds; `parts` are its own, where somebody looks at them."""
    first = spool.puzzles + 1
    write_line = spool.file.write
    for entry in source.parts() if parts is None else parts:
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


def store(
    engine: Engine,
    spool: Spool,
    options: Options,
    *,
    name: str | None,
    queue: str,
    reuse: bool = False,
) -> Batch:
    """A batch with all of the spool: bad lines become answers `invalid`, the rest chunks.

    With `reuse` what was solved before in the same way gets a copy of its answer, and the batch's
    options say as `reused` how many these are.  The last transaction makes the batch ready; before
    that no worker sees any of it.
    """
    if not reuse:
        return _store(engine, spool, options, name, queue, None)
    untimed = replace(options, timeout=0.0)

    def same(told: dict[str, Any]) -> bool:
        return replace(Options.from_json(told), timeout=0.0) == untimed

    with earlier(engine, _wanted(spool), same) as known:
        return _store(engine, spool, options, name, queue, known)


def _wanted(spool: Spool) -> Iterator[list[tuple[int, str]]]:
    """Positions and texts of all puzzles, some at a time."""
    position = 1
    for lines in spool.portions():
        entries = enumerate(map(parsed, lines), position)
        yield [(place, text) for place, (_, text, error) in entries if error is None]
        position += len(lines)


def _store(
    engine: Engine,
    spool: Spool,
    options: Options,
    name: str | None,
    queue: str,
    known: Earlier | None,
) -> Batch:
    kind = "target" if options.target and spool.kind == "sudoku" else spool.kind
    told = {**options.to_json(), "inputs": [source.to_json() for source in spool.inputs]}
    if known is not None:
        told["reused"] = known.count
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
    position = 1
    for lines in spool.portions():
        last = position + len(lines) - 1
        again = known.between(position, last, further=options.keep > 1) if known else {}
        _store_portion(engine, batch, lines, position, options, again)
        position += len(lines)
    with write(engine) as connection:
        batches.make_ready(connection, batch.id)
    return batch


def _store_portion(
    engine: Engine,
    batch: Batch,
    lines: Sequence[str],
    position: int,
    options: Options,
    again: dict[int, Answer],
) -> None:
    ready: list[Answer] = []
    grids = None if again else plain_grids(lines)
    if grids is not None:
        before = batch.first_id - 1
        groups = [
            packing.pack_grids(before + some.position, *some)
            for some in cut_grids(grids, position, options, batch.puzzles)
        ]
    else:
        good, ready = _sorted(lines, position, batch, again)
        groups = [packing.pack(some) for some in cut(good, options, batch.puzzles)]
    with write(engine) as connection:
        publishing.add_many(connection, batch.id, groups)
        answers.add(connection, batch.id, Answers.of(ready), worker=None, attempts=0)


def _sorted(
    lines: Sequence[str], position: int, batch: Batch, again: dict[int, Answer]
) -> tuple[list[Puzzle], list[Answer]]:
    """Puzzles to solve, and the answers to what is none or was solved before."""
    good, ready = [], []
    for place, line in enumerate(lines, position):
        label, text, error = parsed(line)
        puzzle = Puzzle(batch.first_id + place - 1, place, label, text)
        if error is not None:
            ready.append(_invalid(puzzle, batch.kind, error))
        elif place in again:
            ready.append(again[place]._replace(id=puzzle.id, position=place, label=label))
        else:
            good.append(puzzle)
    return good, ready


def parsed(line: str) -> tuple[str | None, str, str | None]:
    """Label, text and error of an entry, as `read_into` wrote it."""
    if line[0] != "[":
        return None, line[:-1], None
    label, text, error = json.loads(line)
    return label, text, error


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
