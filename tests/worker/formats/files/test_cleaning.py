"""Only the puzzle sections of a file are read."""

from tests.worker.formats.reading import GRID, errors, read, texts
from worker.formats.files.text import HEAD_BYTES

ROWS = "\n".join(GRID[at : at + 9] for at in range(0, 81, 9))


def test_errors_have_the_line_numbers_of_the_whole_file() -> None:
    content = f"[Author]\nAda\n[Puzzle]\n{ROWS}\n[State]\n{ROWS}\n[Puzzle]\n{ROWS[1:]}\n"
    first, second = read(content)[1]
    assert (first.line, first.text) == (4, GRID)
    assert second.line == 24
    assert errors(content) == [(24, "row 1 (line 24): 8 cells, expected 9")]


def test_sections_in_later_blocks_are_skipped() -> None:
    once = f"[puzzle]\n{ROWS}\n[State]\n{ROWS.replace('.', '1')}\n"
    times = 5 * HEAD_BYTES // len(once)
    assert [entry.text for entry in read(once * times)[1]] == [GRID] * times


def test_a_file_without_a_puzzle_section_has_no_sections() -> None:
    assert texts(f"[State]\n{GRID}\n") == [GRID]
