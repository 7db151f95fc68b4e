"""Tells the solutions among the grids of an input from the puzzles."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from storage.values import Kind
from worker.formats import variants
from worker.formats.entry import Block, Entry, blocks_of
from worker.formats.errors import FormatError
from worker.sudoku.symbols import EMPTY

#: the error for a full grid that is no solution, where others are or one is expected
NO_SOLUTION = (
    "a grid without empty cells that is no solution of the one beside it, because clues differ; "
    "remove it, or name the columns in the first line (puzzle,solution)"
)
#: the remedy where it is not clear which grids are solutions
REMEDY = 'write each solution below its puzzle, or {"puzzle": ...} for each grid that is a puzzle'
#: turns the bytes of grids into 0 where a cell is empty, and 1 elsewhere
_CLUES = bytes(int(chr(code) != EMPTY) for code in range(256))


def with_solutions(grids: Iterable[Entry]) -> list[Entry]:
    """Return the puzzles among the grids of a line.

    A grid without empty cells is the solution of the one before it, or else of the one after it, if
    it has all clues of that grid; otherwise it is a puzzle.

    >>> some = [Entry(1, None, text) for text in ("1..4", "1234", "4321", ".3..")]
    >>> [(puzzle.text, puzzle.solution) for puzzle in with_solutions(some)]
    [('1..4', '1234'), ('.3..', '4321')]
    """
    found: list[Entry] = []
    for grid in grids:
        pair = _pair(found[-1], grid, _solves) if found else None
        if pair is None:
            found.append(grid)
        else:
            found[-1] = pair
    return found


def paired(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the puzzles of an input, each with the solution that stands below or above it.

    If one grid is the solution of another, every grid without empty cells has to be one.  Raises
    FormatError for solutions that are not beside their puzzles, and for a map of regions: then the
    puzzles are no ordinary sudokus.
    """
    pairs = _Pairs()
    for block in blocks:
        if block.kind is not Kind.SUDOKU:
            yield from blocks_of(pairs.end())
            yield block
        elif pairs.are_none(block):
            yield from blocks_of(pairs.end())
            yield from pairs.hold_last(block)
        else:
            yield from blocks_of(chain.from_iterable(map(pairs.add, block.entries())))
    yield from blocks_of(pairs.end())


class _Pairs:
    """Holds each grid until it is known whether the next one is its solution, or its puzzle."""

    def __init__(self) -> None:
        self._held: Entry | None = None
        self._first: Entry | None = None  #: the first puzzle that has empty cells
        self._has_pairs = False
        self._alone = 0  #: the line of the first grid without empty cells that is no solution

    def add(self, entry: Entry) -> Iterator[Entry]:
        """Yield the grid before this one; or both as one, if one is the solution of the other."""
        pair = None if self._held is None else _pair(self._held, entry, _is_solution)
        if pair is None:
            yield from self.end()
            self._held = entry
        elif self._alone:
            what = (
                f"the solution of its neighbour, but the full grid on line {self._alone} is of none"
            )
            raise _doubt(entry, what)
        else:
            self._held, self._has_pairs = None, True
            self._first = self._first or pair
            yield pair

    def end(self) -> Iterator[Entry]:
        """Yield the grid that is held, which is neither the solution nor the puzzle of another."""
        entry, self._held = self._held, None
        if entry is None:
            return
        if variants.is_region_map(entry.text):
            raise variants.with_map(entry.line)
        if EMPTY in entry.text:
            self._first = self._first or entry
        elif entry.solution is None and self._has_pairs:
            entry = Entry.wrong(entry.line, entry.text, NO_SOLUTION, entry.label)
        elif entry.solution is None:
            if self._first is not None and _is_solution(entry.text, self._first.text):
                raise _doubt(entry, f"the solution of the puzzle on line {self._first.line}")
            self._alone = self._alone or entry.line
        yield entry

    def are_none(self, block: Block) -> bool:
        """Return whether a look at the whole block shows that it has no solution of another grid.

        Its last grid is not meant, which is to be held.
        """
        held = "" if self._held is None else self._held.text
        if block.solutions is not None:
            return False
        if EMPTY not in block.text:
            return self._alone > 0 and EMPTY not in held
        return self._first is not None and (EMPTY in held or not held) and not _has_full(block)

    def hold_last(self, block: Block) -> Iterator[Block]:
        """Hold the last grid of a block, and yield the block without it."""
        at, labels = (block.count - 1) * ((block.cells or 0) + 1), block.labels or ()
        last = replace(block, places=block.places[-1:], text=block.text[at:], labels=labels[-1:])
        (self._held,) = last.entries()
        if at:
            places = block.places[:-1]
            yield replace(block, places=places, text=block.text[:at], labels=labels[:-1])


def _doubt(entry: Entry, what: str) -> FormatError:
    return FormatError(f"this grid is {what}", line=entry.line, remedy=REMEDY)


def _has_full(block: Block) -> bool:
    """Return whether a grid of a block has no empty cell.

    Bit by bit, the places of the grids whose first cells are all clues; soon there are none.
    """
    cells, text = block.cells or 0, block.text.encode()
    full = -1
    for cell in range(cells):
        full &= int.from_bytes(text[cell :: cells + 1].translate(_CLUES), "little")
        if not full:
            return False
    return True


def _pair(before: Entry, after: Entry, solves: Callable[[str, str], bool]) -> Entry | None:
    """Return the one of two grids whose solution is the other, with its solution; or None."""
    if before.kind is not after.kind or before.solution is not None or after.solution is not None:
        return None
    for puzzle, grid in ((before, after), (after, before)):
        if solves(grid.text, puzzle.text):
            return puzzle._replace(solution=grid.text)
    return None


def _is_solution(grid: str, puzzle: str) -> bool:
    """Return whether a grid solves a puzzle that has clues; one without any has every solution."""
    has_clues = EMPTY in puzzle and puzzle.strip(EMPTY) != ""
    return len(grid) == len(puzzle) and has_clues and _solves(grid, puzzle)


def _solves(solution: str, puzzle: str) -> bool:
    return EMPTY not in solution and all(
        clue in {EMPTY, cell} for clue, cell in zip(puzzle, solution, strict=True)
    )
