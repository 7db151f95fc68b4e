"""Collects the puzzles of the inputs in a temporary file until all inputs have been read.

Thus a batch is stored only if every input could be read, and memory does not grow with the inputs.
For each block the file holds its header, a line of JSON, followed by its text.  What is collected
is checked before: whether the options of the batch suit its puzzles.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import IO, Self

from storage.values import Kind
from worker.covers.text import has_multiplicities, has_profits
from worker.errors import BadUsage
from worker.formats.entry import Block, Entry, Origin
from worker.formats.errors import quantity
from worker.formats.layout import Layout
from worker.formats.source import Source
from worker.intake.origins import Origins
from worker.options import MAX_FACTS_CELLS, Options, Spelling

#: puzzles after which a portion ends, so that storing it takes well under a second
PORTION_PUZZLES = 16384
#: characters of text after which a portion ends
PORTION_CHARACTERS = 16 << 20


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a batch: the positions of its puzzles, and the layout of its text."""

    name: str
    first: int  #: position of its first puzzle in the batch, from 1
    count: int
    layout: Layout


def _temporary_file() -> IO[bytes]:
    return tempfile.TemporaryFile(prefix="bullseye-")


@dataclass(slots=True)
class Spool:
    """The puzzles that were read so far.  Closing it deletes the temporary file."""

    portion_puzzles: int = PORTION_PUZZLES
    file: IO[bytes] = field(default_factory=_temporary_file)
    inputs: list[Input] = field(default_factory=list)
    origins: Origins = field(default_factory=Origins)
    puzzles: int = 0  #: faults included: each takes a position
    fault_count: int = 0
    first_fault: tuple[str, Entry] | None = None  #: the name of its input, and what is there

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    @property
    def kind(self) -> str:
        """The kind of the batch: sudoku, cover or mixed."""
        kinds = {source.layout.kind for source in self.inputs}
        return kinds.pop() if len(kinds) == 1 else "mixed"

    @property
    def source(self) -> str:
        """The names of the inputs, separated by commas."""
        return ", ".join(source.name for source in self.inputs)

    def add(self, source: Source, blocks: Iterable[Block] | None = None) -> None:
        """Append all puzzles of `source`; `blocks` are its blocks if the caller has read them."""
        first = self.puzzles + 1
        self.origins.begin()
        for block in source.blocks() if blocks is None else blocks:
            origins = self.origins.add(self.puzzles + 1, block.places)
            self.puzzles += block.count
            if block.errors:
                self.fault_count += block.count
                self.first_fault = self.first_fault or (source.name, next(block.entries()))
            _write(self.file, block, origins)
        count = self.puzzles - first + 1
        self.inputs.append(Input(source.name, first, count, source.layout))

    def portions(self) -> Iterator[list[Block]]:
        """Yield all blocks in order, several at a time; their places are positions in the batch."""
        self.file.seek(0)
        portion: list[Block] = []
        puzzles = size = 0
        first = 1
        while (block := _read(self.file, first)) is not None:
            first += block.count
            portion.append(block)
            puzzles += block.count
            size += len(block.text)
            if puzzles >= self.portion_puzzles or size >= PORTION_CHARACTERS:
                yield portion
                portion, puzzles, size = [], 0, 0
        if portion:
            yield portion


def _write(file: IO[bytes], block: Block, origins: Sequence[Origin]) -> None:
    text = block.text.encode()
    columns = [block.labels, block.errors, block.extras, origins]
    header = [len(text), block.count, block.kind, block.cells, *columns]
    file.write(json.dumps(header).encode() + b"\n")
    file.write(text)


def _read(file: IO[bytes], first: int) -> Block | None:
    """Read the next block, whose first puzzle has position `first`; None at the end."""
    line = file.readline()
    if not line:
        return None
    size, count, kind, cells, labels, errors, extras, origins = json.loads(line)
    text, places = file.read(size).decode(), range(first, first + count)
    columns = {"labels": labels, "errors": errors, "extras": extras}
    begun = [Origin(*origin) for origin in origins]
    return Block(kind and Kind(kind), cells, places, text, origins=begun, **columns)


def suited(
    blocks: Iterable[Block], options: Options, source: str, spelling: Spelling
) -> Iterator[Block]:
    """Yield the blocks; raise BadUsage at puzzles that the options do not suit."""
    for block in blocks:
        for line, why in _unsuited(block, options, spelling):
            raise BadUsage(f"{source} line {line}: {why}")
        yield block


def _unsuited(block: Block, options: Options, spelling: Spelling) -> Iterator[tuple[int, str]]:
    """Yield the lines of puzzles that the options do not suit, each with the reason."""
    first = block.places[0]
    if why := _without_facts(block, options, spelling):
        yield first, why
    if options.set_cover and block.kind is Kind.SUDOKU:
        yield first, f"{spelling('set_cover')} needs cover problems, not grids"
    elif options.set_cover and block.kind is Kind.COVER:
        for line, text in zip(block.places, block.texts(), strict=True):
            what = "multiplicities" if has_multiplicities(text) else "negative costs"
            if has_multiplicities(text) or has_profits(text):
                yield line, f"{spelling('set_cover')} cannot be used for a problem with {what}"
    elif options.target and (why := _without_score(block, options.weights, spelling)):
        yield first, why


def _without_facts(block: Block, options: Options, spelling: Spelling) -> str | None:
    """Return why these puzzles have no classes or facts, if they are wanted, else None."""
    if block.kind is None or not (options.classes or options.facts):
        return None
    if options.classes and not block.cells:
        return f"{spelling('classes')} needs sudokus"
    if options.facts and not (block.cells and block.cells <= MAX_FACTS_CELLS):
        return f"{spelling('facts')} needs sudokus of at most {MAX_FACTS_CELLS} cells"
    return None


def _without_score(block: Block, weights: Sequence[int] | None, spelling: Spelling) -> str | None:
    """Return why the solutions of these puzzles have no score, else None."""
    if block.kind is Kind.COVER and not block.costs:
        needed = f"{spelling('target')} needs grids or cover problems with costs"
        return f"{needed}; the options of this one have none"
    if block.kind is Kind.COVER and weights:
        return f"{spelling('weights')} applies to grids; the options of a cover have costs"
    if block.cells is None:
        return None
    side = isqrt(block.cells)
    if weights is None and side != 9:
        return f"{side}x{side} grids have no default weights; give {spelling('weights')}"
    if weights is not None and len(weights) != block.cells:
        given = f"{spelling('weights')} has {quantity(len(weights), 'number')}"
        return f"{given}, but a {side}x{side} grid needs {block.cells}"
    return None
