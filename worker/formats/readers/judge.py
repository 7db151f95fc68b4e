"""Reads the inputs of judge problems that are covers, and writes answers as online judges expect.

The inputs are graphs, windows, points, rectangles and columns.  Their numbers alone do not tell
which problem they belong to, so they are read only where --from names it.  Each case becomes one
cover problem; its answer is how many options the best has, or its radius, or its rows.

Other answers: of target sudokus (P1074) the score, or -1; of grids, in the layout of the input,
with its symbols and blank lines, or -1; of matrices (P4929) row numbers in ascending order, or
`No Solution!`; of MPS files, as `mps` says.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import isqrt, sqrt
from typing import NamedTuple

from storage.values import Kind
from storage.view import AnswerRow
from worker.covers.text import Cover, EncodedOptions, encode
from worker.formats.entry import Entry
from worker.formats.errors import excerpt
from worker.formats.files.text import Line
from worker.formats.layout import Layout
from worker.formats.readers import mps
from worker.formats.readers.covers import InvalidLineError, bounded, check_size
from worker.sudoku.symbols import EMPTY, SYMBOLS

#: the largest number of items of a case, and of distances between points
MAX_ITEMS, MAX_DISTANCES = 1_000_000, 1_000_000
#: the greatest number of an input; the squared distance of two points fits into 64 bits
MAX_NUMBER, MAX_DIGITS = 10**9, 10
#: the output for a puzzle without a solution
NO_SOLUTION = "-1"
#: the output for a matrix without an exact cover
NO_COVER = "No Solution!"


class Numbers:
    """The whole numbers of an input, one after the other."""

    def __init__(self, source: Iterable[Line]) -> None:
        self.line = 0  #: the line of the last number
        self._words = self._split(source)
        self._next = next(self._words, None)

    @property
    def ended(self) -> bool:
        """Whether there is no further number."""
        return self._next is None

    @property
    def following(self) -> int:
        """The line of the next number, else of the last one."""
        return self._next[0] if self._next else self.line

    def take(self, least: int = 0, most: int = MAX_NUMBER) -> int:
        """Return the next number; raise InvalidLineError unless it is within these limits."""
        if self._next is None:
            raise InvalidLineError("the input ends within a case")
        line, word = self._next
        self.line, self._next = line, next(self._words, None)
        digits = word[1:] if word.startswith("-") else word
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
            why = f"`{excerpt(word)}` is not a whole number of at most {MAX_DIGITS} digits"
            raise InvalidLineError(why)
        if not least <= int(word) <= most:
            raise InvalidLineError(f"{word} is not between {least:,} and {most:,}")
        return int(word)

    def points(self, count: int) -> list[tuple[int, int]]:
        """Return the next `count` points."""
        return [(self.take(-MAX_NUMBER), self.take(-MAX_NUMBER)) for _ in range(count)]

    def _split(self, source: Iterable[Line]) -> Iterator[tuple[int, str]]:
        for line in bounded(source):
            if not line.text.lstrip().startswith("#"):
                for word in line.text.split():
                    yield line.number, word


def domination(numbers: Numbers) -> str:
    """HDU 3498: the fewest vertices that, with their neighbours, are all vertices of a graph."""
    vertices, edges = numbers.take(1, MAX_ITEMS), numbers.take()
    ends = [(numbers.take(1, vertices), numbers.take(1, vertices)) for _ in range(edges)]
    near = [{vertex} for vertex in range(1, vertices + 1)]  # large: only if no edge is missing
    for a, b in ends:
        near[a - 1].add(b)
        near[b - 1].add(a)
    return _text(numbers, Cover(vertices, 0, [], set_cover=True), map(sorted, near))


def windows(numbers: Numbers) -> str:
    """FZU 1686: the fewest windows of one size that cover every 1 of a grid."""
    rows, columns = numbers.take(1, MAX_ITEMS), numbers.take(1, MAX_ITEMS)
    if rows * columns > MAX_ITEMS:
        raise InvalidLineError(f"the grid has more than {MAX_ITEMS:,} cells")
    cells = list(product(range(rows), range(columns)))
    ones = [cell for cell in cells if numbers.take(0, 1)]
    height, width = numbers.take(1, rows), numbers.take(1, columns)
    bands = (
        (bisect_left(ones, (top,)), bisect_left(ones, (top + height,)))
        for top in range(rows - height + 1)
    )
    seen = (
        option
        for start, end in bands
        for option in _across(ones[start:end], start + 1, columns, width)
    )
    return _text(numbers, Cover(len(ones), 0, [], set_cover=True), seen)


def _across(
    ones: Sequence[tuple[int, int]], first: int, columns: int, width: int
) -> Iterator[list[int]]:
    """Yield the items in each window of some rows, of which `ones` are items from `first` on."""
    by_column = sorted((column, item) for item, (_, column) in enumerate(ones, start=first))
    for left in range(columns - width + 1):
        inside = slice(bisect_left(by_column, (left,)), bisect_left(by_column, (left + width,)))
        if option := sorted(item for _, item in by_column[inside]):
            yield option


def radar(numbers: Numbers) -> str:
    """HDU 2295: the least radius within which K radars reach every city, squared."""
    cities, radars, most = (numbers.take(least, MAX_ITEMS) for least in (1, 1, 0))
    _require_few(cities * radars)
    towns, places = numbers.points(cities), numbers.points(radars)
    return _centres([[(x - a) ** 2 + (y - b) ** 2 for x, y in towns] for a, b in places], most)


def airports(numbers: Numbers) -> str:
    """HDU 5046: the least Manhattan distance within which K cities reach every city."""
    cities, most = numbers.take(1, MAX_ITEMS), numbers.take(0, MAX_ITEMS)
    _require_few(cities * cities)
    places = numbers.points(cities)
    return _centres([[abs(x - a) + abs(y - b) for x, y in places] for a, b in places], most)


def rectangles(numbers: Numbers) -> str:
    """ZOJ 3209: the fewest of these rectangles that tile a larger one; an exact cover."""
    width, height, count = numbers.take(1, MAX_ITEMS), numbers.take(1, MAX_ITEMS), numbers.take()
    if width * height > MAX_ITEMS:
        raise InvalidLineError(f"the map has more than {MAX_ITEMS:,} cells")

    def piece() -> list[int]:
        left, top = numbers.take(0, width), numbers.take(0, height)
        right, bottom = numbers.take(left, width), numbers.take(top, height)
        return [1 + x * height + y for x, y in product(range(left, right), range(top, bottom))]

    return _text(numbers, Cover(width * height, 0, []), (piece() for _ in range(count)), cost=1)


def sparse(numbers: Numbers) -> str:
    """HUST 1017: an exact cover; each row is the number of its columns, and these."""
    rows, columns = numbers.take(), numbers.take(1, MAX_ITEMS)

    def row() -> list[int]:
        items = [numbers.take(1, columns) for _ in range(numbers.take(0, columns))]
        if len(set(items)) < len(items):
            raise InvalidLineError("a row has a column twice")
        return sorted(items)

    return _text(numbers, Cover(columns, 0, []), (row() for _ in range(rows)))


def _text(
    numbers: Numbers, cover: Cover, options: Iterable[list[int]], cost: int | None = None
) -> str:
    """Return the text of a problem with these options, each of which has this cost."""
    encoded = EncodedOptions()
    for option in options:
        encoded.add(option, cost)
        check_size(encoded.characters, numbers.line)
    return encoded.text(cover)


def _centres(distances: list[list[int]], most: int) -> str:
    """Return the text of the problem to choose `most` places; a row has a place's distances."""
    items = list(range(1, len(distances[0]) + 1))
    options = [items for _ in distances]
    return encode(Cover(len(items), 0, options, set_cover=True, at_most=most, distances=distances))


def _require_few(distances: int) -> None:
    if distances > MAX_DISTANCES:
        raise InvalidLineError(f"more than {MAX_DISTANCES:,} distances")


def _fewest(answer: AnswerRow) -> str:
    """Return the number of options of the best cover (HDU 3498, FZU 1686, ZOJ 3209)."""
    return NO_SOLUTION if answer.score is None else str(-answer.score)


def _euclidean(answer: AnswerRow) -> str:
    """Return the radius whose square is the score (HDU 2295)."""
    return NO_SOLUTION if answer.score is None else f"{sqrt(-answer.score):.6f}"


def _counted_rows(answer: AnswerRow) -> str:
    """Return the number of rows in a cover, and these (HUST 1017)."""
    rows = None if answer.solution is None else sorted(map(int, answer.solution.split()))
    return "NO" if rows is None else " ".join(map(str, [len(rows), *rows]))


class JudgeProblem(NamedTuple):
    """How the cases of a judge problem are read, and the answer to each is written."""

    read: Callable[[Numbers], str]  #: returns the text of the next case
    write: Callable[[AnswerRow], str]
    counted: bool = False  #: the first number is the number of cases
    prefix: str = ""  #: of each answer, with the number of the case


#: the problems that are covers, by the name of their format
PROBLEMS = {
    "domination": JudgeProblem(domination, _fewest),
    "windows": JudgeProblem(windows, _fewest),
    "radar": JudgeProblem(radar, _euclidean, counted=True),
    "airports": JudgeProblem(airports, _fewest, counted=True, prefix="Case #{}: "),
    "rectangles": JudgeProblem(rectangles, _fewest, counted=True),
    "sparse": JudgeProblem(sparse, _counted_rows),
}


def read(source: Iterable[Line], format: str) -> Iterator[Entry]:  # noqa: A002
    """Yield the cases of an input; after an invalid one the rest is not read."""
    numbers, problem = Numbers(source), PROBLEMS[format]
    try:
        until_end = iter(lambda: numbers.ended, True)
        for _ in range(numbers.take()) if problem.counted else until_end:
            line = numbers.following
            text = problem.read(numbers)
            yield Entry(line, None, text, kind=Kind.COVER, costs=format == "rectangles")
        if not numbers.ended:
            why = f"line {numbers.following}: more numbers after the last case"
            yield Entry.wrong(numbers.following, format, why)
    except InvalidLineError as error:
        yield Entry.wrong(max(1, numbers.line), format, f"line {numbers.line}: {error}")


def judge(layout: Layout, answers: Iterable[AnswerRow], target: bool) -> Iterator[str]:
    """Yield the lines of the output for the puzzles of one input, without line ends.

    Solutions are in the symbols of the input.  `target`: the answers are scores.
    """
    problem = PROBLEMS.get(layout.format)
    for index, answer in enumerate(answers):
        if problem is not None:
            yield problem.prefix.format(index + 1) + problem.write(answer)
        elif layout.format == "mps":
            yield from mps.solution_lines(answer)
        elif target:
            yield NO_SOLUTION if answer.score is None else str(answer.score)
        elif layout.kind == "cover":
            yield _cover(layout, answer.solution)
        else:
            if index and layout.apart:
                yield ""
            grid = answer.solution
            yield from [NO_SOLUTION] if grid is None else written(layout, grid)


def written(layout: Layout, grid: str) -> list[str]:
    """Return a grid in the symbols of a layout as its lines; `.` is an empty cell.

    >>> written(Layout("spaced", "sudoku", 4, shape="spaced"), "12343412.1434321")
    ['1 2 3 4', '3 4 1 2', '0 1 4 3', '4 3 2 1']
    """
    side = isqrt(len(grid))
    if layout.shape == "spaced" and layout.alphabet is None:
        cells = [str(SYMBOLS.index(cell)) for cell in grid]
    else:
        cells = list(grid.replace(EMPTY, layout.symbols(side)[0]))
    separator = " " if layout.shape == "spaced" else ""
    width = len(cells) if layout.shape == "lines" else side
    return [separator.join(cells[at : at + width]) for at in range(0, len(cells), width)]


def _cover(layout: Layout, solution: str | None) -> str:
    if solution is None:
        return NO_COVER if layout.format == "matrix" else NO_SOLUTION
    rows = sorted(map(int, solution.split()))
    if layout.format == "pace":  # a number a line, the first of which says how many
        return "\n".join(map(str, [len(rows), *rows]))
    return " ".join(map(str, rows))
