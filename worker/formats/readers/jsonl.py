"""JSON, an object a line: grids as text or as lists, and covers as we store them.

What `results -f jsonl` writes is read again.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from storage.values import Kind
from worker.covers.text import MAX_COST
from worker.formats.cover import cover_text
from worker.formats.entry import Entry
from worker.formats.excerpt import MAX_LABEL, excerpt
from worker.formats.files.text import Line
from worker.formats.readers.columns import LABELS, PUZZLES, SOLUTIONS
from worker.formats.symbols import INVALID, SymbolTable
from worker.sudoku.symbols import SIDES, VALUES

#: items that a cover problem may have, more than its options could ever name
MOST = 2**31
#: numbers of options
DECIMAL = re.compile("[0-9]{1,9}")
#: halves of characters, which JSON can write and nothing can store
HALVES = re.compile("[\ud800-\udfff]")
_TABLES = {cells: SymbolTable("." + VALUES, side) for cells, side in SIDES.items()}


class _Fault(Exception):
    """What is wrong with a line."""


class _Puzzle(NamedTuple):
    """The puzzle of one object."""

    kind: Kind
    text: str
    costs: bool = False  #: it is a cover problem whose options have costs


def read(source: Iterable[Line]) -> Iterator[Entry]:
    """The puzzle of each line."""
    for line in source:
        text = line.text.strip()
        if text and not text.startswith("#"):
            yield _entry(Line(line.number, text))


def _entry(line: Line) -> Entry:
    try:
        told = _object(line.text)
        label = next((told[key] for key in LABELS if told.get(key) is not None), None)
        puzzle, name = _puzzle(told), None if label is None else _label(label)
        solution = _solution(told, puzzle)
        return Entry(line.number, name, puzzle.text, None, solution, puzzle.kind, puzzle.costs)
    except (_Fault, RecursionError) as fault:
        why = str(fault) if isinstance(fault, _Fault) else "lists in lists without end"
        return Entry(line.number, None, excerpt(line.text), why)


def _object(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _Fault(f"the JSON cannot be read ({error})") from None
    if not isinstance(told, dict):
        raise _Fault("the JSON is no object: write {...}")
    return told


def _label(value: object) -> str:
    return excerpt(str(value))[:MAX_LABEL]


def _solution(told: dict[str, Any], puzzle: _Puzzle) -> str | None:
    """The one that an object gives, if it gives a whole one: a grid, or option numbers in order."""
    named = (told[key] for key in told if key.lower() in SOLUTIONS)
    given = next((one for one in named if isinstance(one, str | list)), None)  # not how many
    if not given:
        return None
    if puzzle.kind is Kind.COVER:
        return _chosen(given.split() if isinstance(given, str) else given)
    try:
        solution = _grid(_flat(given) if isinstance(given, list) else given)
    except _Fault:
        return None
    return solution if len(solution) == len(puzzle.text) and "." not in solution else None


def _chosen(options: object) -> str | None:
    """The numbers of a cover's options, in their order."""
    if not isinstance(options, list) or not all(DECIMAL.fullmatch(str(one)) for one in options):
        return None
    return " ".join(map(str, sorted(map(int, options))))


def _puzzle(told: dict[str, Any]) -> _Puzzle:
    """The puzzle that an object holds, in its canonical text."""
    if "items" in told and "options" in told:
        return _Puzzle(Kind.COVER, _cover(told), told.get("costs") is not None)
    key = next((key for key in told if key.lower() in PUZZLES), None)
    if key is None:
        raise _Fault(f"no puzzle in it; its key is one of {', '.join(sorted(PUZZLES))}")
    value = told[key]
    if isinstance(value, str) and value.startswith("{"):
        return _puzzle(_object(value))
    return _Puzzle(Kind.SUDOKU, _grid(_flat(value) if isinstance(value, list) else value))


def _flat(rows: list[Any]) -> str:
    """A list of values, or of rows of values or texts, as one text; 0 and null are empty."""
    return "".join(
        _flat(one) if isinstance(one, list) else one if isinstance(one, str) else _symbol(one)
        for one in rows
    )


def _symbol(value: object) -> str:
    if value is None or value == 0:
        return "."
    if type(value) is int and 1 <= value <= len(VALUES):
        return VALUES[value - 1]
    raise _Fault(f"{excerpt(str(value))} is no cell")


def _grid(text: object) -> str:
    if not isinstance(text, str):
        raise _Fault("the puzzle is neither a text nor a list")
    if len(text) not in SIDES:
        raise _Fault(f"{len(text)} cells, expected 81 (or 16, 256, 625)")
    grid = text.translate(_TABLES[len(text)])
    if INVALID in grid:
        raise _Fault(
            f"`{excerpt(text[grid.index(INVALID)])}` at cell {grid.index(INVALID) + 1} is no cell"
        )
    return grid


def _cover(told: dict[str, Any]) -> str:
    items, secondary, options = told["items"], told.get("secondary", 0), told["options"]
    names, costs = told.get("names"), told.get("costs")
    if not (_is_count(items) and _is_count(secondary) and items):
        raise _Fault("`items` and `secondary` are no numbers of items")
    if not (isinstance(options, list) and all(map(_is_option, options))):
        raise _Fault("`options` is no list of lists of item numbers")
    if any(not 1 <= item <= items + secondary for option in options for item in option):
        raise _Fault(f"an option has an item beyond 1 to {items + secondary}")
    if any(len(set(option)) < len(option) for option in options):
        raise _Fault("an item is twice in one option")
    if names is not None and not _are_names(names, items + secondary):
        raise _Fault(f"`names` is no list of {items + secondary} texts")
    if costs is not None and not (isinstance(costs, list) and len(costs) == len(options)):
        raise _Fault(f"`costs` is no list of {len(options)} numbers, one for each option")
    if costs is not None and not all(map(_is_cost, costs)):
        raise _Fault(f"a cost is no whole number from 0 to {MAX_COST:,}")
    colours = told.get("colours")
    if colours is not None and not _are_colours(colours, options, items):
        raise _Fault(f"`colours` is no list of {len(options)} lists of [secondary item, colour]")
    return cover_text(items, secondary, options, names, costs, colours)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < MOST


def _is_option(value: object) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


def _is_cost(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_COST


def _are_colours(value: object, options: list[list[int]], items: int) -> bool:
    """For each option pairs of a secondary item of its own, each once, and a text."""
    if not (isinstance(value, list) and len(value) == len(options)):
        return False
    return all(map(_are_pairs, value)) and all(
        len({item for item, _ in some}) == len(some)
        and all(item > items and item in option for item, _ in some)
        for some, option in zip(value, options, strict=True)
    )


def _are_pairs(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int and _is_text(pair[1])
        for pair in value
    )


def _are_names(value: object, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(map(_is_text, value))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and HALVES.search(value) is None
