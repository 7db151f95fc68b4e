"""The search tree of a small puzzle, for those who learn Algorithm X: as text and as a picture.

The search is that of the book (Knuth, TAOCP 7.2.2.1): it branches on the first of the items with
the fewest options left, and tries these in order.  It is written in Python, with the sets of
options of the program that checks proofs.  The compiled search finds the same solutions; among
items with two options it chooses by what these hide, and the rest of a solution is no node there.
"""

import json
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple
from xml.sax.saxutils import escape

from rich.cells import cell_len

from cli.formatting import count
from cli.output.destination import open_output
from cli.streams import console, visible
from storage.view import AnswerRow
from worker.covers.text import has_multiplicities, is_set_cover
from worker.errors import BadUsage
from worker.formats.svg import CLUE_COLOUR, LETTER_WIDTH, MARGIN, PAPER_COLOUR, caption
from worker.options import Options
from worker.proof import check

#: options, and items, of the largest problem
MAX_SIZE = 5000
#: nodes that are drawn without `--all`, and the most that are searched
MAX_DRAWN, MAX_NODES = 200, 10_000
#: height of a row of the picture, and what an option is indented by, in SVG user units
ROW_HEIGHT, INDENT = 20, 22


class Kind(Enum):
    """What a row of the tree tells."""

    ITEM = auto()  #: the item that the search branches on
    OPTION = auto()  #: one of its options is chosen
    FORCED = auto()  #: the only option of an item is chosen
    DEAD_END = auto()  #: an item has no option left
    SOLUTION = auto()


#: per kind: colour and weight of its text in the picture
STYLES = {
    Kind.ITEM: f'fill="{CLUE_COLOUR}" font-weight="bold"',
    Kind.OPTION: 'fill="#0f3468" font-weight="bold"',
    Kind.FORCED: 'fill="#0f3468"',
    Kind.DEAD_END: 'fill="#a50f15"',
    Kind.SOLUTION: 'fill="#00622b" font-weight="bold"',
}


class Row(NamedTuple):
    """A row of the tree; `ways` says of each branch above whether its option is the last one."""

    kind: Kind
    ways: tuple[bool, ...]
    text: str


class State(NamedTuple):
    """Where the search is: the options chosen and left, as in `check`, and the open items."""

    ways: tuple[bool, ...]
    chosen: tuple[int, ...]
    left: int
    items: list[str]


class Search:
    """The search of a stored puzzle, and the names of its items and options."""

    def __init__(self, answer: AnswerRow) -> None:
        self.is_grid = answer.kind != "cover"
        text, names = answer.puzzle, None
        if self.is_grid:
            self.problem = check.sudoku({"sudoku": text})
        else:
            self.problem, names = check.cover(text), json.loads(text).get("names")
        self.name = dict(zip(self.problem.items, names or self.problem.items, strict=True))
        state = State((), (), self.problem.allowed, self.problem.primary)
        for option in self._clues(text) if self.is_grid else ():
            if state.left >> option & 1:  # else another clue rules it out: its cell is a dead end
                state = self._after(state, option)
        self.root = state._replace(chosen=())

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the tree in the order of the search."""
        waiting, solutions = [self.root], 0
        while waiting:
            state = waiting.pop()
            if state.chosen:
                yield Row(Kind.OPTION, state.ways, self._option(state.chosen[-1]))
            item, options = self._smallest(state)
            while len(options) == 1:
                state = self._after(state, options[0])
                text = f"{self.name[item]} has 1 option: {self._option(options[0])}"
                yield Row(Kind.FORCED, state.ways, text)
                item, options = self._smallest(state)
            if options:
                text = f"{self.name[item]} has {count(len(options), 'option')}"
                yield Row(Kind.ITEM, state.ways, text)
                waiting += reversed([*self._branches(state, options)])
            elif item:
                text = f"{self.name[item]} has no option: dead end"
                yield Row(Kind.DEAD_END, state.ways, text)
            else:
                solutions += 1
                yield Row(Kind.SOLUTION, state.ways, f"solution {solutions}{self._cover(state)}")

    def _clues(self, grid: str) -> Iterator[int]:
        symbols = check.SYMBOLS[: len(self.problem.options) // len(grid)]
        for cell, clue in enumerate(grid):
            if clue != ".":
                yield cell * len(symbols) + symbols.index(clue)

    def _smallest(self, state: State) -> tuple[str, list[int]]:
        """Return the first item with the fewest options, and these; no item if all are covered."""
        having, left = self.problem.having, state.left
        item = min(state.items, key=lambda one: (left & having[one]).bit_count(), default="")
        rest = left & having[item] if item else 0
        found = []
        while rest:
            found.append((rest & -rest).bit_length() - 1)
            rest &= rest - 1
        return item, found

    def _after(self, state: State, option: int) -> State:
        """Return the state after choosing an option: its items are covered."""
        items = [item for item in state.items if item not in self.problem.options[option]]
        left = state.left & self.problem.agreeing(option)
        return State(state.ways, (*state.chosen, option), left, items)

    def _branches(self, state: State, options: list[int]) -> Iterator[State]:
        for option in options:
            after = self._after(state, option)
            yield after._replace(ways=(*state.ways, option == options[-1]))

    def _option(self, option: int) -> str:
        """Return the symbol of a cell, or the items of an option and its number."""
        items = self.problem.options[option]
        if self.is_grid:
            cell, symbol, *_ = items
            return f"{cell} = {symbol[-1]}"
        colours = (f":{colour}" if colour else "" for colour in items.values())
        named = (f"{self.name[item]}{colour}" for item, colour in zip(items, colours, strict=True))
        return f"{' '.join(named)} (option {option + 1})"

    def _cover(self, state: State) -> str:
        if self.is_grid:
            return ""
        return ": options " + ", ".join(str(option + 1) for option in sorted(state.chosen))


def tree_of(answer: AnswerRow, options: Options, *, every_node: bool) -> Iterator[Row | str]:
    """Yield the rows of an answer's tree, then how many nodes are left out, if any.

    Raises BadUsage if the search is not one for exact covers, or too large to be drawn.
    """
    if reason := _not_drawn(answer, options):
        raise BadUsage(f"puzzle {answer.id} {reason}")
    return _drawn(Search(answer).rows(), MAX_NODES if every_node else MAX_DRAWN)


def print_tree(rows: Iterable[Row | str]) -> None:
    """Print the tree as text."""
    screen = console()
    for row in rows:
        line = row if isinstance(row, str) else f"{_connection(row)}{row.text}"
        screen.print(visible(line), soft_wrap=True, markup=False, highlight=False)


def write_tree(answer: AnswerRow, rows: Iterable[Row | str], file: str) -> None:
    """Write the tree as an SVG picture."""
    drawn = [one if isinstance(one, Row) else Row(Kind.FORCED, (), one) for one in rows]
    columns = max(cell_len(row.text) + 3 * len(row.ways) for row in drawn)
    width, height = columns * LETTER_WIDTH + 2 * MARGIN, len(drawn) * ROW_HEIGHT + 2 * MARGIN
    with open_output(file) as out:
        out.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            'font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="13">\n'
            f"<title>{escape(visible(caption(answer)))}</title>\n"
            f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER_COLOUR}"/>\n'
        )
        for number, row in enumerate(drawn):
            out.write("".join(f"{part}\n" for part in _picture(row, MARGIN + number * ROW_HEIGHT)))
        out.write("</svg>\n")


def _not_drawn(answer: AnswerRow, options: Options) -> str | None:
    """Return why a search cannot be drawn; None if it can."""
    if answer.status == "invalid":
        return "is an invalid line; it has no search tree."
    if answer.kind != "cover":
        number, items = round(len(answer.puzzle) ** 1.5), 0
    elif options.set_cover or is_set_cover(answer.puzzle) or has_multiplicities(answer.puzzle):
        return "is no exact cover; --tree draws Algorithm X, in which an item is covered once."
    else:
        given = json.loads(answer.puzzle)
        number, items = len(given["options"]), given["items"] + given.get("secondary", 0)
    if max(number, items) > MAX_SIZE:
        what = count(number, "option") if number > MAX_SIZE else count(items, "item")
        return f"has {what}; --tree draws problems of up to {MAX_SIZE:,}."
    return None


def _drawn(rows: Iterator[Row], most: int) -> Iterator[Row | str]:
    """Yield rows with at most this many nodes, then how many more nodes there are."""
    drawn = left_out = 0
    for row in rows:
        is_node = row.kind in {Kind.OPTION, Kind.FORCED}
        if drawn + left_out + is_node > MAX_NODES:
            yield f"more nodes follow: the search was ended after {MAX_NODES:,}"
            return
        if left_out or drawn + is_node > most:
            left_out += is_node
        else:
            drawn += is_node
            yield row
    if left_out:
        yield f"{count(left_out, 'further node')} left out; --all draws up to {MAX_NODES:,}"


def _connection(row: Row) -> str:
    """Return the lines that lead to a row.

    >>> _connection(Row(Kind.OPTION, (False, True), ""))
    '│  └─ '
    """
    lines = ["   " if is_last else "│  " for is_last in row.ways]
    if row.kind is Kind.OPTION:
        lines[-1] = "└─ " if row.ways[-1] else "├─ "
    return "".join(lines)


def _picture(row: Row, top: int) -> Iterator[str]:
    """Yield the text of a row and the lines that lead to it."""
    middle, bottom = top + ROW_HEIGHT // 2, top + ROW_HEIGHT
    for depth, is_last in enumerate(row.ways):
        x = MARGIN + INDENT * depth + INDENT // 4
        leads_here = row.kind is Kind.OPTION and depth == len(row.ways) - 1
        path = f"M{x} {top}V{middle if is_last else bottom}" if leads_here or not is_last else ""
        path += f"M{x} {middle}h{INDENT // 2}" if leads_here else ""
        if path:
            yield f'<path d="{path}" stroke="#888888" fill="none"/>'
    at = f'x="{MARGIN + INDENT * len(row.ways)}" y="{top + ROW_HEIGHT * 0.72:g}"'
    yield f"<text {at} {STYLES[row.kind]}>{escape(visible(row.text))}</text>"
