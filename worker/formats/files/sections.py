"""Skips the sections of a file that are not puzzles, as in SadMan Software's `.sdk` files.

Such a file has its puzzle after the line `[Puzzle]`; `[State]` has the values that the player
entered, and other sections have pencil marks and colours.
"""

import re
from collections.abc import Iterator
from itertools import chain

from worker.formats import variants
from worker.formats.files.text import TextBlock, decoded

PUZZLE = re.compile(rb"^[ \t]*\[puzzle\][ \t]*$", re.IGNORECASE | re.MULTILINE)
SECTION = re.compile(rb"[ \t]*\[\w+\][ \t]*")


def puzzles_only(source: Iterator[TextBlock], name: str) -> Iterator[TextBlock]:
    """Yield the blocks; if the first contains `[Puzzle]`, empty the lines of all other sections.

    The lines stay in place, so that line numbers in messages are those of the file.  Raises
    FormatError if one of them says that the puzzle is no ordinary sudoku.
    """
    first = next(source, None)
    if first is None:
        return
    if PUZZLE.search(first.data) is None:
        yield first
        yield from source
        return
    inside = False
    for block in chain([first], source):
        inside, data = _puzzles(block, name, inside=inside)
        yield TextBlock(block.first, data)


def _puzzles(block: TextBlock, name: str, *, inside: bool) -> tuple[bool, bytes]:
    """Return whether the last line is in a puzzle section, and the data without other lines."""
    kept = []
    for number, line in enumerate(block.data.split(b"\n"), block.first):
        is_heading = SECTION.fullmatch(line) is not None
        if is_heading:
            inside = PUZZLE.fullmatch(line) is not None
        if is_heading or not inside:
            variants.refuse(name, number, decoded(line))
        kept.append(line if inside and not is_heading else b"")
    return inside, b"\n".join(kept)
