"""Lines of one's own."""

import io

import pytest

from cli.output.row import COLUMNS
from cli.output.template import write_template
from tests.cli.answers import NONE, TARGET
from tests.cli.conftest import Bullseye, finished


def test_a_template_is_filled_for_each_answer_and_absent_is_empty() -> None:
    out = io.StringIO()
    write_template([TARGET, NONE], out, "{status:>7}|{score:05}|{ms:.1f}|{{}}")
    assert out.getvalue() == f"{TARGET.status:>7}|{TARGET.score:05}|{TARGET.ms:.1f}|{{}}\n" + (
        f"{NONE.status:>7}||{NONE.ms:.1f}|{{}}\n"
    )


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_may_be_in_it(column: str) -> None:
    out = io.StringIO()
    write_template([TARGET], out, f"{{{column}}}")
    assert out.getvalue() == f"{'' if (v := getattr(TARGET, column)) is None else v}\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{nothing}", "there is no column 'nothing'; columns are id, batch, "),
        ("{puzzle.upper}", "there is no column 'puzzle.upper'"),
        ("{puzzle[0]}", "there is no column 'puzzle[0]'"),
        ("{0}", "there is no column '0'"),
        ("{}", "there is no column '0'"),
        ("{ms:.2q}", "format"),
        ("{label:d}", "format"),
        ("{", "'{'"),
    ],
)
def test_what_is_wrong_with_a_template_is_told_before_anything_is_done(
    text: str, what: str, bullseye: Bullseye
) -> None:
    said = bullseye("results", "--template", text)
    assert said.code == 2
    assert what in " ".join(said.err.split())


def test_a_template_is_a_format_of_its_own(bullseye: Bullseye) -> None:
    said = bullseye("results", "--template", "{id}", "-f", "csv")
    assert said.code == 2
    assert "does not go with -f" in said.err


def test_tabs_and_line_ends_are_written_as_in_a_program() -> None:
    said = finished("solve", "." * 16, "--template", r"{position}\t{solutions}\n")
    assert said.out == "1\t2\n\n"
