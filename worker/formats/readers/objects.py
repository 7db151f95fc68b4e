"""Reads JSON Lines: one object per line, with a grid as text or lists, or with a cover problem.

The output of `results -f jsonl` is also accepted.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from storage.values import Kind
from worker.covers.decoding import MEMBERS, validate
from worker.covers.text import encode
from worker.errors import PuzzleError
from worker.formats import extras, variants
from worker.formats.entry import Entry
from worker.formats.errors import excerpt, label, quantity, quoted
from worker.formats.files.text import Line
from worker.formats.layout import DOUBTFUL, EXPECTED_CELLS, INVALID, SymbolTable
from worker.formats.names import ENGLISH_PUZZLES, LABELS, PUZZLES, SOLUTIONS
from worker.formats.readers.lines import NOT_FULL
from worker.sudoku.symbols import EMPTY, SIDES, SYMBOLS, VALUES

#: the number of an option in a given solution
OPTION_NUMBER = re.compile("[0-9]{1,9}")
#: greatest depth of the lists of a grid; its rows need two, and its bands three
MAX_LIST_DEPTH = 3

#: the error for a chat, whose texts have puzzles and solutions that nothing tells apart
CHAT = "this is a chat, not a puzzle; call the grid `puzzle`, and its solution `solution`"

#: the members of a DataFrame that pandas writes as one object, and the error for it
OF_PANDAS = {"columns", "index", "data"}
PANDAS = "a whole table as one object; write it with `orient='records', lines=True`"
#: members that every object of `results -f jsonl` has, and hardly any other
OF_RESULTS = {"batch", "position", "puzzle", "status", "solved_at"}

#: the symbols of grids that are texts, by their number of cells
Tables = Mapping[int, SymbolTable]


def tables_of(alphabet: str | None) -> Tables:
    """Return the tables for texts; `alphabet` has their symbols, beyond 9x9 if these are known."""
    large = alphabet if alphabet and len(alphabet) > 10 else f"0{VALUES}"
    return {
        cells: SymbolTable(large if side > 9 else SYMBOLS, side) for cells, side in SIDES.items()
    }


#: the tables for lists of numbers, which have become the symbols of stored grids
_OF_NUMBERS = tables_of(None)


def read(source: Iterable[Line], alphabet: str | None) -> Iterator[Entry]:
    """Yield the puzzle of each line that is neither blank nor a comment.

    `alphabet` has the symbols of texts beyond 9x9, if there are any.
    """
    tables = tables_of(alphabet)
    for line in source:
        text = line.text.strip()
        if line.has_content:
            yield entry_of(line.number, text, text, tables)


def entry_of(line: int, given: str | dict[str, Any], text: str, tables: Tables) -> Entry:
    """Return the puzzle of an object or its JSON, or the error with an excerpt of `text`."""
    try:
        members = _object(given) if isinstance(given, str) else given
        kind, puzzle, has_costs = _puzzle(members, tables)
        solution = _solution(members, kind, len(puzzle), tables)
        extra = extras.of_members(_rest(members, kind, solution))
        return Entry(line, _label(members), puzzle, None, solution, kind, has_costs, extra)
    except PuzzleError as error:
        return Entry.wrong(line, text, error)
    except RecursionError:
        return Entry.wrong(line, text, "lists are nested too deeply")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_members)
    except (ValueError, RecursionError) as error:
        raise PuzzleError(f"the JSON cannot be read ({error})") from None
    if not isinstance(value, dict):
        raise PuzzleError("the JSON is not an object; write {...}")
    return value


def twice(key: str) -> str:
    """Return the error for a key that occurs twice in an object, of which one would be lost."""
    return f"the key {quoted(key)} occurs twice; write an object for each puzzle"


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        raise PuzzleError(twice(next(key for key in keys if keys.count(key) > 1)))
    return members


def _label(members: dict[str, Any]) -> str | None:
    for key in LABELS:
        value = members.get(key)
        if value is not None:
            return label(str(value))
    return None


def _rest(members: dict[str, Any], kind: Kind, solution: str | None) -> dict[str, Any]:
    """Return the members of an object that are not the puzzle, its solution or its name."""
    if members.keys() >= OF_RESULTS:  # all other members are columns
        return members["extra"] if isinstance(members.get("extra"), dict) else {}
    taken = {next((key for key in LABELS if members.get(key) is not None), None)}
    if kind is Kind.COVER and "items" in members:
        taken |= MEMBERS
    else:
        taken.add(next(key for key in members if key.lower() in PUZZLES))
    if solution is not None:
        texts = [key for key, value in members.items() if isinstance(value, str | list)]
        taken.add(next(key for key in texts if key.lower() in SOLUTIONS))
    return {key: value for key, value in members.items() if key not in taken}


def _values(members: dict[str, Any], names: Collection[str]) -> list[Any]:
    """Return the values whose keys are among `names`, in any case."""
    return [value for key, value in members.items() if key in names or key.lower() in names]


def _puzzle(members: dict[str, Any], tables: Tables) -> tuple[Kind, str, bool]:
    """Return the kind of an object's puzzle, its text, and whether it has costs."""
    if "items" in members and "options" in members:
        cover = validate(members)
        if not cover.primary:
            raise PuzzleError("no primary item, so nothing to cover")
        return Kind.COVER, encode(cover), cover.costs is not None
    if (variant := variants.of_members(members.items())) is not None:
        raise PuzzleError(variant)
    values = _values(members, PUZZLES)
    if not values and variants.is_chat(members):
        raise PuzzleError(CHAT)
    if not values and members.keys() >= OF_PANDAS:
        raise PuzzleError(PANDAS)
    if not values:
        raise PuzzleError(f"no puzzle; its key is one of {', '.join(ENGLISH_PUZZLES)}")
    value = values[0]
    if isinstance(value, str) and value.startswith("{"):  # as `results -f jsonl` writes covers
        return _puzzle(_object(value), tables)
    grid = _grid(value, tables)
    _require_one_grid(members, tables[len(grid)], len(grid), value)
    return Kind.SUDOKU, grid, False


def _require_one_grid(
    members: dict[str, Any], table: SymbolTable, cells: int, puzzle: object
) -> None:
    """Raise PuzzleError if a member that is neither the puzzle nor its solution could be a grid."""
    for key, value in members.items():
        if value is puzzle or key.lower() in SOLUTIONS:
            continue
        if _could_be_grid(value, table, cells):
            why = "has a second grid; write each puzzle as an object of its own, or remove it"
            raise PuzzleError(f"{quoted(key)} {why}")


def _could_be_grid(value: object, table: SymbolTable, cells: int) -> bool:
    if isinstance(value, list):
        alike = len(list(_leaves(value))) == cells
        return alike or any(_could_be_grid(one, table, cells) for one in value)
    if not isinstance(value, str) or len(value) != cells:
        return False
    return INVALID not in value.translate(table) or (cells > 16 and value.isalnum())


def _leaves(values: list[Any]) -> Iterator[Any]:
    for value in values:
        yield from _leaves(value) if isinstance(value, list) else [value]


def _grid(value: object, tables: Tables) -> str:
    """Return the grid that is given as a text, a list of cells or a list of rows."""
    if isinstance(value, list):
        value = _without_notes(value)
    text = _joined(value) if isinstance(value, list) else value
    if isinstance(text, dict):
        raise PuzzleError(PANDAS)
    if not isinstance(text, str):
        raise PuzzleError("the puzzle is neither a text nor a list")
    if len(text) not in SIDES:
        raise PuzzleError(f"{quantity(len(text), 'cell')}, expected {EXPECTED_CELLS}")
    if isinstance(value, list) and not all(isinstance(leaf, str) for leaf in _leaves(value)):
        tables = _OF_NUMBERS
    table = tables[len(text)]
    if table.is_doubtful(text):
        raise PuzzleError(DOUBTFUL)
    grid = text.translate(table)
    if INVALID in grid:
        at = grid.index(INVALID)
        raise PuzzleError(f"`{excerpt(text[at])}` at cell {at + 1} is not a cell")
    return grid


def _without_notes(cells: list[Any]) -> list[Any]:
    """Return lists in which cells are objects, as of f-puzzles, with the given values alone.

    >>> _without_notes([{"value": 5, "given": True}, {}, {"value": 1}]), _without_notes([5, 0])
    ([5, None, None], [5, 0])
    """
    objects = [leaf for leaf in _leaves(cells) if isinstance(leaf, dict)]
    if not objects:
        return cells
    has_given = any("given" in one for one in objects)

    def value(one: Any) -> Any:
        if isinstance(one, list):
            return list(map(value, one))
        if not isinstance(one, dict):
            return one
        return one.get("value") if one.get("given", not has_given) else None

    return list(map(value, cells))


def _joined(value: object, depth: int = 0) -> str:
    """Return the cells of a text, a number, or nested lists of these."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return _symbol(value)
    if depth == MAX_LIST_DEPTH:
        raise PuzzleError("lists are nested too deeply")
    return "".join(_joined(one, depth + 1) for one in value)


def _symbol(value: object) -> str:
    if value is None:
        return EMPTY
    if value == 0:
        return "0"
    if type(value) is int and 1 <= value < len(SYMBOLS):
        return SYMBOLS[value]
    raise PuzzleError(f"{excerpt(str(value))} is not a cell")


def _solution(members: dict[str, Any], kind: Kind, cells: int, tables: Tables) -> str | None:
    """Return the solution in an object: a finished grid, or option numbers in ascending order.

    Returns None if there is none.  Raises PuzzleError for a grid that is not finished, or for two.
    """
    values = _values(members, SOLUTIONS)
    given = [value for value in values if isinstance(value, str | list)]  # a number counts them
    if not given:
        return None
    if kind is Kind.COVER:
        return _option_numbers(given[0])
    try:
        solution = _grid(given[0], tables)
    except PuzzleError:
        solution = ""
    if len(given) > 1:
        raise PuzzleError("has two solutions; remove one")
    if len(solution) == cells and EMPTY not in solution:
        return solution
    if isinstance(given[0], list) or len(given[0]) > cells // 2:
        raise PuzzleError(NOT_FULL)
    return None  # a word about it


def _option_numbers(given: str | list[Any]) -> str | None:
    options = given.split() if isinstance(given, str) else given
    if not options or not all(OPTION_NUMBER.fullmatch(str(option)) for option in options):
        return None
    return " ".join(map(str, sorted(map(int, options))))
