"""What candidates imply, compared with the same rules on sets of symbols, cell by cell."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.sudoku import grids
from worker.compiling.entry import entry
from worker.compiling.vectors import WIDTH
from worker.sudoku.board import board
from worker.sudoku.lanes import propagate as rules
from worker.sudoku.lanes.board import CELLS, SIDE, new_grid, places
from worker.sudoku.lanes.propagate import CHANGED, DEAD, SEVERAL

UNITS = [set(unit.tolist()) for unit in board(SIDE).units]
LINES, BOXES = UNITS[:18], UNITS[18:]
PEERS = [set().union(*(unit for unit in UNITS if cell in unit)) - {cell} for cell in range(CELLS)]
CROSSINGS = [(line, box) for line, box in product(LINES, BOXES) if line & box]

Candidates = list[set[int]]


@entry(rules.__file__)
def propagate(grid: Any) -> Any:
    return rules.propagate(grid)


@entry(rules.__file__)
def propagate_once(source: Any, target: Any) -> Any:
    return rules.propagate_once(source, target)


def symbols_in(left: Candidates, cells: set[int]) -> set[int]:
    return set().union(*(left[cell] for cell in cells))


def confined(left: Candidates, line: set[int], box: set[int]) -> set[int]:
    """The symbols that a line and a box have in their crossing."""
    here = symbols_in(left, line & box)
    if len(here) == 3:
        return here
    locked = here - (symbols_in(left, line - box) & symbols_in(left, box - line))
    return locked.union(*(left[cell] for cell in line & box if len(left[cell]) == 1))


def excluded(left: Candidates) -> Candidates:
    """What each cell cannot have."""
    out: Candidates = [set() for _ in left]
    for cell, symbols in enumerate(left):
        if len(symbols) == 1:
            for peer in PEERS[cell]:
                out[peer] |= symbols
    for unit in UNITS:
        for symbol in range(SIDE):
            has = [cell for cell in unit if symbol in left[cell]]
            if len(has) == 1:
                out[has[0]] |= left[has[0]] - {symbol}
    for line, box in CROSSINGS:
        fixed = confined(left, line, box)
        for cell in line ^ box:
            out[cell] |= fixed
        if len(fixed) == 3:
            for cell in line & box:
                out[cell] |= set(range(SIDE)) - fixed
    return out


def is_dead(left: Candidates) -> bool:
    return (
        not all(left)
        or any(len(symbols_in(left, unit)) < SIDE for unit in UNITS)
        or any(len(symbols_in(left, line & box)) < 3 for line, box in CROSSINGS)
        or any(len(confined(left, line, box)) > 3 for line, box in CROSSINGS)
    )


def propagated(left: Candidates) -> Candidates | None:
    """What is left at last; None if there is no solution."""
    while not is_dead(left):
        out = [symbols & gone for symbols, gone in zip(left, excluded(left), strict=True)]
        if not any(out):
            return left
        left = [symbols - gone for symbols, gone in zip(left, out, strict=True)]
    return None


def lanes(left: Candidates) -> NDArray[np.uint16]:
    mask = new_grid().mask
    mask[places()] = [sum(1 << symbol for symbol in symbols) for symbols in left]
    return mask


@given(st.integers(0, 10**6), st.integers(17, 34), st.data())
def test_all_implications_are_found_and_no_others(
    seed: int, clues: int, data: st.DataObject
) -> None:
    puzzle = next(grids(seed, clues))
    left = [{int(symbol) - 1} if symbol != "." else set(range(SIDE)) for symbol in puzzle]
    for cell in data.draw(st.lists(st.integers(0, 80), max_size=12)):  # some have no solution
        left[cell] = left[cell] - {data.draw(st.integers(0, 8))} or left[cell]
    expected, grid = propagated(left), new_grid()
    grid.mask[:] = lanes(left)
    signs = propagate(grid)
    assert (signs & DEAD != 0) == (expected is None)
    if expected is not None:
        assert np.array_equal(grid.mask, lanes(expected))
        assert (signs & SEVERAL != 0) == any(len(symbols) > 1 for symbols in expected)


@pytest.mark.parametrize("seed", range(50))
def test_compiled_rules_do_what_they_do_on_arrays(seed: int) -> None:
    random, mask = np.random.default_rng(seed), new_grid().mask
    bits = random.integers(0, 512, (CELLS, 3)).astype(np.uint16)
    mask[places()] = bits[:, 0] | bits[:, 1] | (bits[:, 2] if seed % 2 else 0)
    target = np.zeros_like(mask)
    signs = propagate_once(mask, target)
    vectors, found = rules.exclude(list(mask.reshape(-1, WIDTH)))
    assert np.array_equal(target, np.concatenate(vectors))
    assert [bool(signs & sign) for sign in (DEAD, CHANGED, SEVERAL)] == [
        bool(sign.any()) for sign in found
    ]
