"""Matches JSON Lines and OpenSudoku's XML against the beginning of an input."""

import re
from collections.abc import Callable, Iterable
from functools import partial

from storage.values import Kind
from worker.formats.detection import alphabets
from worker.formats.detection.alphabets import HEX_NAME, LETTERS_NAME, POSSIBLE, Alphabet
from worker.formats.detection.sample import Reading, Sample
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.layout import Layout
from worker.formats.readers import nested, objects
from worker.sudoku.symbols import SIDES, SYMBOLS

#: lines of an XML file within which its root element stands
ROOT_LINES = 20
#: the beginning of lists and objects: `[5`, `{`, `(5`, `grid = (`, `np.array([` and so on
LISTS = re.compile(r"([\w.\[\] ]+=\s*)?([\w.]*\(\s*)?[\[{](?!\w+\])|([\w. ]+=\s*)?\(\s*[\d\"'(\[]")
#: a beginning that no other format has
NESTED = re.compile(r"([\w. ]+=\s*)?[\[{]\s*([\[{(\"']|$)")
#: a text of at least 100 cells in quotes
LARGE_TEXT = re.compile(r"""["']([^"']{100,625})["']""")
#: values of --from that name an alphabet
ALPHABETS = {LETTERS_NAME, HEX_NAME}
#: a line before the lists in a file of Python
IMPORT = re.compile(r"(import|from)\s")


def match_jsonl(sample: Sample) -> Reading | None:
    """Match lines that are JSON objects with a puzzle in them."""
    if not sample.content[0].text.startswith("{"):
        return None
    return _of_values(sample, "jsonl", partial(objects.read, sample.content))


def match_json(sample: Sample) -> Reading | None:
    """Match lists and objects, of which the first may begin after `name =` or in a call."""
    texts = (line.text for line in sample.content if not IMPORT.match(line.text))
    first = next(texts, "")
    if not LISTS.match(first):
        return None
    try:
        found = _of_values(sample, "json", partial(nested.read, sample.lines, sample.name))
    except FormatError:
        found = None
    if found is None and sample.requested not in ALPHABETS and NESTED.match(first):
        return Reading(Layout("json", "sudoku", shape="lines"), 1)
    return found


def _alphabet(sample: Sample, name: str) -> Alphabet | None:
    """Return the alphabet of texts that can be grids beyond 9x9, or None if there are none."""
    found = (text for line in sample.content for text in LARGE_TEXT.findall(line.text))
    grids = [
        text for text in found if len(text) in SIDES and POSSIBLE[SIDES[len(text)]] >= set(text)
    ]
    if not grids:
        return None
    side = SIDES[max(map(len, grids))]
    return alphabets.choose(sample, name, side, set().union(*grids))


def _of_values(
    sample: Sample, name: str, read: Callable[[str | None], Iterable[Entry]]
) -> Reading | None:
    """Return the reading of what `read` finds with the alphabet of the sample.

    None if it finds errors only, or if --from names an alphabet that no text has.
    """
    alphabet = _alphabet(sample, name)
    found = read(alphabet.symbols if alphabet else None)
    entries = [entry for entry in found if entry.error is None]
    if not entries or (sample.requested in ALPHABETS and alphabet is None):
        return None
    cells = {entry.cells for entry in entries}
    kind = Kind.COVER if cells == {None} else Kind.SUDOKU
    size = SIDES.get(cells.pop() or 0) if len(cells) == 1 else None
    symbols = alphabet.symbols if alphabet else SYMBOLS[: (size or 9) + 1]
    layout = Layout(name, kind, size, symbols, shape="lines")
    return Reading(layout, len(entries), doubt=alphabet.doubt if alphabet else None)


def match_opensudoku(sample: Sample) -> Reading | None:
    """Match XML whose root element is `opensudoku`."""
    text = "".join(line.text for line in sample.content[:ROOT_LINES])
    if not text.startswith("<") or "<opensudoku" not in text:
        return None
    return Reading(Layout("opensudoku", "sudoku", 9, SYMBOLS[:10], shape="lines"), 1)
