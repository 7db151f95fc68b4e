"""How well the cover formats fit the beginning of an input."""

from worker.formats.detection.sample import Head
from worker.formats.layout import Layout, Reading
from worker.formats.readers import covers
from worker.formats.symbols import EMPTY_SYMBOLS

#: symbols of a word that could be cells
CELLS = frozenset("0123456789" + EMPTY_SYMBOLS)


def fit_matrix(head: Head) -> Reading | None:
    """`n m`, then rows of m entries 0 or 1."""
    header = covers.matrix_header(head.content[0].text)
    if header is None:
        return None
    rows, columns = header
    seen = head.content[1 : 1 + rows]
    if not seen and rows:
        return None
    entries = [covers.matrix_row(line.text) for line in seen]
    good = sum(len(row) == columns and {"0", "1"}.issuperset(row) for row in entries)
    if 2 * good < len(seen) or (seen and not good):
        return None
    return Reading(Layout("matrix", "cover"), good + 1)


def fit_dlx(head: Head, *, numeric: bool) -> Reading | None:
    """A line of items and options made of them; `numeric`: even if the items could be cells."""
    content = list(covers.dlx_lines(head.lines))
    try:
        primary, secondary = covers.dlx_items(content[0]) if content else ([], [])
    except covers.CoverFault:
        return None
    items = {*primary, *secondary}
    if len(items) < 2 or (not numeric and all(map(_is_number, items))):
        return None
    good = sum(_is_option(line.text.split(), items) for line in content[1:])
    if not good or 2 * good < len(content) - 1:
        return None
    return Reading(Layout("dlx", "cover"), good + 1)


def _is_number(item: str) -> bool:
    return CELLS.issuperset(item) or covers.FLOAT.fullmatch(item) is not None


def _is_option(words: list[str], items: set[str]) -> bool:
    return all(
        word.split(":")[0] in items or (word[0] == "|" and word[1:].isdecimal()) for word in words
    )
