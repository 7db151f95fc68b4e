"""Opens an input and reads its puzzles: a file, standard input, or a puzzle on the command line."""

import errno
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from worker.formats import onelines
from worker.formats.block import Block, blocks_of
from worker.formats.detection.alphabets import POSSIBLE
from worker.formats.detection.detect import detect
from worker.formats.detection.sample import Head
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.files.content import blocks as raw_blocks
from worker.formats.files.sections import puzzles_only
from worker.formats.files.text import Block as RawBlock
from worker.formats.files.text import Line, lines
from worker.formats.layout import FORMATS, Layout
from worker.formats.readers import covers, jsonl, opensudoku, rows
from worker.formats.symbols import EMPTY_SYMBOLS
from worker.sudoku.symbols import SIDES

__all__ = ["FORMATS", "Block", "Entry", "Layout", "Source", "open_source"]


class Source:
    """An opened input: its name, its layout, and its puzzles, which are read lazily.

    Reading raises FormatError where the input as a whole is not in the detected format.
    """

    def __init__(self, head: Head, content: Iterator[RawBlock]) -> None:
        reading = detect(head)
        self.name = head.name  #: path as given, "-" or "argument"
        self.layout = reading.layout
        self.columns = reading.columns  #: the columns that the first line names
        self._reading = reading
        self._first = next((line.number for line in head.content), 1)
        self._content = content

    def __iter__(self) -> Iterator[Entry]:
        for block in self.blocks():
            yield from block.entries()

    def blocks(self) -> Iterator[Block]:
        """Read the puzzles in blocks, in the order of the input.

        Like iterating, this can be done once.
        """
        blocks = self._blocks()
        count = self._reading.announced
        return blocks if count is None else self._counted(blocks, count)

    def _blocks(self) -> Iterator[Block]:
        if self.layout.shape == "lines" and self.layout.format not in {"jsonl", "opensudoku"}:
            return onelines.read(self._content, self._reading, self._first)
        return blocks_of(self._entries())

    def _entries(self) -> Iterator[Entry]:
        layout, content = self.layout, lines(self._content)
        if layout.format == "jsonl":
            return jsonl.read(content)
        if layout.format == "opensudoku":
            return opensudoku.read(content, self.name)
        if layout.format == "dlx":
            return covers.read_dlx(content, self.name)
        if layout.format == "matrix":
            return covers.read_matrix(content, self.name, headed=self._reading.headed)
        return rows.read(content, layout, self.name)

    def _counted(self, blocks: Iterator[Block], count: int) -> Iterator[Block]:
        seen = 0
        for block in blocks:
            seen += block.count
            yield block
        if seen != count:
            raise FormatError(
                self.name,
                f"the first line announces {count} puzzles, but there are {seen}",
                line=1,
                cure="correct that line or remove it",
            )


@contextmanager
def open_source(
    file: str,
    format: str | None = None,  # noqa: A002 - its name on the command line
    stdin: BinaryIO | None = None,
) -> Iterator[Source]:
    """Open the input that `file` names: a path, `-` for `stdin`, or a one-line puzzle itself.

    Raises FormatError where it cannot be opened, or its format is unknown or ambiguous.  A single
    faulty puzzle raises nothing: it is an Entry with an error.
    """
    if format is not None and format not in FORMATS:
        raise FormatError(file, f"no format `{format}`", cure=f"--from takes {', '.join(FORMATS)}")
    name, stream = _opened(file, stdin)
    try:
        yield _source(name, stream, format)
    finally:
        if file != "-":
            stream.close()


def _opened(file: str, stdin: BinaryIO | None) -> tuple[str, BinaryIO]:
    if file == "-":
        return "-", stdin or sys.stdin.buffer
    try:
        return file, Path(file).open("rb")
    except (OSError, ValueError) as error:
        if len(file) in SIDES and POSSIBLE[SIDES[len(file)]].issuperset(file):
            return "argument", io.BytesIO(file.encode())
        raise FormatError(file[:80], _unopened(error), cure=_cure(file)) from error


def _unopened(error: Exception) -> str:
    if isinstance(error, IsADirectoryError):
        return "is a folder"
    if isinstance(error, PermissionError):
        return "must not be read (permission denied)"
    if isinstance(error, FileNotFoundError) or getattr(error, "errno", 0) == errno.ENAMETOOLONG:
        return "no such file"
    return f"cannot be opened ({getattr(error, 'strerror', None) or error})"


def _cure(file: str) -> str | None:
    if len(file) >= onelines.GRIDLIKE and set(file) <= set("0123456789" + EMPTY_SYMBOLS):
        return f"as a puzzle it has {len(file)} cells, expected 81 (or 16, 256, 625)"
    return None


def _source(name: str, stream: BinaryIO, asked: str | None) -> Source:
    content = puzzles_only(raw_blocks(stream, name, asked))
    seen: list[RawBlock] = []
    head: list[Line] = []
    for block in content:
        seen.append(block)
        head = list(lines([block])) if block.data.strip() else []  # blank lines may be many
        if any(_says(line) for line in head):
            break
        seen.clear()
    else:
        comments = any(line.text.strip() for line in head)
        what = "holds nothing but comments" if comments else "is empty"
        raise FormatError(name, what, cure="give at least one puzzle")
    ahead = next(content, None)
    seen += [ahead] if ahead else []
    return Source(Head(name, head, ahead is None, asked), chain(seen, content))


def _says(line: Line) -> bool:
    text = line.text.strip()
    return bool(text) and not text.startswith("#")
