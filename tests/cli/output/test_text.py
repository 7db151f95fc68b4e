"""Answers as lines and grids."""

import io
from collections.abc import Callable, Iterable
from pathlib import Path

from cli.output.text import write_grid, write_lines
from storage.view import AnswerRow
from tests.cli.answers import BEST, INVALID, NONE, TARGET, TIMEOUT, UNPROVEN
from worker.formats.source import open_source

Write = Callable[[Iterable[AnswerRow], io.StringIO], None]


def written(write: Write, answers: Iterable[AnswerRow]) -> str:
    out = io.StringIO()
    write(answers, out)
    return out.getvalue()


def test_lines_are_the_solution_or_the_status() -> None:
    lines = written(write_lines, [TARGET, NONE, TIMEOUT, INVALID, UNPROVEN]).splitlines()
    assert lines == [BEST, "none", "timeout", "invalid", BEST]


def test_written_grids_can_be_read_as_rows(tmp_path: Path) -> None:
    path = tmp_path / "grids.txt"
    path.write_text(written(write_grid, [TARGET, UNPROVEN, TARGET._replace(label="# a")]))
    with open_source(str(path)) as source:
        assert source.layout.format == "rows"
        assert [entry.text for entry in source] == [BEST, BEST, BEST]


def test_without_a_solution_the_puzzle_is_written_with_its_status() -> None:
    text = written(write_grid, [NONE])
    assert text.splitlines()[0] == f"# {NONE.id} · none"
    assert "".join(text.splitlines()[1:]) == NONE.puzzle
