"""Reads published covers: those of the OR-Library, of PACE, and exact covers to be counted.

A file is one problem.  The numbers of the OR-Library (J. E. Beasley) have three forms:

    scp     set covering: rows, columns, all costs, and for each row how many columns and which
    rail    set covering: rows, columns, and for each column its cost, how many rows and which
    spp     set partitioning, by columns as well

In the two others a line `p` says what the problem is, and lines `c` are comments:

    pace    `p hs VERTICES EDGES`, a line of vertices for each edge: the fewest vertices that hit
            every edge; `p ds VERTICES EDGES`, two vertices a line: the fewest that dominate all
    ec      `p ec ITEMS`, and a line `s` with the items of each option: an exact cover
"""

from collections.abc import Callable, Iterable, Iterator

from storage.values import Kind
from worker.covers.text import Cover, EncodedOptions
from worker.formats.entry import Entry
from worker.formats.errors import excerpt, quantity
from worker.formats.files.text import Line
from worker.formats.readers.covers import InvalidLineError, bounded, check_size
from worker.formats.readers.judge import MAX_ITEMS, Numbers


def scp(numbers: Numbers) -> str:
    """Read a set covering problem by rows; return its text."""
    rows, columns = numbers.take(1, MAX_ITEMS), numbers.take(0, MAX_ITEMS)
    costs = [numbers.take() for _ in range(columns)]
    options: list[list[int]] = [[] for _ in range(columns)]
    for row in range(1, rows + 1):
        for column in _distinct(numbers, columns, "column"):
            options[column - 1].append(row)
    return _text(numbers, Cover(rows, 0, [], set_cover=True), zip(options, costs, strict=True))


def rail(numbers: Numbers) -> str:
    """Read a set covering problem by columns; return its text."""
    return _by_columns(numbers, set_cover=True)


def spp(numbers: Numbers) -> str:
    """Read a set partitioning problem; return its text."""
    return _by_columns(numbers, set_cover=False)


def _by_columns(numbers: Numbers, *, set_cover: bool) -> str:
    rows, columns = numbers.take(1, MAX_ITEMS), numbers.take(0, MAX_ITEMS)
    cover = Cover(rows, 0, [], set_cover=set_cover)

    def column() -> tuple[list[int], int]:
        cost = numbers.take()
        return _distinct(numbers, rows, "row"), cost

    return _text(numbers, cover, (column() for _ in range(columns)))


def _distinct(numbers: Numbers, most: int, what: str) -> list[int]:
    """Return the next numbers, in ascending order; their count stands before them."""
    found = [numbers.take(1, most) for _ in range(numbers.take(0, most))]
    if len(set(found)) < len(found):
        raise InvalidLineError(f"a {what} occurs twice")
    return sorted(found)


def _text(numbers: Numbers, cover: Cover, options: Iterable[tuple[list[int], int]]) -> str:
    encoded = EncodedOptions()
    for option, cost in options:
        encoded.add(option, cost)
        check_size(encoded.characters, numbers.line)
    return encoded.text(cover)


#: the forms of numbers alone, which the name of a file or --from tells apart
NUMBERS: dict[str, Callable[[Numbers], str]] = {"scp": scp, "rail": rail, "spp": spp}


def read_numbers(source: Iterable[Line], format: str) -> Iterator[Entry]:  # noqa: A002
    """Yield the problem of an input in one of the forms of NUMBERS."""
    numbers = Numbers(source)
    try:
        line, text = numbers.following, NUMBERS[format](numbers)
        if not numbers.ended:
            numbers.line = numbers.following
            raise InvalidLineError("more numbers after the problem")  # noqa: TRY301
    except InvalidLineError as error:
        yield Entry.wrong(max(1, numbers.line), format, f"line {numbers.line}: {error}")
    else:
        yield Entry(line, None, text, kind=Kind.COVER, costs=True)


class Words:
    """The lines of an input as words, without comments; the first is that of one of PROBLEMS."""

    def __init__(self, source: Iterable[Line]) -> None:
        self.line = 1  #: the number of the last line
        self._lines = self._split(source)
        _, self._problem, *self._sizes = next(self._lines)

    def __iter__(self) -> Iterator[list[str]]:
        return self._lines

    def read(self) -> str:
        """Return the text of the problem; raise InvalidLineError."""
        return PROBLEMS[self._problem][1](self)

    def sizes(self, count: int) -> list[int]:
        """Return the numbers of the first line."""
        if len(self._sizes) != count:
            what = quantity(count, "number")
            raise InvalidLineError(f"expected {what} after `p {self._problem}`")
        return self.integers(self._sizes, 0, MAX_ITEMS)

    def integers(self, words: list[str], least: int, most: int) -> list[int]:
        """Return words as numbers; raise InvalidLineError unless they are within these limits."""
        for word in words:
            if not (word.isascii() and word.isdecimal() and len(word) <= len(str(MAX_ITEMS))):
                raise InvalidLineError(f"`{excerpt(word)}` is not a number from {least:,}")
            if not least <= int(word) <= most:
                raise InvalidLineError(f"{word} is not between {least:,} and {most:,}")
        return list(map(int, words))

    def _split(self, source: Iterable[Line]) -> Iterator[list[str]]:
        for line in bounded(source):
            words = line.text.split()
            if words and words[0] != "c":
                self.line = line.number
                yield words


def exact_cover(words: Words) -> str:
    """Read the options of an exact cover; return its text."""
    (items,), encoded = words.sizes(1), EncodedOptions()
    for first, *rest in words:
        if first != "s":
            raise InvalidLineError(f"expected `s` and items, not `{excerpt(first)}`")
        encoded.add(sorted(set(words.integers(rest, 1, items))))
        check_size(encoded.characters, words.line)
    return encoded.text(Cover(items, 0, []))


def hitting_set(words: Words) -> str:
    """Read the edges of a hypergraph; return the text of the problem to hit them all."""
    vertices, edges = words.sizes(2)
    options: list[list[int]] = [[] for _ in range(vertices)]
    found = 0
    for line in words:
        found += 1
        for vertex in set(words.integers(line, 1, vertices)):
            options[vertex - 1].append(found)
    _check_edges(found, edges)
    return _fewest(words, edges, options)


def dominating_set(words: Words) -> str:
    """Read the edges of a graph; return the text of the problem to dominate all vertices."""
    vertices, edges = words.sizes(2)
    near = [{vertex} for vertex in range(1, vertices + 1)]
    found = 0
    for line in words:
        if len(line) != 2:
            raise InvalidLineError(f"{quantity(len(line), 'number')}, expected two vertices")
        one, other = words.integers(line, 1, vertices)
        near[one - 1].add(other)
        near[other - 1].add(one)
        found += 1
    _check_edges(found, edges)
    return _fewest(words, vertices, list(map(sorted, near)))


def _check_edges(found: int, announced: int) -> None:
    if found != announced:
        raise InvalidLineError(f"{quantity(found, 'edge')}, but {announced:,} are announced")


def _fewest(words: Words, items: int, options: list[list[int]]) -> str:
    """Return the text of the problem to cover all items by the fewest of these options."""
    encoded = EncodedOptions()
    for option in options:
        encoded.add(option)
        check_size(encoded.characters, words.line)
    return encoded.text(Cover(items, 0, [], set_cover=True))


#: by the word after `p`: the name of the format, and what reads it
PROBLEMS: dict[str, tuple[str, Callable[[Words], str]]] = {
    "ec": ("ec", exact_cover),
    "hs": ("pace", hitting_set),
    "ds": ("pace", dominating_set),
}


def read_problem(source: Iterable[Line]) -> Iterator[Entry]:
    """Yield the problem of an input that begins with the line of one of PROBLEMS."""
    words = Words(source)
    try:
        first, text = words.line, words.read()
    except InvalidLineError as error:
        yield Entry.wrong(words.line, "p", f"line {words.line}: {error}")
    else:
        yield Entry(first, None, text, kind=Kind.COVER)
