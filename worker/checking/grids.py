"""Whether grids are solutions: many at a time with NumPy, and one with the reason why it is not."""

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt

import numpy as np
from numpy.typing import NDArray

#: the symbols of the values 1, 2, ...; other characters stand for the value 0
SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
_VALUES = bytes(SYMBOLS.find(chr(code)) + 1 for code in range(256))
#: what stands for a cell without a clue
EMPTY = ord(".")
#: grids that are checked together; their bits then fit into the cache
BLOCK = 2048

Values = NDArray[np.uint8]


def wrong(puzzles: Sequence[str], solutions: Sequence[str]) -> Iterator[int]:
    """Yield the indexes of the grids that do not solve the puzzle beside them.

    All texts have the length of the first puzzle; `fault` checks texts of any length.
    """
    cells = len(puzzles[0])
    for start in range(0, len(puzzles), BLOCK):
        given, found = (_text(some[start : start + BLOCK]) for some in (puzzles, solutions))
        symbols = np.frombuffer(given, np.uint8).reshape(-1, cells)
        clash = (symbols != np.frombuffer(found, np.uint8).reshape(-1, cells)) & (symbols != EMPTY)
        is_wrong = ~are_complete(_values(found, cells))
        if clash.any():  # as a rule none does, and rows are looked at more slowly
            is_wrong |= clash.any(axis=1)
        yield from (start + np.flatnonzero(is_wrong)).tolist()


def scores(solutions: Sequence[str], weights: Sequence[int]) -> list[int]:
    """Return the sum of weight times value over the cells of each grid."""
    weight, found = np.array(weights, np.int64), list[int]()
    for start in range(0, len(solutions), BLOCK):
        values = _values(_text(solutions[start : start + BLOCK]), weight.size)
        found += (values.astype(np.int64) @ weight).tolist()
    return found


def ring_weights(side: int) -> list[int]:
    """Return the weights of a target sudoku that has none of its own: 6 on the border, and so on.

    >>> ring_weights(4)
    [6, 6, 6, 6, 6, 7, 7, 6, 6, 7, 7, 6, 6, 6, 6, 6]
    """
    last = side - 1
    return [6 + min(y, x, last - y, last - x) for y in range(side) for x in range(side)]


def fault(puzzle: str, solution: str, symbols: str = SYMBOLS) -> str | None:
    """Return why a grid does not solve a puzzle; None if it does.  `symbols` are those of 1, 2, ...

    >>> fault("1.3.............", "1234341221434321")
    >>> fault("1.3.............", "1234341221434312")
    'column 3 has 1 twice'
    """
    side = isqrt(len(puzzle))
    if len(solution) != len(puzzle):
        return f"it has {len(solution)} cells"
    for cell, (clue, symbol) in enumerate(zip(puzzle, solution, strict=True)):
        place = f"row {cell // side + 1}, column {cell % side + 1}"
        if symbol not in symbols[:side]:
            return f"{place} is {symbol!r}"
        if clue not in {".", symbol}:
            return f"{place} is {symbol}, but the clue is {clue}"
    return next(_repetitions(side, solution), None)


def _repetitions(side: int, solution: str) -> Iterator[str]:
    cells = range(side * side)
    height, width = _box(side)
    units = {
        "row": [cell // side for cell in cells],
        "column": [cell % side for cell in cells],
        "box": [cell // side // height * height + cell % side // width for cell in cells],
    }
    for name, unit_of in units.items():
        seen: set[tuple[int, str]] = set()
        for key in zip(unit_of, solution, strict=True):
            if key in seen:
                yield f"{name} {key[0] + 1} has {key[1]} twice"
            seen.add(key)


def _box(side: int) -> tuple[int, int]:
    """Return height and width of a box: as nearly square as possible, and not higher than wide.

    >>> [_box(side) for side in (6, 9, 12)]
    [(2, 3), (3, 3), (3, 4)]
    """
    height = max(height for height in range(1, isqrt(side) + 1) if side % height == 0)
    return height, side // height


def units(side: int) -> NDArray[np.int64]:
    """Return the cells of each row, column and box."""
    cells = np.arange(side * side).reshape(side, side)
    height, width = _box(side)
    boxes = cells.reshape(side // height, height, side // width, width).swapaxes(1, 2)
    return np.concatenate([cells, cells.T, boxes.reshape(side, side)])


def _text(grids: Iterable[str]) -> bytes:
    return "".join(grids).encode("latin-1", "replace")


def _values(text: bytes, cells: int) -> Values:
    return np.frombuffer(text.translate(_VALUES), np.uint8).reshape(-1, cells)


def are_complete(grids: Values) -> NDArray[np.bool_]:
    """Return which grids have every value in each row, column and box."""
    count, cells = grids.shape
    side = isqrt(cells)
    height, width = _box(side)
    # Grids last: each operation then works on the same cell of many grids.
    by_cell = np.ascontiguousarray(grids.T)
    bits = np.left_shift(1, by_cell, dtype=np.uint16 if side < 16 else np.uint32)
    lines = bits.reshape(side, side, count)
    boxes = bits.reshape(side // height, height, side // width, width, count)
    every = (2 << side) - 2
    complete: NDArray[np.bool_] = (np.bitwise_or.reduce(lines, axis=1) == every).all(axis=0)
    complete &= (np.bitwise_or.reduce(lines, axis=0) == every).all(axis=0)
    complete &= (np.bitwise_or.reduce(boxes, axis=(1, 3)) == every).all(axis=(0, 1))
    return complete
