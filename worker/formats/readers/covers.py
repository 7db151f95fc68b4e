"""Exact covers: Knuth's text, and matrices of 0 and 1."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from storage.values import Kind
from worker.covers.text import MAX_COST
from worker.formats.cover import Colours, Options
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.excerpt import excerpt
from worker.formats.files.text import Line

#: characters a cover problem may have; beyond it neither queue nor database would take it
LARGEST = 32 * 1024 * 1024
#: what stands behind the `|` of a cost
NUMBER = re.compile("[0-9]+")
#: 0 and 1 as `numpy.savetxt` writes them if nobody says otherwise
FLOAT = re.compile(r"\b([01])\.0*e\+00\b")


class CoverFault(Exception):
    """Why a text is no cover problem; the message is excerpt to the user."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(f"line {line}: {what}")


# -- Knuth's text


def read_dlx(source: Iterable[Line], name: str) -> Iterator[Entry]:
    """The one problem of a Knuth text: a line of items, then an option a line."""
    content = _bounded(dlx_lines(source), name)
    header = next(content, None)
    if header is None:
        raise FormatError(name, "holds nothing but comments", cure="give items and options")
    try:
        primary, secondary = dlx_items(header)
        numbers = {item: number for number, item in enumerate(primary + secondary, 1)}
        options = Options()
        for line in content:
            options.add(*dlx_option(line, numbers, len(primary)))
            _refuse_too_large(options, name, line.number)
    except CoverFault as fault:
        for _ in content:  # a NUL byte further down is still found
            pass
        yield Entry(header.number, None, excerpt(header.text), str(fault))
        return
    text = options.text(len(primary), len(secondary), primary + secondary)
    yield Entry(header.number, None, text, kind=Kind.COVER, costs=options.costly)


def dlx_lines(source: Iterable[Line]) -> Iterator[Line]:
    """The lines that are neither blank nor a comment (`|`, and `#` above the items)."""
    begun = False
    for line in source:
        text = line.text.strip()
        if not text or text.startswith("|") or (not begun and text.startswith("#")):
            continue
        begun = True
        yield line


def dlx_items(line: Line) -> tuple[list[str], list[str]]:
    """The primary and the secondary items; CoverFault where the line is none of items."""
    words = line.text.split()
    bars = words.count("|")
    if bars > 1:
        raise CoverFault("two `|` among the items; one parts primary from secondary", line.number)
    at = words.index("|") if bars else len(words)
    primary, secondary = words[:at], words[at + 1 :]
    items = primary + secondary
    if len(set(items)) < len(items):
        twice = Counter(items).most_common(1)[0][0]
        raise CoverFault(f"item `{excerpt(twice)}` is there twice", line.number)
    odd = next((item for item in items if ":" in item or "|" in item), None)
    if odd is not None:
        raise CoverFault(f"`{excerpt(odd)}` is no item; names have no `:` and `|`", line.number)
    if not primary:
        raise CoverFault("no primary item, so nothing to cover", line.number)
    return primary, secondary


def dlx_option(
    line: Line, numbers: dict[str, int], primary: int
) -> tuple[list[int], int | None, Colours]:
    """The numbers of an option's items, its cost, and colours; CoverFault where it has others."""
    words = line.text.split()
    cost, colours = None, []
    if "|" in line.text:
        cost = _cost([word for word in words if word.startswith("|")], line.number)
        words = [word for word in words if not word.startswith("|")]
    if ":" in line.text:
        named = [word.partition(":") for word in words]
        words = [word for word, _, _ in named]
        colours = [
            (_coloured(word, numbers, primary, line.number), _colour(word, colour, line.number))
            for word, mark, colour in named
            if mark
        ]
    try:
        option = [numbers[word] for word in words]
    except KeyError as missing:
        raise CoverFault(_strange(missing.args[0]), line.number) from None
    if len(set(option)) < len(option):
        raise CoverFault("an item is there twice in this option", line.number)
    return option, cost, colours


def _coloured(word: str, numbers: dict[str, int], primary: int, line: int) -> int:
    """The number of an item that may have a colour."""
    if numbers.get(word, 0) > primary:
        return numbers[word]
    if word in numbers:
        raise CoverFault(f"`{excerpt(word)}` is primary; only secondary items have colours", line)
    raise CoverFault(_strange(word), line)


def _colour(word: str, colour: str, line: int) -> str:
    if not colour or ":" in colour:
        raise CoverFault(f"`{excerpt(word)}:{excerpt(colour)}` names no colour, such as x:1", line)
    return colour


def _cost(words: list[str], line: int) -> int | None:
    """What an option costs: all of `|3 |4` together."""
    for word in words:
        if not NUMBER.fullmatch(word, 1):
            what = "is no cost; a cost is `|` and a whole number from 0 on"
            raise CoverFault(f"`{excerpt(word)}` {what}", line)
    # a number of more digits than the largest is too large, and may be too long for `int`
    most = len(str(MAX_COST))
    cost = sum(int((word[1:].lstrip("0") or "0")[: most + 1]) for word in words)
    if cost > MAX_COST:
        raise CoverFault(f"this option costs more than {MAX_COST:,}", line)
    return cost if words else None


def _strange(word: str) -> str:
    if "|" in word:
        return f"`{excerpt(word)}` is no item of the first line; a space parts a cost from an item"
    return f"`{excerpt(word)}` is no item of the first line"


# -- matrices


def read_matrix(source: Iterable[Line], name: str, *, headed: bool) -> Iterator[Entry]:
    """Matrices one after another: `n m` and n rows each, or (not headed) up to a blank line."""
    rest = iter(source)
    one = _headed if headed else _headless
    while (problem := one(_bounded(rest, name), name)) is not None:
        yield problem


def matrix_row(text: str) -> list[str]:
    """The entries of a row, apart or not.

    >>> matrix_row("0 1 1"), matrix_row("011"), matrix_row("0,1.000e+00,1")
    (['0', '1', '1'], ['0', '1', '1'], ['0', '1', '1'])
    """
    if "e" in text:
        text = FLOAT.sub(r"\1", text)
    words = text.replace(",", " ").split()
    return list(words[0]) if len(words) == 1 else words


def matrix_header(text: str) -> tuple[int, int] | None:
    """`n m`, the numbers of rows and columns."""
    words = text.split()
    if len(words) != 2 or not all(w.isascii() and w.isdecimal() and len(w) < 20 for w in words):
        return None
    return int(words[0]), int(words[1])


def _headed(content: Iterator[Line], name: str) -> Entry | None:
    first = next(filter(_says, content), None)
    if first is None:
        return None
    header = matrix_header(first.text)
    if header is None:
        for _ in content:
            pass
        what = "expected `n m`, the numbers of rows and columns; the rest was not read"
        return Entry(first.number, None, excerpt(first.text), what)
    rows, columns = header
    options, fault = Options(), None
    while options.count < rows and (line := next(filter(_says, content), None)) is not None:
        try:
            options.add(_matrix_option(line, columns))
        except CoverFault as error:
            fault = fault or str(error)
            options.add([])
        _refuse_too_large(options, name, line.number)
    if options.count < rows and fault is None:
        fault = f"{options.count} of {rows} rows are there"
    return _matrix_entry(first, columns, options, fault)


def _headless(content: Iterator[Line], name: str) -> Entry | None:
    first = next(filter(_says, content), None)
    if first is None:
        return None
    columns = len(matrix_row(first.text))
    options, fault = Options(), None
    for line in _with(first, content):
        if not line.text.strip():
            break
        if not _says(line):
            continue
        try:
            options.add(_matrix_option(line, columns))
        except CoverFault as error:
            fault = fault or str(error)
        _refuse_too_large(options, name, line.number)
    return _matrix_entry(first, columns, options, fault)


def _matrix_option(line: Line, columns: int) -> list[int]:
    row = matrix_row(line.text)
    if not {"0", "1"}.issuperset(row):
        odd = next(word for word in row if word not in {"0", "1"})
        raise CoverFault(f"`{excerpt(odd)}` is neither 0 nor 1", line.number)
    if len(row) != columns:
        raise CoverFault(f"{len(row)} entries, expected {columns}", line.number)
    return [column for column, entry in enumerate(row, 1) if entry == "1"]


def _matrix_entry(first: Line, columns: int, options: Options, fault: str | None) -> Entry:
    if fault is not None:
        return Entry(first.number, None, excerpt(first.text), fault)
    if not columns:
        return Entry(first.number, None, excerpt(first.text), "no columns, so nothing to cover")
    return Entry(first.number, None, options.text(columns, 0), kind=Kind.COVER)


def _says(line: Line) -> bool:
    text = line.text.strip()
    return bool(text) and not text.startswith("#")


def _with(first: Line, rest: Iterator[Line]) -> Iterator[Line]:
    yield first
    yield from rest


def _bounded(source: Iterable[Line], name: str) -> Iterator[Line]:
    seen = 0
    for line in source:
        seen += len(line.text)
        if seen > LARGEST:
            raise _too_large(name, line.number)
        yield line


def _refuse_too_large(options: Options, name: str, line: int) -> None:
    """A row of 0 and 1 is short, and may be a long list of numbers."""
    if len(options) > LARGEST:
        raise _too_large(name, line)


def _too_large(name: str, line: int) -> FormatError:
    what = f"a cover problem of more than {LARGEST:,} characters"
    return FormatError(name, what, line=line, cure="split it")
