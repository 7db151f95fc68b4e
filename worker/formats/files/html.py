"""Turns the tables of an HTML page into lines of CSV, which are then read like those of a file.

A page without tables stays as it is.  Other texts of a page with tables are lines of their own.
"""

import codecs
from collections.abc import Iterator
from html.parser import HTMLParser

from worker.formats.errors import FormatError
from worker.formats.files.text import Readable, one_line, pieces_of
from worker.formats.names import HTML_HEADING

#: greatest length of a tag in characters
MAX_TAG_CHARACTERS = 1 << 20
#: characters of text after which a cell ends
MAX_TEXT_CHARACTERS = 1 << 16
#: tags whose texts are not shown
_HIDDEN = frozenset({"script", "style", "head", "template"})


def lines(content: Readable) -> Iterator[bytes]:
    """Yield a line for each row of the tables, many at a time; raise FormatError for no HTML."""
    page = _Page()
    yield f"{HTML_HEADING}\n".encode()
    place, waiting = page.getpos(), 0
    for text in codecs.iterdecode(pieces_of(content), "utf-8", "replace"):
        page.feed(text)
        waiting = waiting + len(text) if page.getpos() == place else 0
        place = page.getpos()
        if waiting > MAX_TAG_CHARACTERS:
            what = f"has a tag of more than {MAX_TAG_CHARACTERS:,} characters"
            raise FormatError(what, remedy="save its table as CSV")
        yield page.taken()
    page.close()
    yield page.taken()


class _Page(HTMLParser):
    """Collects lines; the cells of a row are the values of one."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []
        self._row: list[str] = []  #: the cells of the row so far
        self._text = ""  #: of the cell, or between cells, so far
        self._in_cell = False
        self._hidden = 0  #: open tags whose texts are not shown

    def taken(self) -> bytes:
        """Return the lines since the last call."""
        found = "".join(f"{line}\n" for line in self._lines)
        self._lines = []
        return found.encode(errors="replace")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._begin_or_end(tag)
        if tag in {"td", "th"}:
            self._in_cell = True
        elif tag in _HIDDEN:
            self._hidden += 1
        elif tag == "input" and self._in_cell:  # of a page to play on
            self.handle_data(dict(attrs).get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self._begin_or_end(tag)
        if tag == "table":
            self._lines.append("")
        elif tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text += data
        if len(self._text) > MAX_TEXT_CHARACTERS:
            self._end_text()

    def close(self) -> None:
        super().close()
        self._begin_or_end("table")

    def _begin_or_end(self, tag: str) -> None:
        if tag in {"td", "th", "tr", "table"}:
            self._end_text()
        elif tag in {"br", "p", "div", "li", "pre"}:
            self._text += "\n"
        if tag in {"tr", "table"} and self._row:
            self._lines.append(",".join(self._row))
            self._row = []

    def _end_text(self) -> None:
        text, self._text = self._text, ""
        if self._in_cell:
            self._row.append(one_line(text).replace(",", " "))
            self._in_cell = False
        else:
            self._lines += [line for line in map(str.strip, text.splitlines()) if line]
