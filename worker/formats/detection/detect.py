"""Detects the format of an input from its first lines.

For each format the lines that it can read are counted.  Exactly one format must match: if two do,
the input is rejected with both names, since a wrong guess would go unnoticed.  The file's name
only breaks ties.
"""

from worker.formats.detection import rejections
from worker.formats.detection.blanks import match_blanks
from worker.formats.detection.candidate import Candidate, Match
from worker.formats.detection.covers import (
    match_bare_matrix,
    match_dlx,
    match_matrix,
    requested_matrix,
)
from worker.formats.detection.lines import match_lines
from worker.formats.detection.rows import match_rows, match_spaced
from worker.formats.detection.sample import Sample
from worker.formats.detection.structured import match_json, match_jsonl, match_opensudoku
from worker.formats.errors import FormatError
from worker.formats.layout import FORMATS, Layout
from worker.formats.readers.judge_problems import CASES
from worker.formats.readers.reading import Reading

#: formats that the first line identifies
UNMISTAKABLE: tuple[Match, ...] = (match_opensudoku, match_jsonl, match_json, match_matrix)
#: formats of grids that only their cells identify
GRIDS: tuple[Match, ...] = (match_lines, match_rows, match_spaced)
#: the formats for the values of --from that name a shape of grids
REQUESTED_GRIDS: dict[str, tuple[Match, ...]] = {
    "lines": (match_lines,),
    "rows": (match_rows,),
    "spaced": (match_spaced,),
}
#: the format for each other value of --from, except for covers
REQUESTED: dict[str, Match] = {
    "jsonl": match_jsonl,
    "json": match_json,
    "opensudoku": match_opensudoku,
}


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
    for match in UNMISTAKABLE:
        if (candidate := match(sample)) is not None:
            return _undoubted(candidate)
    cover = match_dlx(sample, numeric=named_dlx)
    if cover is not None and named_dlx:
        return cover.reading
    if not sample.plain.content:
        raise FormatError(sample.name, "contains nothing but markup", remedy="give a puzzle")
    candidates = [cover, *_grids(sample.plain, GRIDS)]
    return _only(sample.plain, [candidate for candidate in candidates if candidate is not None])


def _requested(sample: Sample, requested: str) -> Reading:
    """Return how to read the input with this --from, or raise FormatError."""
    if requested == "dlx":
        return Reading(Layout("dlx", "cover"))
    if requested == "matrix":
        return requested_matrix(sample)
    if requested in REQUESTED:
        candidates = [REQUESTED[requested](sample)]
    elif requested in REQUESTED_GRIDS:
        candidates = _grids(sample.plain, REQUESTED_GRIDS[requested])
    else:
        candidates = [match_jsonl(sample), match_json(sample), *_grids(sample.plain, GRIDS)]
    matching = [candidate for candidate in candidates if candidate is not None]
    if not matching:
        raise FormatError(
            sample.name,
            f"nothing here is in the format `{requested}` ({FORMATS[requested]})",
            line=sample.content[0].number,
            remedy="omit --from to detect the format",
        )
    return max(matching, key=lambda candidate: candidate.lines).reading


def _grids(plain: Sample, matches: tuple[Match, ...]) -> list[Candidate | None]:
    """Return the candidates for grids; if none reads as many lines, that of grids with blanks."""
    candidates = [match(plain) for match in matches]
    most = max((candidate.lines for candidate in candidates if candidate is not None), default=0)
    blanks = match_blanks(plain, matches) if most < len(plain.body) else None
    return candidates if blanks is None or blanks.lines <= most else [blanks]


def _can_be_grids(sample: Sample, candidate: Candidate) -> bool:
    """Return whether an input may have all rows of its grids."""
    is_row = candidate.reading.layout.shape != "lines"
    return not (is_row and sample.complete and candidate.lines % candidate.reading.sides[0])


def _only(sample: Sample, candidates: list[Candidate]) -> Reading:
    """Return the reading of the candidate with most lines, or raise FormatError.

    FormatError if there is no candidate, or another one reads more than half as many lines.
    """
    matrix = match_bare_matrix(sample)
    if not candidates:
        is_cover = match_dlx(sample, numeric=True) is not None
        if matrix is None or is_cover:
            raise rejections.unknown(sample, numeric_cover=is_cover)
        return matrix.reading
    best = max(candidates, key=lambda candidate: candidate.lines)
    layout = best.reading.layout
    for other in candidates:
        if other is not best and 2 * other.lines > best.lines:
            raise rejections.ambiguous(sample, layout.format, other.reading.layout.format)
    symbols = set("".join(line.text for line in sample.body)) - set(" \t,;|")
    if layout.kind == "sudoku" and "1" in symbols and symbols <= {"0", "1"}:
        if matrix is not None and not _can_be_grids(sample, best):
            return matrix.reading
        raise rejections.ambiguous(sample, layout.format, "matrix")
    return _undoubted(best)


def _undoubted(candidate: Candidate) -> Reading:
    if candidate.doubt is not None:
        raise candidate.doubt
    return candidate.reading
