"""Matches the formats of exact covers against the beginning of an input."""

from worker.formats.detection.sample import Reading, Sample
from worker.formats.layout import Layout
from worker.formats.readers.dlx import Items, content_lines
from worker.formats.readers.matrix import FLOAT, InvalidLineError, matrix_row, matrix_size
from worker.formats.symbols import EMPTY_SYMBOLS

#: an item that consists of these symbols could be the cells of a grid
CELL_SYMBOLS = frozenset("0123456789" + EMPTY_SYMBOLS)


def match_matrix(sample: Sample) -> Reading | None:
    """Match a line `n m`, followed by rows of m entries 0 or 1."""
    header = matrix_size(sample.content[0].text)
    if header is None or ({0, 1}.issuperset(header) and match_bare_matrix(sample) is not None):
        return None
    rows, columns = header
    following = sample.content[1 : 1 + rows]
    if not following and rows:
        return None
    entries = [matrix_row(line.text) for line in following]
    good = sum(len(row) == columns and {"0", "1"}.issuperset(row) for row in entries)
    if 2 * good < len(following) or (following and not good):
        return None
    return Reading(Layout("matrix", "cover"), good + 1)


def match_bare_matrix(sample: Sample) -> Reading | None:
    """Match two or more rows of 0 and 1, all of one length, without a line `n m` before them."""
    rows = [matrix_row(line.text) for line in sample.content]
    if len(rows) < 2 or len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return None
    if not all({"0", "1"}.issuperset(row) for row in rows):
        return None
    return Reading(Layout("matrix", "cover"), len(rows), headed=False)


def requested_matrix(sample: Sample) -> Reading:
    """Return how to read a matrix with --from matrix: with or without a line `n m` before its rows.

    A first line of two numbers announces the size unless both are 0 or 1: then it does so only if
    the following rows are of that size.
    """
    header = matrix_size(sample.content[0].text)
    is_size = header is not None and not {0, 1}.issuperset(header)
    return Reading(Layout("matrix", "cover"), headed=is_size or match_matrix(sample) is not None)


def match_dlx(sample: Sample, *, numeric: bool) -> Reading | None:
    """Match a line of items, followed by options of these items.

    Items that could all be cells of a grid match only if `numeric`.
    """
    content = list(content_lines(sample.lines))
    try:
        items = set(Items.of(content[0]).names) if content else set()
    except InvalidLineError:
        return None
    if len(items) < 2 or (not numeric and all(map(_could_be_cells, items))):
        return None
    good = sum(_is_option(line.text.split(), items) for line in content[1:])
    if not good or 2 * good < len(content) - 1:
        return None
    return Reading(Layout("dlx", "cover"), good + 1)


def _could_be_cells(item: str) -> bool:
    return CELL_SYMBOLS.issuperset(item) or FLOAT.fullmatch(item) is not None


def _is_option(words: list[str], items: set[str]) -> bool:
    return all(
        word.split(":")[0] in items or (word[0] == "|" and word[1:].isdecimal()) for word in words
    )
