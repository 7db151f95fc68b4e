"""Rows of any columns as a table."""

import io
from decimal import Decimal

from cli.output.table import LOOK_AHEAD_ROWS, fitted, listing_lines, write_listing

ROWS = [["näher", 17, None], ["数独", 2500, 0.123456789], ["a\nb\tc", Decimal("1.5"), None]]


def test_numbers_are_aligned_right_and_text_left() -> None:
    out = io.StringIO()
    write_listing(ROWS, out, ["label", "n", "share"])
    assert out.getvalue() == (
        "label     n     share\nnäher    17\n数独   2500  0.123457\na b c   1.5\n"
    )


def test_without_rows_the_headings_are_written() -> None:
    out = io.StringIO()
    write_listing([], out, ["label", "n"])
    assert out.getvalue() == "label  n\n"


def test_the_widest_columns_are_cut_to_fit_the_terminal() -> None:
    lines = list(listing_lines([[7, "1" * 81, "数" * 81]], ["id", "puzzle", "label"], 80))
    assert lines == [
        "id  puzzle                                 label\n",
        " 7  " + "1" * 36 + "…  " + "数" * 18 + "…\n",
    ]


def test_numbers_are_never_cut() -> None:
    rows = ([number] for number in range(990, 990 + 2 * LOOK_AHEAD_ROWS))
    _, *lines = listing_lines(rows, ["id"], 80)
    assert [int(line) for line in lines] == list(range(990, 990 + 2 * LOOK_AHEAD_ROWS))


def test_in_a_pipe_no_cell_is_cut_even_after_the_widths_are_chosen() -> None:
    rows = [["x"]] * LOOK_AHEAD_ROWS + [["a long label"]]
    assert list(listing_lines(rows, ["label"]))[-1] == "a long label\n"


def test_columns_do_not_shrink_to_nothing() -> None:
    assert fitted([30] * 20, 80) == [8] * 20
    assert fitted([3, 30], 80) == [3, 30]
