"""Grids of one line: words around them, and errors with their place."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.formats.reading import GRID, errors, read, texts
from worker.formats.readers.rows import AFTER_END
from worker.formats.readers.words import find_grids, words_around
from worker.formats.source import open_source

OTHER = GRID[::-1]


def test_a_line_with_a_cell_too_few_is_an_error_and_the_others_are_read() -> None:
    content = f"{GRID}\n{GRID[1:]}\n{OTHER}\n"
    assert errors(content) == [(2, "80 cells, expected 81")]
    assert [e.text for e in read(content)[1] if e.error is None] == [GRID, OTHER]


def test_a_line_with_a_cell_too_many_is_an_error() -> None:
    assert errors(f"{GRID}\n{GRID}.\n") == [(2, "82 cells, expected 81")]


def test_an_invalid_symbol_is_reported_with_its_place() -> None:
    content = f"{GRID}\n{GRID[:40]}q{GRID[41:]}\n"
    assert errors(content) == [
        (2, "`q` at character 41 is not a cell; empty cells are . or 0"),
    ]


@pytest.mark.parametrize("line", ["12 3 4", "53..7", "Anna 2024-11-05", "5 3 . . 7 Anna"])
def test_a_line_with_a_few_cells_is_an_error_that_mentions_comments(line: str) -> None:
    assert errors(f"{GRID}\n{line}\n") == [
        (2, "no grid of 81 cells; put # before a comment"),
    ]


def test_a_line_as_long_as_a_grid_is_not_prose() -> None:
    for line in ("一二三四五六七八九" * 9, "Ã(ÿ" * 27):
        assert [number for number, _ in errors(f"{GRID}\n{line}\n")] == [2]


def test_prose_around_grids_is_skipped() -> None:
    content = f"Hello all,\nsolve this one!\n{GRID}\nand (by Anna, in 2024)\n{OTHER}\n谢谢大家\n"
    assert texts(content) == [GRID, OTHER]


def test_the_excerpt_of_an_invalid_line_is_short_and_printable() -> None:
    (bad,) = [e for e in read(f"{GRID}\n\x1b[31m{'x' * 500}\n")[1] if e.error]
    assert len(bad.text) == 200
    assert bad.text.isprintable() or "\ufffd" in bad.text
    assert "\x1b" not in bad.text


def test_a_grid_with_contradictory_clues_is_a_puzzle() -> None:
    assert texts("5" * 81 + "\n") == ["5" * 81]


def test_an_empty_grid_is_read_with_each_symbol_for_empty() -> None:
    for empty in ".0*_-xX?·":
        assert texts(empty * 81 + "\n") == ["." * 81]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        (GRID, None),
        (f"{GRID} # 277 FNTX", "277 FNTX"),
        (f"easy-1 {GRID}", "easy-1"),
        (f"{GRID},{GRID.replace('.', '1')},7.2", "7.2"),
        (f"{GRID}:1:{GRID.replace('.', '9')}", "1"),
        (f'"{GRID}"', None),
        (f"{GRID} Österreich", "Österreich"),
    ],
)
def test_the_words_around_a_grid_are_its_label(line: str, label: str | None) -> None:
    (entry,) = read(f"{line}\n")[1]
    assert (entry.text, entry.label) == (GRID, label)


words = st.text("ab12.,;:| \t#+'\"x", max_size=20)


@given(words, words)
def test_the_fast_search_for_a_grid_finds_what_find_grid_finds(before: str, after: str) -> None:
    line = (before + GRID + after).strip()
    found = find_grids(line, lambda text: len(text) == 81 and set(text) <= set(".123456789*x"))
    entries = read(f"{GRID}\n{line}\n", "lines")[1][1:]
    if line.startswith("#"):
        assert entries == []
    elif not found:
        assert [entry.error is not None for entry in entries] == [True]
    else:
        (entry,) = entries
        assert (entry.text, entry.label) == (
            found[0].grid.replace("x", "."),
            words_around(line, found) or None,
        )


def test_the_grid_with_empty_cells_is_the_puzzle() -> None:
    assert texts(f"{GRID.replace('.', '1')},{GRID}\n") == [GRID]


def test_a_header_after_the_first_grid_is_an_error() -> None:
    assert [line for line, _ in errors(f"{GRID}\npuzzle,solution\n{OTHER}\n")] == [2]


def test_a_sentence_with_the_word_puzzle_is_not_a_header() -> None:
    (entry,) = read(f"puzzle {GRID}\n")[1]
    assert (entry.text, entry.label) == (GRID, "puzzle")


def test_rules_between_grids_are_skipped() -> None:
    assert texts(f"{GRID}\n========\n{OTHER}\n") == [GRID, OTHER]


def test_a_line_after_end_is_an_error() -> None:
    entries = read(f"{GRID}\nend\n\n{OTHER}\nrubbish\n")[1]
    assert [e.text for e in entries if e.error is None] == [GRID]
    assert [e.line for e in entries if e.error == AFTER_END] == [4, 5]


def test_a_heading_is_the_label_of_the_next_grid() -> None:
    content = f"Puzzle 1\n{GRID}\n{GRID}\nPuzzle 2\n{OTHER} easy\n"
    labels = [(e.label, e.error) for e in read(content)[1]]
    assert labels == [("Puzzle 1", None), (None, None), ("Puzzle 2, easy", None)]


def test_a_first_line_with_a_damaged_grid_is_no_heading() -> None:
    assert errors(f"Puzzle {GRID[1:]}\n{GRID}\n{GRID}\n") == [(1, "80 cells, expected 81")]


def test_a_file_can_have_grids_of_two_sizes_with_letters_in_the_larger() -> None:
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
def test_lines_read_in_bulk_equal_lines_read_one_by_one(some: list[str]) -> None:
    content = "\n".join([GRID] * 20 + some) + "\n"
    one_by_one = read(content + "# a comment, so that there is no bulk\n")[1]
    assert read(content)[1] == one_by_one


def test_a_cell_on_the_wrong_line_makes_two_errors() -> None:
    slipped = f"{GRID[:80]}\n{GRID[80]}{GRID}\n"
    assert [line for line, _ in errors(f"{GRID}\n" * 20 + slipped)] == [21, 22]


def test_lines_of_grids_alone_are_read_in_large_blocks() -> None:
    content = f"{GRID}\n{OTHER}\n".encode()
    with open_source("-", None, io.BytesIO(content * 10_000)) as source:
        blocks = list(source.blocks())
    assert sum(block.count for block in blocks) == 20_000
    assert sum(isinstance(block.places, range) for block in blocks) > 5
    assert len(blocks) < 20
    with open_source("-", None, io.BytesIO(b"2\n" + content)) as source:
        assert [(entry.line, entry.text) for entry in source] == [(2, GRID), (3, OTHER)]
