"""Matches grids with blanks for empty cells against the beginning of an input."""

from collections.abc import Collection
from dataclasses import replace

from worker.formats.detection.lines import match_lines
from worker.formats.detection.rows import match_rows
from worker.formats.detection.sample import Match, Reading, Sample
from worker.formats.files.cleaning import Blanks
from worker.formats.files.text import Line
from worker.sudoku.symbols import EMPTY, SIDES, VALUES

#: symbols of grids with blanks and frames
SYMBOLS = frozenset((" ", "|", *VALUES))


def match_blanks(sample: Sample, matches: Collection[Match]) -> Reading | None:
    """Match grids whose only symbol of an empty cell is a blank, if they can be read in one way.

    `matches` are the shapes of grids that are wanted: `match_rows`, `match_lines` or both.

    All rows must fit, and at least half of them must have a blank before a value.
    """
    if 2 * sum(SYMBOLS.issuperset(line.text) for line in sample.content) < len(sample.content):
        return None
    found: dict[tuple[str, ...], Reading] = {}
    for side in SIDES.values():
        for apart in (False, True):
            blanks = Blanks(side, apart)
            lines = [Line(number, blanks.filled_line(text)) for number, text in sample.lines]
            if side > 4 and (reading := _match(sample, lines, blanks, matches)) is not None:
                found.setdefault(tuple(line.text for line in lines), reading)
    return found.popitem()[1] if len(found) == 1 else None


def _match(
    sample: Sample, lines: list[Line], blanks: Blanks, matches: Collection[Match]
) -> Reading | None:
    filled = [
        now.text
        for now, before in zip(lines, sample.lines, strict=True)
        if now.text != before.text and EMPTY in now.text
    ]
    if not blanks.apart and all(set(text[1::2]) == {EMPTY} for text in filled):
        return None  # these are spaces between cells
    if not filled or 2 * sum(EMPTY in text.rstrip(EMPTY) for text in filled) < len(filled):
        return None
    for match in filter(matches.__contains__, (match_rows, match_lines)):
        found = match(replace(sample, lines=lines))
        if found is None or found.sides != (blanks.side,) or found.lines < len(filled):
            continue
        if match is match_lines or found.lines % blanks.side == 0 or not sample.complete:
            return found._replace(blanks=blanks)
    return None
