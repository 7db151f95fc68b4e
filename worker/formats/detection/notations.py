"""Matches JSON, XML and the notations of exact covers against the beginning of an input."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from storage.values import Kind
from worker.formats.detection import alphabets
from worker.formats.detection.alphabets import POSSIBLE, VALUE_RANGES, Alphabet
from worker.formats.detection.sample import Reading, Sample
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.files.text import Line
from worker.formats.layout import CELL_SYMBOLS, Layout
from worker.formats.names import HTML_HEADING
from worker.formats.readers import covers, mps, nested, objects, opensudoku, published
from worker.sudoku.symbols import SIDES, SYMBOLS

#: yields the puzzles in lines of JSON or of lists, given also the symbols of texts beyond 9x9
ValueReader = Callable[[Iterable[Line], str | None], Iterator[Entry]]
#: lines of an XML file within which its root element stands
ROOT_LINES = 20
#: the beginning of lists and objects: `[5`, `{`, `(5`, `grid = (`, `np.array([` and so on
LISTS = re.compile(r"([\w.\[\] ]+=\s*)?([\w.]*\(\s*)?[\[{](?!\w+\])|([\w. ]+=\s*)?\(\s*[\d\"'(\[]")
#: a beginning that no other format has
NESTED = re.compile(r"([\w. ]+=\s*)?[\[{]\s*([\[{(\"']|$)")
#: a text of at least 100 cells in quotes
LARGE_TEXT = re.compile(r"""["']([^"']{100,625})["']""")
#: how files of other programs begin, what they are, and what to do
OTHERS = (
    (
        re.compile(r"p\s+w?cnf\s+\d+\s+\d+\s*$"),
        "is a DIMACS file of clauses, not a puzzle",
        "write an exact cover in Knuth's notation or as a matrix",
    ),
    (
        re.compile(rf"\s*<(!doctype\s+html|html|table)\b|{re.escape(HTML_HEADING)}", re.IGNORECASE),
        "is an HTML page without a table of puzzles",
        "write a line for each puzzle",
    ),
)
#: the line that names a published problem; the lines of MPS within which its rows begin; a line of
#: numbers
PROBLEM = re.compile(rf"p\s+({'|'.join(published.PROBLEMS)})\s+\d+(\s+\d+)?\s*$")
MPS_LINES = 5
NUMBERS = re.compile(r"[0-9\s]+")
#: a line before the lists in a file of Python
IMPORT = re.compile(r"(import|from)\s")


def of_another_program(sample: Sample) -> FormatError | None:
    """Return the error for a notation that is never read, by its name."""
    for line in sample.lines[:ROOT_LINES]:
        for pattern, what, remedy in OTHERS:
            if pattern.match(line.text):
                return FormatError(what, line=line.number, remedy=remedy)
    return None


def match_jsonl(sample: Sample) -> Reading | None:
    """Match lines that are JSON objects with a puzzle in them."""
    if not sample.content[0].text.startswith("{"):
        return None
    return _of_values(sample, "jsonl", sample.content, objects.read)


def match_json(sample: Sample) -> Reading | None:
    """Match lists and objects, of which the first may begin after `name =` or in a call."""
    texts = (line.text for line in sample.content if not IMPORT.match(line.text))
    first = next(texts, "")
    if not LISTS.match(first):
        return None
    try:
        found = _of_values(sample, "json", sample.lines, nested.read)
    except FormatError:
        found = None
    if found is None and sample.requested not in VALUE_RANGES and NESTED.match(first):
        read = partial(nested.read, alphabet=None)
        return Reading(Layout("json", "sudoku", shape="lines"), read, 1)
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


def _of_values(sample: Sample, name: str, lines: list[Line], read: ValueReader) -> Reading | None:
    """Return the reading of what `read` finds in these lines with the alphabet of the sample.

    None if it finds errors only, or if --from names an alphabet that no text has.
    """
    alphabet = _alphabet(sample, name)
    found = read(lines, alphabet.symbols if alphabet else None)
    entries = [entry for entry in found if entry.error is None]
    if not entries or (sample.requested in VALUE_RANGES and alphabet is None):
        return None
    cells = {entry.cells for entry in entries}
    kind = Kind.COVER if cells == {None} else Kind.SUDOKU
    size = SIDES.get(cells.pop() or 0) if len(cells) == 1 else None
    symbols = alphabet.symbols if alphabet else SYMBOLS[: (size or 9) + 1]
    layout, doubt = Layout(name, kind, size, symbols, shape="lines"), alphabet and alphabet.doubt
    return Reading(layout, lambda some: read(some, symbols), len(entries), doubt=doubt)


def match_published(sample: Sample) -> Reading | None:
    """Match a line `p` that names a problem, after comments."""
    texts = (line.text for line in sample.content if line.text.split()[0] != "c")
    problem = PROBLEM.match(next(texts, ""))
    name = published.PROBLEMS[problem[1]][0] if problem else None
    if name is None or sample.requested not in {None, name}:
        return None
    return Reading(Layout(name, "cover"), published.read_problem, 1)


def match_mps(sample: Sample) -> Reading | None:
    """Match a section ROWS, after comments and the name."""
    texts = [line.text for line in sample.content if not line.text.startswith("*")]
    if not any(text.split() == ["ROWS"] for text in texts[:MPS_LINES]):
        return None
    return Reading(Layout("mps", "cover"), mps.read, 1)


def match_numbers(sample: Sample) -> Reading | None:
    """Match numbers in a file whose name begins with that of their form, as `scp41.txt`."""
    name = sample.name.rpartition("/")[2].lower()
    of_name = next((one for one in published.NUMBERS if name.startswith(one)), None)
    if of_name is None or not all(map(NUMBERS.fullmatch, (line.text for line in sample.content))):
        return None
    return Reading(Layout(of_name, "cover"), partial(published.read_numbers, format=of_name), 1)


def match_opensudoku(sample: Sample) -> Reading | None:
    """Match XML whose root element is `opensudoku`."""
    text = "".join(line.text for line in sample.content[:ROOT_LINES])
    if not text.startswith("<") or "<opensudoku" not in text:
        return None
    layout = Layout("opensudoku", "sudoku", 9, SYMBOLS[:10], shape="lines")
    return Reading(layout, opensudoku.read, 1)


def match_matrix(sample: Sample) -> Reading | None:
    """Match a line `n m`, followed by rows of m entries 0 or 1."""
    header = covers.matrix_size(sample.content[0].text)
    if header is None or ({0, 1}.issuperset(header) and match_bare_matrix(sample) is not None):
        return None
    rows, columns = header
    following = sample.content[1 : 1 + rows]
    if not following and rows:
        return None
    entries = [covers.matrix_row(line.text) for line in following]
    good = sum(len(row) == columns and {"0", "1"}.issuperset(row) for row in entries)
    if 2 * good < len(following) or (following and not good):
        return None
    return Reading(Layout("matrix", "cover"), partial(covers.read_matrices, headed=True), good + 1)


def match_bare_matrix(sample: Sample) -> Reading | None:
    """Match two or more rows of 0 and 1, all of one length, without a line `n m` before them."""
    rows = [covers.matrix_row(line.text) for line in sample.content]
    if len(rows) < 2 or len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return None
    if not all({"0", "1"}.issuperset(row) for row in rows):
        return None
    return Reading(
        Layout("matrix", "cover"), partial(covers.read_matrices, headed=False), len(rows)
    )


def requested_matrix(sample: Sample) -> Reading:
    """Return how to read a matrix with --from matrix: with or without a line `n m` before its rows.

    A first line of two numbers announces the size unless both are 0 or 1: then it does so only if
    the following rows are of that size.
    """
    header = covers.matrix_size(sample.content[0].text)
    is_size = header is not None and not {0, 1}.issuperset(header)
    headed = is_size or match_matrix(sample) is not None
    return Reading(Layout("matrix", "cover"), partial(covers.read_matrices, headed=headed))


def match_dlx(sample: Sample, *, numeric: bool) -> Reading | None:
    """Match a line of items, followed by options of these items.

    covers.Items that could all be cells of a grid match only if `numeric`.
    """
    content = list(covers.content_lines(sample.lines))
    try:
        items = set(covers.Items(content[0].text).names) if content else set()
    except covers.InvalidLineError:
        return None
    if len(items) < 2 or (not numeric and all(map(_could_be_cells, items))):
        return None
    good = sum(_is_option(line.text.split(), items) for line in content[1:])
    if not good or 2 * good < len(content) - 1:
        return None
    return Reading(Layout("dlx", "cover"), covers.read_dlx, good + 1)


def _could_be_cells(item: str) -> bool:
    return CELL_SYMBOLS.issuperset(item) or covers.FLOAT.fullmatch(item) is not None


def _is_option(words: list[str], items: set[str]) -> bool:
    return all(
        word.split(":")[0] in items or (word[0] == "|" and covers.COST.fullmatch(word, 1))
        for word in words
    )
