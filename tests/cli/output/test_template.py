"""`--template`."""

import io

import pytest

from cli.output.text import write_template
from storage.view import COLUMNS
from tests.cli.answers import MULTIPLE, NONE, TARGET
from tests.cli.conftest import Bullseye, Database


def test_a_template_is_filled_in_and_null_is_empty() -> None:
    out = io.StringIO()
    write_template([TARGET, NONE], out, "{status:>7}|{score:05}|{ms:.1f}|{{}}")
    assert out.getvalue() == f"{TARGET.status:>7}|{TARGET.score:05}|{TARGET.ms:.1f}|{{}}\n" + (
        f"{NONE.status:>7}||{NONE.ms:.1f}|{{}}\n"
    )


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_may_be_used_in_a_template(column: str) -> None:
    out = io.StringIO()
    write_template([TARGET], out, f"{{{column}}}")
    assert out.getvalue() == f"{'' if (v := TARGET.value(column)) is None else v}\n"


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
def test_an_invalid_template_is_a_usage_error(text: str, what: str, bullseye: Bullseye) -> None:
    result = bullseye("results", "--template", text)
    assert result.code == 2
    assert what in " ".join(result.err.split())


def test_a_template_excludes_a_format(bullseye: Bullseye) -> None:
    result = bullseye("results", "--template", "{id}", "-f", "csv")
    assert result.code == 2
    assert "--template cannot be combined with -f" in result.err


def test_tabs_and_line_ends_are_written_as_escapes(bullseye: Bullseye, database: Database) -> None:
    database.store([MULTIPLE])
    result = bullseye("results", "--template", r"{position}\t{solutions}\n")
    assert result.out == "1\t2\n\n"
