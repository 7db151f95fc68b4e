"""Grids one a line: what is wrong is said with the place and the cure."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.values import Kind
from tests.worker.formats.reading import errors, read, texts
from worker.formats.block import Block
from worker.formats.readers.find_grid import find_grid
from worker.formats.source import open_source

GRID = "987..25..........7.....736...32..4..4...8....625.....3.5..1..3.1.8376.5....5..19."
OTHER = GRID[::-1]


def test_a_line_with_a_cell_too_few_is_no_puzzle_and_the_rest_goes_on() -> None:
    content = f"{GRID}\n{GRID[1:]}\n{OTHER}\n"
    assert errors(content) == [(2, "80 cells, expected 81")]
    assert [e.text for e in read(content)[1] if e.error is None] == [GRID, OTHER]


def test_a_line_with_a_cell_too_many_is_no_puzzle() -> None:
    assert errors(f"{GRID}\n{GRID}.\n") == [(2, "82 cells, expected 81")]


def test_a_strange_symbol_is_named_with_its_place() -> None:
    content = f"{GRID}\n{GRID[:40]}q{GRID[41:]}\n"
    assert errors(content) == [
        (2, "`q` at character 41 is not a cell; empty cells are . or 0"),
    ]


def test_a_line_without_any_grid_asks_for_a_comment_sign() -> None:
    assert errors(f"{GRID}\nby Anna\n") == [
        (2, "no grid of 81 cells; put # before a comment"),
    ]


def test_what_is_shown_of_a_bad_line_is_short_and_harmless() -> None:
    (bad,) = [e for e in read(f"{GRID}\n\x1b[31m{'x' * 500}\n")[1] if e.error]
    assert len(bad.text) == 200
    assert bad.text.isprintable() or "\ufffd" in bad.text
    assert "\x1b" not in bad.text


def test_contradictory_clues_are_a_puzzle() -> None:
    assert texts("5" * 81 + "\n") == ["5" * 81]


def test_the_empty_grid_is_a_puzzle_with_any_symbol_for_empty() -> None:
    for empty in ".0*_-xX":
        assert texts(empty * 81 + "\n") == ["." * 81]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        (GRID, None),
        (f"{GRID} # 277 FNTX", "277 FNTX"),
        (f"easy-1 {GRID}", "easy-1"),
        (f"{GRID},{OTHER.replace('.', '1')},7.2", "7.2"),
        (f"{GRID}:1:{'123456789' * 9}", "1"),
        (f'"{GRID}"', None),
        (f"{GRID} Österreich", "Österreich"),
    ],
)
def test_the_words_around_a_grid_are_its_label(line: str, label: str | None) -> None:
    (entry,) = read(f"{line}\n")[1]
    assert (entry.text, entry.label) == (GRID, label)


words = st.text("ab12.,;:| \t#+'\"x", max_size=20)


@given(words, words)
def test_the_short_cut_for_few_words_finds_what_the_long_way_finds(before: str, after: str) -> None:
    line = (before + GRID + after).strip()
    expected = find_grid(line, lambda text: len(text) == 81 and set(text) <= set(".123456789*x"))
    entries = read(f"{GRID}\n{line}\n", "lines")[1][1:]
    if line.startswith("#"):
        assert entries == []
    elif expected is None:
        assert [entry.error is not None for entry in entries] == [True]
    else:
        (entry,) = entries
        assert (entry.text, entry.label) == (expected[0].replace("x", "."), expected[1])


def test_of_a_puzzle_and_its_solution_the_puzzle_is_taken() -> None:
    assert texts(f"{'123456789' * 9},{GRID}\n") == [GRID]


def test_a_header_below_the_first_grid_is_a_bad_line() -> None:
    assert [line for line, _ in errors(f"{GRID}\npuzzle,solution\n{OTHER}\n")] == [2]


def test_a_word_puzzle_before_the_first_grid_is_no_column_header() -> None:
    (entry,) = read(f"puzzle {GRID}\n")[1]
    assert (entry.text, entry.label) == (GRID, "puzzle")


def test_rules_between_grids_are_passed_over() -> None:
    assert texts(f"{GRID}\n========\n{OTHER}\n") == [GRID, OTHER]


def test_nothing_after_end_is_read() -> None:
    layout, entries = read(f"{GRID}\nend\n{OTHER}\nrubbish\n")
    assert [e.text for e in entries] == [GRID]
    assert layout.ended


def test_letters_and_digits_can_stand_in_one_file_of_two_sizes() -> None:
    large = "ABCDEFGHIJKLMNOP" + "-" * 240
    layout, entries = read(f"{GRID}\n{large}\n")
    assert layout.size is None
    assert [e.text for e in entries] == [GRID, "123456789ABCDEFG" + "." * 240]
    assert [e.error for e in entries] == [None, None]


ODD = (
    "",
    GRID[1:],
    GRID + ".",
    GRID[:40] + "q" + GRID[41:],
    f"{GRID} easy",
    f" {OTHER}",
    "by Anna",
)


@given(st.lists(st.sampled_from([GRID, OTHER, OTHER.replace(".", "0"), *ODD]), max_size=12))
def test_lines_in_bulk_are_read_as_they_are_one_by_one(some: list[str]) -> None:
    content = "\n".join([GRID] * 20 + some) + "\n"
    one_by_one = read(content + "# a comment, so that there is no bulk\n")[1]
    assert read(content)[1] == one_by_one


def test_a_cell_that_slipped_into_the_next_line_makes_two_bad_ones() -> None:
    slipped = f"{GRID[:80]}\n{GRID[80]}{GRID}\n"
    assert [line for line, _ in errors(f"{GRID}\n" * 20 + slipped)] == [21, 22]


def test_plain_grids_come_in_bulk_and_their_lines_are_counted() -> None:
    content = f"{GRID}\n{OTHER}\n".encode()
    with open_source("-", None, io.BytesIO(content)) as source:
        assert list(source.blocks()) == [Block(Kind.SUDOKU, 81, range(1, 3), content.decode())]
    with open_source("-", None, io.BytesIO(b"2\n" + content)) as source:
        assert [(entry.line, entry.text) for entry in source] == [(2, GRID), (3, OTHER)]
