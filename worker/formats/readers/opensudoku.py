"""Reads collections of the app OpenSudoku: XML with a `game` element for each puzzle.

The attribute `data` is 81 digits, or `version: N` and for each cell `value|...notes...|editable|`.
The values of editable cells were entered by the player, so they are not clues.
"""

from collections.abc import Iterable, Iterator
from itertools import dropwhile
from xml.parsers.expat import ExpatError, ParserCreate

from storage.values import Kind
from worker.formats import variants
from worker.formats.entry import Entry
from worker.formats.errors import MAX_QUOTE, FormatError, excerpt, label
from worker.formats.files.text import Line
from worker.formats.layout import DOUBTFUL, is_doubtful
from worker.sudoku.symbols import EMPTY

#: cells of each grid
CELLS = 81
#: fields of a cell in `data`: value, notes in one or two fields, and whether it is editable
FIELDS = (3, 4)
#: greatest length of a tag in characters; like the two limits below, far more than the app writes
MAX_TAG_CHARACTERS = 64 * 1024
#: greatest depth of nested tags
MAX_DEPTH = 50
#: greatest number of different names of tags and attributes, all of which the parser keeps
MAX_XML_NAMES = 500
#: tags that are neither games nor their folders; another one may add rules to the puzzles
ABOUT = {"opensudoku", "name", "author", "description", "comment", "created", "source", "note"}
ABOUT |= {"level", "sourceurl"}

#: the remedy in most errors of the XML
EXPORT_AGAIN = "export the puzzles again"


def read(source: Iterable[Line]) -> Iterator[Entry]:
    """Yield the games, labelled with their names or the names of their folders.

    Raises FormatError if the XML is damaged, declares a document type, or exceeds the limits.
    """
    parser = _GameParser()
    try:
        # XML allows nothing before its first tag.
        for line in dropwhile(lambda line: not line.has_content, source):
            yield from parser.feed(line)
        parser.close()
    except ExpatError as error:
        raise parser.refusal(f"the XML cannot be read ({error})") from error


class _GameParser:
    """Reads the `game` elements of an XML text that is given line by line."""

    def __init__(self) -> None:
        self._parser = ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._reject_doctype
        self._line = 1  #: the number of the last line
        self._folder: str | None = None
        self._games: list[Entry] = []  #: of that line
        self._depth = 0
        self._position = 0  #: the position that the parser has reached, in bytes
        self._pending = 0  #: number of characters given to the parser since it reached `_position`

    def feed(self, line: Line) -> list[Entry]:
        """Parse the next line, and return its games."""
        self._line, text = line.number, line.text + "\n"
        self._games = []
        self._parser.Parse(text, False)
        # Expat 2.6 and later give -1 while they wait for more of a long tag.
        position = max(self._position, self._parser.CurrentByteIndex)
        self._pending = self._pending + len(text) if position == self._position else 0
        self._position = position
        if self._pending > MAX_TAG_CHARACTERS:
            raise self.refusal(f"an XML tag of more than {MAX_TAG_CHARACTERS:,} characters")
        if self._depth > MAX_DEPTH:
            raise self.refusal(f"XML tags nested more than {MAX_DEPTH} deep")
        if len(self._parser.intern) > MAX_XML_NAMES:
            raise self.refusal(f"more than {MAX_XML_NAMES} names of XML tags and attributes")
        return self._games

    def close(self) -> None:
        """Parse the end of the text."""
        self._parser.Parse("", True)

    def refusal(self, why: str, remedy: str = EXPORT_AGAIN) -> FormatError:
        """Return the error for the last line."""
        return FormatError(why, line=self._line, remedy=remedy)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if tag == "folder":
            self._folder = attributes.get("name")
        elif tag == "game":
            self._games.append(_entry(self._line, attributes, self._folder))
        elif tag.lower() not in ABOUT:
            what = f"<{excerpt(tag, MAX_QUOTE)}> is no tag of ordinary sudokus"
            raise self.refusal(what, "remove it if the puzzles have no further rules")

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _reject_doctype(self, *_: object) -> None:
        # It could declare entities that expand without limit.
        why = "the XML declares a document type, which no puzzle needs"
        raise self.refusal(why, "remove <!DOCTYPE ...>")


def _entry(line: int, game: dict[str, str], folder: str | None) -> Entry:
    """Return the puzzle of a game, given its attributes and the name of its folder."""
    data = game.get("data", "")
    if (variant := variants.of_members(game.items())) is not None:
        return Entry.wrong(line, data, variant)
    grid = _clues(data) if data.startswith("version:") else data
    if is_doubtful(grid):
        return Entry.wrong(line, data, DOUBTFUL)
    grid = grid.replace("0", EMPTY)
    if len(grid) != CELLS or not set(grid) <= set(".123456789"):
        return Entry.wrong(line, data, f"`data` of this game is not a grid of {CELLS} cells")
    return Entry(line, label(game.get("name") or folder or ""), grid, kind=Kind.SUDOKU)


def _clues(data: str) -> str:
    """Return the grid of the cells that are not editable, or "" if `data` has another form.

    >>> _clues("version: 1 9|0|0|8|0|1|" + "0|0|1|" * 79)[:3]
    '9..'
    """
    fields = data.split(maxsplit=2)[-1].strip("|").split("|")
    width = next((width for width in FIELDS if width * CELLS == len(fields)), None)
    if width is None:
        return ""
    cells = zip(fields[::width], fields[width - 1 :: width], strict=True)
    return "".join(value if value != "0" and editable == "0" else "." for value, editable in cells)
