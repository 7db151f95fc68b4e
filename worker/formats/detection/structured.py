"""Matches JSON Lines and OpenSudoku's XML against the beginning of an input."""

from storage.values import Kind
from worker.formats.detection.candidate import Candidate
from worker.formats.detection.sample import Sample
from worker.formats.layout import Layout
from worker.formats.readers import jsonl
from worker.formats.readers.reading import Reading
from worker.sudoku.symbols import SIDES, SYMBOLS

#: lines of an XML file within which its root element stands
ROOT_LINES = 20


def match_jsonl(sample: Sample) -> Candidate | None:
    """Match lines that are JSON objects with a puzzle in them."""
    if not sample.content or not sample.content[0].text.startswith("{"):
        return None
    entries = [entry for entry in jsonl.read(sample.content) if entry.error is None]
    if not entries:
        return None
    cells = {entry.cells for entry in entries}
    kind = Kind.COVER if cells == {None} else Kind.SUDOKU
    size = SIDES.get(cells.pop() or 0) if len(cells) == 1 else None
    layout = Layout("jsonl", kind, size, SYMBOLS[: (size or 9) + 1], shape="lines")
    return Candidate(Reading(layout), len(entries))


def match_opensudoku(sample: Sample) -> Candidate | None:
    """Match XML whose root element is `opensudoku`."""
    text = "".join(line.text for line in sample.lines[:ROOT_LINES])
    if not text.lstrip().startswith("<") or "<opensudoku" not in text:
        return None
    return Candidate(Reading(Layout("opensudoku", "sudoku", 9, SYMBOLS[:10], shape="lines")), 1)
