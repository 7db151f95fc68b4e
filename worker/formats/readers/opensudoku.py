"""OpenSudoku's collections: XML, a `game` a puzzle, in folders or not.

`data` is 81 digits, or `version: N` and for each cell `value|...notes...|editable|`; what is
editable was put there by the player and is no clue.
"""

from collections.abc import Iterable, Iterator
from xml.parsers.expat import ExpatError, ParserCreate

from storage.values import Kind
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.excerpt import MAX_LABEL, excerpt
from worker.formats.files.text import Line

CELLS = 81
#: fields of a cell: its value, notes in one or two fields, whether it may be edited
FIELDS = (3, 4)
#: what the parser keeps in memory: characters of a tag that does not end, tags in each other, and
#: different names of tags and attributes; the format itself needs far less
TAG, DEPTH, NAMES = 64 * 1024, 50, 500


def read(source: Iterable[Line], name: str) -> Iterator[Entry]:
    """The games, with their names or their folders' as labels."""
    games = _Games()
    number = 1
    try:
        for number, text in source:
            games.hear(text + "\n")
            yield from (_game(number, *found) for found in games.taken())
        games.parser.Parse("", True)
    except ExpatError as error:
        why = f"the XML cannot be read ({error})"
        raise FormatError(name, why, line=number, cure="export the puzzles anew") from error
    except _DoctypeError as error:
        why = "the XML declares a document type, which no puzzle needs"
        raise FormatError(name, why, line=number, cure="take <!DOCTYPE ...> out") from error
    except _NotOursError as error:
        raise FormatError(name, str(error), line=number, cure="export the puzzles anew") from error


class _NotOursError(Exception):
    """This goes beyond what OpenSudoku writes, and may go on for ever."""


class _DoctypeError(Exception):
    """A document type is declared, and with it perhaps entities: there is nothing to expand."""


class _Games:
    """The games that the parser has come across, with the name of their folder."""

    def __init__(self) -> None:
        self.parser = ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse
        self._folder: str | None = None
        self._found: list[tuple[dict[str, str], str | None]] = []
        self._depth = 0
        self._at, self._held = 0, 0  #: where the parser stands, and what it was given since

    def hear(self, text: str) -> None:
        """Parse some more; _NotOursError where that would fill the memory."""
        self.parser.Parse(text, False)
        at = self.parser.CurrentByteIndex
        self._held = self._held + len(text) if at == self._at else 0
        self._at = at
        if self._held > TAG:
            raise _NotOursError(f"more than {TAG:,} characters of XML without an end of their tag")
        if self._depth > DEPTH:
            raise _NotOursError(f"more than {DEPTH} XML tags in each other")
        if len(self.parser.intern) > NAMES:
            raise _NotOursError(f"more than {NAMES} different names of XML tags and attributes")

    def taken(self) -> list[tuple[dict[str, str], str | None]]:
        """Those that were not taken before."""
        found, self._found = self._found, []
        return found

    def _start(self, tag: str, told: dict[str, str]) -> None:
        self._depth += 1
        if tag == "folder":
            self._folder = told.get("name")
        elif tag == "game":
            self._found.append((told, self._folder))

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _refuse(self, *_: object) -> None:
        raise _DoctypeError


def _game(line: int, told: dict[str, str], folder: str | None) -> Entry:
    label = told.get("name") or folder
    data = told.get("data", "")
    grid = _clues(data) if data.startswith("version:") else data.replace("0", ".")
    if len(grid) != CELLS or not set(grid) <= set(".123456789"):
        why = f"`data` of this game is no grid of {CELLS} cells"
        return Entry(line, None, excerpt(data), why)
    name = excerpt(label)[:MAX_LABEL] if label else None
    return Entry(line, name, grid, kind=Kind.SUDOKU)


def _clues(data: str) -> str:
    """The cells that the player may not edit.

    >>> _clues("version: 1 9|0|0|8|0|1|" + "0|0|1|" * 79)[:3]
    '9..'
    """
    fields = data.split(maxsplit=2)[-1].strip("|").split("|")
    wide = next((wide for wide in FIELDS if wide * CELLS == len(fields)), None)
    if wide is None:
        return ""
    cells = zip(fields[::wide], fields[wide - 1 :: wide], strict=True)
    return "".join(value if value != "0" and fixed == "0" else "." for value, fixed in cells)
