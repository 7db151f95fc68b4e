"""Files with sections, such as SadMan's .sdk: only `[Puzzle]` is read.

`[State]` is what the player made of it, and the others hold pencil marks and colours.
"""

import re
from collections.abc import Iterator

from worker.formats.files.text import Block

PUZZLE = re.compile(rb"^[ \t]*\[puzzle\][ \t]*$", re.IGNORECASE | re.MULTILINE)
SECTION = re.compile(rb"[ \t]*\[\w+\][ \t]*")


def puzzles_only(source: Iterator[Block]) -> Iterator[Block]:
    """The same blocks; if the first has such a section, with all lines of others made empty."""
    first = next(source, None)
    if first is None:
        return
    if PUZZLE.search(first.data) is None:
        yield first
        yield from source
        return
    inside, data = _puzzles(first.data, inside=False)
    yield Block(first.first, data)
    for block in source:
        inside, data = _puzzles(block.data, inside=inside)
        yield Block(block.first, data)


def _puzzles(data: bytes, *, inside: bool) -> tuple[bool, bytes]:
    """What of it stands in a puzzle's section, and whether its last line does."""
    kept = []
    for line in data.split(b"\n"):
        heads = SECTION.fullmatch(line) is not None
        if heads:
            inside = PUZZLE.fullmatch(line) is not None
        kept.append(line if inside and not heads else b"")
    return inside, b"\n".join(kept)
