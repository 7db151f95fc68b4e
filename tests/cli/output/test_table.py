"""Answers as a table."""

import io
from collections.abc import Iterable
from itertools import islice, repeat

import pytest

from cli.output.row import AnswerRow
from cli.output.table import LOOK_AHEAD_ROWS, write_table
from tests.cli.answers import ALL, INVALID, MULTIPLE, NONE, TARGET, UNIQUE, UNPROVEN


def lines(answers: Iterable[AnswerRow]) -> list[str]:
    out = io.StringIO()
    write_table(answers, out)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 100, 200])
def test_every_line_fits_the_screen(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    long = TARGET._replace(label="a label that is longer than it should be")
    assert max(map(len, lines([*ALL, long]))) <= width


def test_a_wide_screen_shows_the_whole_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert TARGET.solution in lines([TARGET])[1].split()


def test_a_narrow_screen_cuts_the_solution_with_an_ellipsis() -> None:
    assert lines([TARGET])[1].endswith("…")


def test_empty_columns_are_left_out() -> None:
    header = lines([UNIQUE, MULTIPLE])[0].split()
    assert header == ["id", "clues", "status", "solutions", "ms", "solution"]


def test_batch_and_size_are_shown_if_they_differ() -> None:
    header = lines([UNIQUE, UNIQUE._replace(batch=8, size=16)])[0].split()
    assert header[:3] == ["id", "batch", "size"]


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
