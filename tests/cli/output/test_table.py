"""Answers as a table."""

import io
from collections.abc import Iterable
from itertools import islice, repeat

import pytest
from click import unstyle
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len, set_cell_size

from cli.output.table import LOOK_AHEAD_ROWS, table_lines, write_table
from cli.streams import Colour
from storage.view import AnswerRow
from tests.cli.answers import ALL, BEST, COVER, INVALID, MULTIPLE, NONE, TARGET, UNIQUE, UNPROVEN

CHINESE = "这是一个有十九个汉字的标签呀看看怎么样吧"
LONG = "a label that is longer than it should be, but still tells puzzles apart"
WIDTHS = st.integers(80, 240)
LABELS = st.none() | st.text(st.sampled_from("ab 数独é"), min_size=1, max_size=60)


def lines(answers: Iterable[AnswerRow], width: int = 80) -> list[str]:
    return "".join(table_lines(answers, width)).splitlines()


@settings(deadline=None)
@given(WIDTHS, st.lists(LABELS, min_size=len(ALL), max_size=len(ALL)))
def test_every_line_fits_the_screen_and_columns_are_aligned(
    width: int, labels: list[str | None]
) -> None:
    answers = [one._replace(label=label) for one, label in zip(ALL, labels, strict=True)]
    header, *rows = lines(answers, width)
    before, _, _ = header.partition("status")
    for answer, row in zip(answers, rows, strict=True):
        assert cell_len(row) <= width
        start = set_cell_size(row, cell_len(before))
        assert row[len(start) :].startswith(answer.status)


@settings(deadline=None)
@given(WIDTHS)
def test_a_solution_is_shown_whole_or_not_at_all(width: int) -> None:
    header, *rows = lines([TARGET._replace(label=LONG), INVALID], width)
    assert ("solution" in header.split()) is (BEST in rows[0])
    assert BEST in rows[0] or BEST[:9] not in rows[0]


def test_a_file_has_whole_labels_and_solutions() -> None:
    out = io.StringIO()
    write_table([TARGET._replace(label=LONG), INVALID], out)
    _, first, second = out.getvalue().splitlines()
    assert LONG in first
    assert first.endswith(BEST)
    assert second.endswith(str(INVALID.detail))


def test_a_file_has_larger_solutions_whole_after_many_smaller_ones() -> None:
    out = io.StringIO()
    write_table([UNIQUE] * LOOK_AHEAD_ROWS + [UNIQUE._replace(solution="1" * 256)], out)
    assert out.getvalue().splitlines()[-1].endswith(" " + "1" * 256)


def test_labels_take_the_room_that_is_left() -> None:
    answers = [TARGET._replace(label=LONG), UNIQUE._replace(label=CHINESE)]
    for width in (120, 240):
        first, second = lines(answers, width)[1:]
        assert LONG in first
        assert CHINESE in second
    assert f" {LONG[:35]}… " in lines(answers, 80)[1]


def test_a_long_label_leaves_room_for_the_solution() -> None:
    first = lines([TARGET._replace(label=LONG)], 150)[1]
    assert first.endswith(BEST)
    assert f" {LONG[:16]}" in first


def test_short_solutions_are_shown_on_every_screen() -> None:
    assert [line.split()[-2:] for line in lines([COVER])[1:]] == [["1", "2"]]


def test_without_room_for_solutions_the_reason_of_an_invalid_line_is_shown() -> None:
    header, *_, invalid = lines([UNIQUE._replace(label=LONG), INVALID])
    assert header.endswith("  detail")
    assert invalid.endswith("  80 cells, expected 81")


def test_ids_are_never_cut() -> None:
    answers = (UNIQUE._replace(id=number, label=LONG) for number in range(1, 3 * LOOK_AHEAD_ROWS))
    rows = lines(answers)[1:]
    assert [int(row.split()[0]) for row in rows] == list(range(1, 3 * LOOK_AHEAD_ROWS))
    assert len(set(map(len, rows))) == 1


def test_a_value_that_is_wider_than_its_column_shortens_the_label() -> None:
    answers = [UNIQUE._replace(label=LONG)] * LOOK_AHEAD_ROWS
    wide = UNIQUE._replace(label=LONG, solutions=10**9)
    *_, row, last = lines([*answers, wide])
    assert len(last) == len(row) == 80
    assert " 1,000,000,000 " in last


@pytest.mark.parametrize(
    ("status", "colour"),
    [
        ("solved", None),
        ("none", Colour.BLUE),
        ("timeout", Colour.ORANGE),
        ("invalid", Colour.RED),
        ("failed", Colour.RED),
    ],
)
def test_every_status_but_solved_has_a_colour(status: str, colour: Colour | None) -> None:
    answer = UNIQUE._replace(status=status)
    _, row = table_lines([answer], 80, in_colour=True)
    assert unstyle(row) == list(table_lines([answer], 80))[1]
    assert ("\x1b[" in row) is (colour is not None)
    assert colour is None or f"\x1b[38;5;{int(colour)}m{status}\x1b[0m" in row


def test_empty_columns_are_left_out() -> None:
    header = lines([UNIQUE, MULTIPLE])[0].split()
    assert header == ["id", "clues", "status", "solutions", "ms"]


def test_batch_and_size_are_shown_if_they_differ() -> None:
    header = lines([UNIQUE, UNIQUE._replace(batch=8, size=16)])[0].split()
    assert header[:3] == ["id", "batch", "size"]
    assert "size" not in lines([UNIQUE, INVALID])[0]


def test_an_inexact_number_of_solutions_has_a_plus() -> None:
    cells = [line.split() for line in lines([UNIQUE, MULTIPLE])[1:]]
    assert [line[3] for line in cells] == ["1", "2+"]


def test_an_unproven_score_is_followed_by_its_bound() -> None:
    first, second = lines([TARGET, UNPROVEN])[1:]
    assert " 2870 " in first
    assert " 2866≤2881 " in second


def test_an_invalid_line_shows_the_reason() -> None:
    assert lines([INVALID])[1].endswith("80 cells, expected 81")


def test_without_answers_no_table_is_written() -> None:
    assert lines([]) == []


def test_a_puzzle_without_solution_has_status_none() -> None:
    assert lines([NONE])[1].split() == ["64", "30", "none", "0", "0.612"]


def test_memory_does_not_grow_with_the_answers() -> None:
    class Endless(Exception):
        """Enough lines were written."""

    class Out(io.StringIO):
        lines = 0

        def write(self, text: str) -> int:
            self.lines += text.count("\n")
            if self.lines > 2 * LOOK_AHEAD_ROWS:
                raise Endless
            return len(text)

    with pytest.raises(Endless):
        write_table(repeat(TARGET), Out())
    assert len(lines(islice(repeat(TARGET), 3 * LOOK_AHEAD_ROWS))) == 3 * LOOK_AHEAD_ROWS + 1
