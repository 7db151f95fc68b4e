"""Grids drawn as text."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from cli.drawing import (
    AVERAGE_SCORE,
    draw_grid,
    rings,
    side_by_side,
    wrap_blocks,
)
from tests.cli.answers import BEST, PUZZLE
from tests.sudoku import BOXES
from worker.formats.svg import RING_WEIGHTS


def test_the_rings_have_32_24_16_8_and_1_cells() -> None:
    weights = Counter(RING_WEIGHTS)
    assert weights == {6: 32, 7: 24, 8: 16, 9: 8, 10: 1}


def test_the_points_of_the_rings_sum_to_the_score() -> None:
    assert sum(ring.points for ring in rings(BEST)) == 2870
    assert [ring.cells for ring in rings(BEST)] == [1, 8, 16, 24, 32]
    assert sum(ring.digits for ring in rings(BEST)) == 405


def test_the_average_score_follows_from_the_sums() -> None:
    weights = sum(RING_WEIGHTS)
    assert weights * 405 / 81 == AVERAGE_SCORE


@pytest.mark.parametrize("size", sorted(BOXES))
def test_a_drawn_grid_has_its_cells_in_order(size: int) -> None:
    symbols = ".123456789ABCDEFGHIJKLMNOP"
    grid = "".join(symbols[cell % (size + 1)] for cell in range(size * size))
    lines = [line.plain for line in draw_grid(grid)]
    assert "".join(lines).replace(" ", "") == grid
    height, width = BOXES[size]
    bands = "\n".join(lines).split("\n\n")
    assert [band.count("\n") + 1 for band in bands] == [height] * width
    assert all(len(box.split()) == width for line in lines if line for box in line.split("   "))
    assert max(map(len, lines)) <= 58


def test_only_clues_are_bold() -> None:
    first = draw_grid(BEST, PUZZLE)[0]
    bold = {first.plain[span.start : span.end].strip() for span in first.spans if _bold(span.style)}
    assert bold == {"9", "8", "7", "2", "5"}
    assert first.plain.replace(" ", "") == BEST[:9]


def test_found_cells_have_a_colour_and_clues_the_default_one() -> None:
    first = draw_grid(BEST, PUZZLE)[0]
    coloured = [span for span in first.spans if getattr(span.style, "color", None)]
    assert "".join(first.plain[span.start : span.end] for span in coloured).split() == list("6341")


def test_on_rings_clues_and_found_cells_have_different_colours() -> None:
    first = draw_grid(BEST, PUZZLE, coloured_rings=True)[0]
    colours = {_bold(span.style): getattr(span.style, "color", None) for span in first.spans}
    assert len(set(colours.values())) == 2


def test_a_block_keeps_the_padding_of_its_last_cell_beside_a_shorter_block() -> None:
    grid = draw_grid(BEST, PUZZLE, wide=True)
    together = side_by_side([grid, [Text("one line")]])
    assert [line.plain for line in together[1:]] == [line.plain for line in grid[1:]]
    assert together[0].plain == grid[0].plain + "   one line"


def _bold(style: object) -> bool:
    return bool(getattr(style, "bold", False))


def test_each_ring_has_its_own_colour() -> None:
    lines = draw_grid(BEST, PUZZLE, coloured_rings=True)
    colours = {
        getattr(span.style, "bgcolor", None).name  # type: ignore[union-attr]
        for line in lines
        for span in line.spans
    }
    assert len(colours) == 5


@given(st.lists(st.lists(st.text("ab ", max_size=5), max_size=4), max_size=4))
def test_blocks_side_by_side_keep_every_character(blocks: list[list[str]]) -> None:
    together = side_by_side([[Text(line) for line in block] for block in blocks])
    letters = Counter("".join(line.plain for line in together).replace(" ", ""))
    assert letters == Counter("".join(map("".join, blocks)).replace(" ", ""))


@given(st.lists(st.integers(1, 40), max_size=10), st.integers(20, 100))
def test_wrapped_blocks_fit_the_screen_in_order(widths: list[int], room: int) -> None:
    rows = wrap_blocks(([Text("x" * width)] for width in widths), room)
    assert [line.cell_len for row in rows for (line,) in row] == widths
    for row in rows:
        assert len(row) <= 1 or max(t.cell_len for t in side_by_side(row)) <= room
