"""A bad value for every option of every command: a message and an exit code, never a bug."""

import importlib
from errno import EADDRINUSE

import click
import pytest

from cli.errors import Exit
from cli.main import COMMANDS
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Bullseye, Database

#: arguments with which a command checks its options and does little else
OTHERWISE = {
    "solve": ["--dry-run", "." * 81],
    "submit": ["--dry-run", "." * 81],
    "estimate": ["--dry-run", "." * 81],
    "results": ["1"],
    "query": ["SELECT id FROM answers"],
    "show": ["1"],
    "stats": ["1"],
    "retry": ["1"],
    "pause": ["1"],
    "resume": ["1"],
    "priority": ["1", "low"],
    "cancel": ["1"],
    "delete": ["1", "--yes"],
    "prune": ["--older-than", "1d"],
}
MISTAKES = ("", "-1", "x", "1e400", "9" * 30, "\udcff", "nan")


def options_of(name: str) -> list[str]:
    command = getattr(importlib.import_module(f"cli.commands.{name}"), name)
    return [
        option.opts[-1]
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag
    ]


def _refuse(*_: object, **__: object) -> None:
    raise OSError(EADDRINUSE, "in use")


@pytest.mark.parametrize(
    ("command", "option"), [(name, option) for name in COMMANDS for option in options_of(name)]
)
def test_no_bad_option_value_is_reported_as_a_bug(
    bullseye: Bullseye,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    option: str,
) -> None:
    monkeypatch.setattr("werkzeug.serving.make_server", _refuse)  # else `serve` goes on
    database.store([UNIQUE])
    for mistake in MISTAKES:
        result = bullseye(command, *OTHERWISE.get(command, []), option, mistake)
        assert result.code in {code.value for code in Exit}, mistake
        assert "bug in Bullseye" not in result.err, mistake
        assert "Traceback" not in result.err, mistake
        is_described = result.out.startswith("command line: ")  # by the dry run
        done = {Exit.DONE, Exit.SOME_FAILED}
        if result.code not in done and command != "doctor" and not is_described:
            assert result.err.startswith("error: "), mistake


def test_an_empty_output_name_is_a_usage_error(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE])
    for command in (["results", "1", "-o"], ["show", "1", "--svg"], ["stats", "1", "--html"]):
        result = bullseye(*command, "")
        assert result.code == 2
        assert "the output file needs a name" in result.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["status", "--first", "many"], "'many' is not a valid integer."),
        (["solve", ".", "--timeout", "soon"], "'soon' is not a valid number."),
        (["stats", "0"], "0 is not a batch number."),
        (["stats", ""], "a batch is given by its number, its name, or last."),
    ],
)
def test_a_value_that_is_not_a_number_is_rejected(
    bullseye: Bullseye, arguments: list[str], word: str
) -> None:
    result = bullseye(*arguments)
    assert result.code == 2
    assert word in result.err


def test_a_database_name_that_is_not_unicode_is_rejected(bullseye: Bullseye) -> None:
    result = bullseye("status", "--db", "\udcff")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: '\\udcff' is not valid UTF-8")
