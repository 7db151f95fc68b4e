"""Which format an input has, by what its beginning says.

Each format says how many of the lines seen it can read.  One must fit and no other; what fits two
is refused with both names, since a wrong guess is worse than a question.  The file's name only
breaks ties.
"""

from worker.formats.detection import rejections
from worker.formats.detection.covers import fit_dlx, fit_matrix
from worker.formats.detection.grids import fit_lines, fit_rows, fit_spaced
from worker.formats.detection.sample import Head
from worker.formats.errors import FormatError
from worker.formats.layout import FORMATS, Layout, Reading
from worker.formats.readers import covers, jsonl, opensudoku


def detect(head: Head) -> Reading:
    """The one way to read the input, or FormatError."""
    if not head.content and head.asked != "dlx":
        raise FormatError(head.name, "no puzzle before `end`", cure="give at least one puzzle")
    named = head.name.endswith(".dlx")
    grids = not named and head.asked not in {"dlx", "matrix"}
    if grids and (marks := rejections.candidates(head)) is not None:
        raise marks
    if head.asked is not None:
        return _asked(head, head.asked)
    unmistakable = opensudoku.fits(head) or jsonl.fits(head) or fit_matrix(head)
    if unmistakable is not None:
        return unmistakable
    cover = fit_dlx(head, numeric=named)
    if cover is not None and named:
        return cover
    readings = [cover, fit_lines(head), fit_rows(head), fit_spaced(head)]
    fitting = [reading for reading in readings if reading is not None]
    if not fitting:
        raise rejections.not_understood(head, numeric_cover=fit_dlx(head, numeric=True) is not None)
    return _only(head, fitting)


def _only(head: Head, fitting: list[Reading]) -> Reading:
    best = max(fitting, key=lambda reading: reading.good)
    second = [r for r in fitting if r is not best and 2 * r.good > best.good]
    if second:
        raise rejections.two_readings(head, best.layout.format, second[0].layout.format)
    symbols = set("".join(line.text for line in head.body)) - set(" \t,;|")
    if best.layout.kind == "sudoku" and "1" in symbols and symbols <= {"0", "1"}:
        raise rejections.two_readings(head, best.layout.format, "matrix")
    if best.doubt is not None:
        raise best.doubt
    return best


def _asked(head: Head, asked: str) -> Reading:
    if asked == "dlx":
        return Reading(Layout("dlx", "cover"))
    if asked == "matrix":
        header = covers.matrix_header(head.content[0].text)
        sure = header is not None and not {0, 1}.issuperset(header)
        headed = sure or fit_matrix(head) is not None
        return Reading(Layout("matrix", "cover"), headed=headed)
    ways = {
        "lines": [fit_lines],
        "rows": [fit_rows],
        "spaced": [fit_spaced],
        "jsonl": [jsonl.fits],
        "opensudoku": [opensudoku.fits],
    }
    readings = [way(head) for way in ways.get(asked, [fit_lines, fit_rows, fit_spaced])]
    fitting = [reading for reading in readings if reading is not None]
    if not fitting:
        raise FormatError(
            head.name,
            f"nothing here reads as `{asked}` ({FORMATS[asked]})",
            line=head.content[0].number,
            cure="leave --from out to see what fits",
        )
    return max(fitting, key=lambda reading: reading.good)
