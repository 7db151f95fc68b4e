"""Fills the empty cells of grids in which these are blanks, by their places in the line."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from worker.formats.files.text import TextBlock, decoded
from worker.sudoku.symbols import BOXES, EMPTY, VALUES


class Blanks(NamedTuple):
    """How rows with blanks for empty cells are written."""

    side: int
    apart: bool = False  #: cells without a frame have a space between them

    def filled(self, blocks: Iterable[TextBlock]) -> Iterator[TextBlock]:
        """Yield the blocks with `.` in the empty cells of grids."""
        for block in blocks:
            lines = (self.filled_line(decoded(line)) for line in block.data.split(b"\n"))
            yield TextBlock(block.first, "\n".join(lines).encode())

    def filled_line(self, text: str) -> str:
        """Return a row or a whole grid with `.` for each blank cell; any other line unchanged.

        >>> Blanks(9).filled_line("5   7    "), Blanks(4).filled_line("| 4   |   1 |")
        ('5...7....', '4..1')
        >>> Blanks(4, apart=True).filled_line("  4   3"), Blanks(4).filled_line("4 3")
        ('.4.3', '4 3')
        """
        if not set(text) <= {" ", "|", *VALUES[: self.side]} or not text.strip():
            return text
        if len(text) == self.side**2 and "|" not in text:
            return text.replace(" ", EMPTY)
        row = text.strip()
        is_framed = row[0] == row[-1] == "|"
        cells = self._framed(row[1:-1].split("|")) if is_framed else self._bare(text)
        return text if cells is None else cells.replace(" ", EMPTY)

    def _framed(self, boxes: list[str]) -> str | None:
        """Return the cells of boxes of one width, with or without spaces around each cell."""
        count, each = BOXES[self.side]
        widths = {len(box) for box in boxes}
        if len(boxes) != count or len(widths) > 1:
            return None
        width = widths.pop()
        if width == each:
            return "".join(boxes)
        start = {2 * each - 1: 0, 2 * each + 1: 1}.get(width)
        if start is None or any(box[1 - start :: 2].strip() for box in boxes):
            return None
        return "".join(box[start::2] for box in boxes)

    def _bare(self, row: str) -> str | None:
        width = 2 * self.side - 1 if self.apart else self.side
        if "|" in row or (self.apart and row[1::2].strip()):
            return None
        return (row[::2] if self.apart else row) if len(row) == width else None
