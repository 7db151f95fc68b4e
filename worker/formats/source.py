"""Opens an input and reads its puzzles: a file, standard input, or a puzzle on the command line."""

import errno
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from storage.values import printable
from worker.formats.detection.alphabets import POSSIBLE
from worker.formats.detection.detect import detect
from worker.formats.detection.sample import Reading, Sample
from worker.formats.entry import Block, Entry, blocks_of
from worker.formats.errors import FormatError, naming
from worker.formats.files import content
from worker.formats.files.address import is_address, open_address, without_secrets
from worker.formats.files.cleaning import puzzles_only, without_markup
from worker.formats.files.text import TextBlock, lines
from worker.formats.layout import CELL_SYMBOLS, EXPECTED_CELLS, FORMATS
from worker.formats.names import NO_ROLES, Roles
from worker.formats.readers import lines as grid_lines
from worker.formats.readers.lines import MIN_GRIDLIKE, LineReader
from worker.formats.readers.solutions import paired
from worker.sudoku.symbols import SIDES

#: the name of an input that is a puzzle itself
COMMAND_LINE = "command line"
#: greatest number of characters of a file's name in a message
MAX_NAME_QUOTED = 80


class Source:
    """An opened input: its name, its layout, and its puzzles, which are read lazily.

    Reading raises FormatError if the input as a whole is not in the detected format.
    """

    def __init__(self, sample: Sample, text: Iterator[TextBlock], *, each: bool = False) -> None:
        reading = detect(sample)
        if any(sample.roles) and reading.columns is None:
            what = "has no line that names its columns"
            raise FormatError(what, remedy="choose columns of CSV, Parquet and other tables only")
        self.name = sample.name  #: printable path, "-" or COMMAND_LINE
        self.layout = reading.layout
        self.columns = reading.columns  #: the columns that the first line names
        #: the symbol of empty cells of grids
        self.empty = " " if reading.blanks else (reading.layout.alphabet or "0")[0]
        first = next((line.number for line in sample.content), 1)
        blocks = _blocks(text, reading, first)
        if not (each or reading.columns is not None or self.layout.format == "jsonl"):
            blocks = paired(blocks)
        count = reading.announced
        self._blocks = blocks if count is None else _counted(blocks, count)

    def name_puzzles(self, labels: Sequence[str | None], extras: Sequence[str | None]) -> None:
        """Give each puzzle a label and an extra, in place of those that it has; before reading."""
        self._blocks = _named(self._blocks, labels, extras)

    def __iter__(self) -> Iterator[Entry]:
        """Read the puzzles one by one, in the order of the input; this can be done once."""
        for block in self.blocks():
            yield from block.entries()

    def blocks(self) -> Iterator[Block]:
        """Read the puzzles in blocks, in the order of the input; this can be done once."""
        with naming(self.name):
            yield from self._blocks


def _blocks(text: Iterator[TextBlock], reading: Reading, first: int) -> Iterator[Block]:
    if reading.sides:  # grids without a notation of their own
        if reading.blanks or reading.read is not None:
            text = without_markup(text)
        if reading.blanks:
            text = reading.blanks.filled(text)
    if reading.read is not None:
        return blocks_of(reading.read(lines(text)))
    reader = LineReader(reading.layout, reading.sides, reading.columns, first)
    return grid_lines.read(text, reader)


def _named(
    blocks: Iterator[Block], labels: Sequence[str | None], extras: Sequence[str | None]
) -> Iterator[Block]:
    first = 0
    for block in blocks:
        last = first + block.count
        yield replace(block, labels=labels[first:last], extras=extras[first:last])
        first = last


def _counted(blocks: Iterator[Block], announced: int) -> Iterator[Block]:
    """Yield the blocks; raise FormatError at their end if they do not have `announced` puzzles."""
    count = 0
    for block in blocks:
        count += block.count
        yield block
    if count != announced:
        raise FormatError(
            f"the first line announces {announced} puzzles, but there are {count}",
            line=1,
            remedy="correct that line or remove it",
        )


@contextmanager
def open_source(
    file: str,
    format: str | None = None,  # noqa: A002 - its name on the command line
    stdin: BinaryIO | None = None,
    roles: Roles = NO_ROLES,
) -> Iterator[Source]:
    """Open the input that `file` names: a path, an address, `-` for `stdin`, or a puzzle itself.

    Raises FormatError if it cannot be opened, or its format is unknown or ambiguous.  An invalid
    puzzle raises nothing: it becomes an Entry with an error.
    """
    known = without_secrets(file) if is_address(file) else file
    with naming(printable(known[:MAX_NAME_QUOTED])):
        if format is not None and format not in FORMATS:
            remedy = f"choose one of {', '.join(FORMATS)}"
            raise FormatError(f"no format `{format}`", remedy=remedy)
        name, stream = _opened(file, stdin)
    try:
        yield source_of(name, stream, format, roles=roles)
    finally:
        if file != "-":
            stream.close()


def _opened(file: str, stdin: BinaryIO | None) -> tuple[str, BinaryIO]:
    if file == "-":
        return "-", stdin or sys.stdin.buffer
    if is_address(file):
        return printable(without_secrets(file)), open_address(file)
    try:
        return printable(file), Path(file).open("rb")
    except (OSError, ValueError) as error:
        if len(file) in SIDES and POSSIBLE[SIDES[len(file)]].issuperset(file):
            return COMMAND_LINE, io.BytesIO(file.encode())
        raise FormatError(_reason(error), remedy=_puzzle_hint(file)) from error


def _reason(error: Exception) -> str:
    if isinstance(error, IsADirectoryError):
        return "is a folder"
    if isinstance(error, PermissionError):
        return "cannot be read (permission denied)"
    if isinstance(error, FileNotFoundError) or getattr(error, "errno", 0) == errno.ENAMETOOLONG:
        return "no such file"
    return f"cannot be opened ({getattr(error, 'strerror', None) or error})"


def _puzzle_hint(file: str) -> str | None:
    if len(file) >= MIN_GRIDLIKE and CELL_SYMBOLS.issuperset(file):
        return f"as a puzzle it has {len(file)} cells, expected {EXPECTED_CELLS}"
    return None


def source_of(
    name: str,
    stream: BinaryIO,
    requested: str | None = None,
    *,
    each: bool = False,
    roles: Roles = NO_ROLES,
) -> Source:
    """Return the puzzles in the content of a file, after detecting its format as `open_source`.

    With `each`, every grid is a puzzle, and none the solution of another.
    """
    with naming(name):
        blocks = puzzles_only(content.blocks(stream, requested))
        has_comments = False
        for block in blocks:  # up to the first that has more than comments
            sample = list(lines([block])) if block.data.strip() else []
            if any(line.has_content for line in sample):
                break
            has_comments = has_comments or any(line.text.strip() for line in sample)
        else:
            what = "contains nothing but comments" if has_comments else "is empty"
            raise FormatError(what, remedy="give at least one puzzle")
        ahead = list(islice(blocks, 1))
        text = chain([block], ahead, blocks)
        return Source(Sample(name, sample, not ahead, requested, roles), text, each=each)
