"""Lines broken between words."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from cli.formatting import wrap

WORDS = st.lists(st.text("ab数-é", min_size=1, max_size=12) | st.just("·"), min_size=1)


@settings(deadline=None)
@given(WORDS, st.integers(10, 80), st.integers(0, 8))
def test_broken_lines_have_all_words_in_order_and_fit(
    words: list[str], width: int, indent: int
) -> None:
    lines = wrap(" ".join(words), width, indent)
    assert " ".join(lines).split() == words
    assert all(cell_len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith(" " * indent) for line in lines[1:])


def test_parts_between_dots_stay_together() -> None:
    assert wrap("one two · three four", 16) == ["one two ·", "three four"]


def test_a_command_stays_on_one_line() -> None:
    text = "2 of 8 lines are invalid; list them: bullseye solve --dry-run puzzles.txt"
    *_, last = wrap(text, 50)
    assert last == "bullseye solve --dry-run puzzles.txt"


def test_colours_take_no_columns() -> None:
    assert wrap("\x1b[31mfail\x1b[0m redis", 10) == ["\x1b[31mfail\x1b[0m redis"]
