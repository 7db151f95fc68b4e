"""Detects the format of an input from its first lines.

For each format the lines that it can read are counted.  Exactly one format must match: if two do,
the input is rejected with both names, since a wrong guess would go unnoticed.  The file's name
only breaks ties.
"""

from collections.abc import Collection

from worker.formats.detection import rejections
from worker.formats.detection.blanks import match_blanks
from worker.formats.detection.lines import match_lines
from worker.formats.detection.notations import (
    match_bare_matrix,
    match_dlx,
    match_json,
    match_jsonl,
    match_matrix,
    match_opensudoku,
    requested_matrix,
)
from worker.formats.detection.rows import match_rows, match_spaced
from worker.formats.detection.sample import Match, Reading, Sample
from worker.formats.errors import FormatError
from worker.formats.layout import FORMATS, Layout
from worker.formats.readers.judge_problems import CASES

#: what finds out each format whose name --from takes; `dlx` and the judges' are not in the table
MATCHES: dict[str, Match] = {
    "opensudoku": match_opensudoku,
    "jsonl": match_jsonl,
    "json": match_json,
    "matrix": match_matrix,
    "lines": match_lines,
    "rows": match_rows,
    "spaced": match_spaced,
}
#: formats that the first line identifies
UNMISTAKABLE = ("opensudoku", "jsonl", "json", "matrix")
#: formats of grids that only their cells identify
GRIDS = ("lines", "rows", "spaced")


def detect(sample: Sample) -> Reading:
    """Return how to read the input, or raise FormatError if no format matches, or several do."""
    if sample.requested in CASES:
        return Reading(Layout(sample.requested, "cover"))
    if not sample.content and sample.requested != "dlx":
        raise FormatError(sample.name, "no puzzle before `end`", remedy="give at least one puzzle")
    named_dlx = sample.name.endswith(".dlx")
    if not named_dlx and sample.requested not in {"dlx", "matrix"}:
        rejections.reject_pencil_marks(sample)
    if sample.requested is not None:
        return _requested(sample, sample.requested)
    for name in UNMISTAKABLE:
        if (reading := MATCHES[name](sample)) is not None:
            return _undoubted(reading)
    cover = match_dlx(sample, numeric=named_dlx)
    if cover is not None and named_dlx:
        return cover
    if not sample.plain.content:
        raise FormatError(sample.name, "contains nothing but markup", remedy="give a puzzle")
    readings = [cover, *_grids(sample.plain, GRIDS)]
    return _only(sample.plain, [reading for reading in readings if reading is not None])


def _requested(sample: Sample, requested: str) -> Reading:
    """Return how to read the input with this --from, or raise FormatError."""
    if requested == "dlx":
        return Reading(Layout("dlx", "cover"))
    if requested == "matrix":
        return requested_matrix(sample)
    if requested in GRIDS:
        readings = _grids(sample.plain, (requested,))
    elif requested in UNMISTAKABLE:
        readings = [MATCHES[requested](sample)]
    else:  # an alphabet
        readings = [match_jsonl(sample), match_json(sample), *_grids(sample.plain, GRIDS)]
    matching = [reading for reading in readings if reading is not None]
    if not matching:
        raise FormatError(
            sample.name,
            f"nothing here is in the format `{requested}` ({FORMATS[requested]})",
            line=sample.content[0].number,
            remedy="omit --from to detect the format",
        )
    return max(matching, key=lambda reading: reading.lines)


def _grids(plain: Sample, names: Collection[str]) -> list[Reading | None]:
    """Return the readings as grids; if none reads as many lines, that of grids with blanks."""
    matches = [MATCHES[name] for name in names]
    readings = [match(plain) for match in matches]
    most = max((reading.lines for reading in readings if reading is not None), default=0)
    blanks = match_blanks(plain, matches) if most < len(plain.body) else None
    return readings if blanks is None or blanks.lines <= most else [blanks]


def _can_be_grids(sample: Sample, reading: Reading) -> bool:
    """Return whether an input may have all rows of its grids."""
    is_row = reading.layout.shape != "lines"
    return not (is_row and sample.complete and reading.lines % reading.sides[0])


def _only(sample: Sample, readings: list[Reading]) -> Reading:
    """Return the reading with most lines, or raise FormatError.

    FormatError if there is no reading, or another one reads more than half as many lines.
    """
    matrix = match_bare_matrix(sample)
    if not readings:
        is_cover = match_dlx(sample, numeric=True) is not None
        if matrix is None or is_cover:
            raise rejections.unknown(sample, numeric_cover=is_cover)
        return matrix
    best = max(readings, key=lambda reading: reading.lines)
    layout = best.layout
    for other in readings:
        if other is not best and 2 * other.lines > best.lines:
            raise rejections.ambiguous(sample, layout.format, other.layout.format)
    symbols = set("".join(line.text for line in sample.body)) - set(" \t,;|")
    if layout.kind == "sudoku" and "1" in symbols and symbols <= {"0", "1"}:
        if matrix is not None and not _can_be_grids(sample, best):
            return matrix
        raise rejections.ambiguous(sample, layout.format, "matrix")
    return _undoubted(best)


def _undoubted(reading: Reading) -> Reading:
    if reading.doubt is not None:
        raise reading.doubt
    return reading
