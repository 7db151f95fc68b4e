"""How well the formats of exact covers match the beginning of an input."""

from worker.formats.detection.candidate import Candidate
from worker.formats.detection.sample import Head
from worker.formats.layout import Layout, Reading
from worker.formats.readers import covers
from worker.formats.symbols import EMPTY_SYMBOLS

#: an item of nothing but these symbols could be the cells of a grid
CELL_SYMBOLS = frozenset("0123456789" + EMPTY_SYMBOLS)


def match_matrix(head: Head) -> Candidate | None:
    """Match a line `n m`, followed by rows of m entries 0 or 1."""
    header = covers.matrix_header(head.content[0].text)
    if header is None:
        return None
    rows, columns = header
    following = head.content[1 : 1 + rows]
    if not following and rows:
        return None
    entries = [covers.matrix_row(line.text) for line in following]
    good = sum(len(row) == columns and {"0", "1"}.issuperset(row) for row in entries)
    if 2 * good < len(following) or (following and not good):
        return None
    return Candidate(Reading(Layout("matrix", "cover")), good + 1)


def requested_matrix(head: Head) -> Reading:
    """How a matrix is to be read with --from matrix: with or without a line `n m` before its rows.

    A first line of two numbers announces the size unless both are 0 or 1: then it does so only if
    the following rows are of that size.
    """
    header = covers.matrix_header(head.content[0].text)
    is_size = header is not None and not {0, 1}.issuperset(header)
    return Reading(Layout("matrix", "cover"), headed=is_size or match_matrix(head) is not None)


def match_dlx(head: Head, *, numeric: bool) -> Candidate | None:
    """Match a line of items, followed by options of these items.

    Items that could all be cells of a grid match only if `numeric`.
    """
    content = list(covers.dlx_lines(head.lines))
    try:
        primary, secondary = covers.dlx_items(content[0]) if content else ([], [])
    except covers.CoverFault:
        return None
    items = {*primary, *secondary}
    if len(items) < 2 or (not numeric and all(map(_could_be_cells, items))):
        return None
    good = sum(_is_option(line.text.split(), items) for line in content[1:])
    if not good or 2 * good < len(content) - 1:
        return None
    return Candidate(Reading(Layout("dlx", "cover")), good + 1)


def _could_be_cells(item: str) -> bool:
    return CELL_SYMBOLS.issuperset(item) or covers.FLOAT.fullmatch(item) is not None


def _is_option(words: list[str], items: set[str]) -> bool:
    return all(
        word.split(":")[0] in items or (word[0] == "|" and word[1:].isdecimal()) for word in words
    )
