"""A mistake in every option of every command: a sentence, an exit code, never a fault of ours."""

import importlib

import click
import pytest

from cli.errors import Exit
from cli.main import COMMANDS
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Bullseye, Filled

#: what makes a command look at its options without long work
OTHERWISE = {
    "solve": ["--dry-run", "." * 81],
    "submit": ["--dry-run", "." * 81],
    "results": ["1"],
    "show": ["1"],
    "stats": ["1"],
    "retry": ["1"],
    "cancel": ["1"],
}
MISTAKES = ("", "-1", "x", "1e400", "9" * 30, "\udcff", "nan")


def options_of(name: str) -> list[str]:
    command = getattr(importlib.import_module(f"cli.commands.{name}"), name)
    return [
        option.opts[-1]
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag
    ]


@pytest.mark.parametrize(
    ("command", "option"), [(name, option) for name in COMMANDS for option in options_of(name)]
)
def test_no_mistake_in_an_option_is_a_fault_of_ours(
    bullseye: Bullseye, filled: Filled, command: str, option: str
) -> None:
    filled.store([UNIQUE])
    for mistake in MISTAKES:
        said = bullseye(command, *OTHERWISE.get(command, []), option, mistake)
        assert said.code in {code.value for code in Exit}, mistake
        assert "fault of bullseye" not in said.err, mistake
        assert "Traceback" not in said.err, mistake
        if said.code not in {Exit.DONE, Exit.SOME_FAILED} and command != "doctor":
            assert said.err.startswith("error: "), mistake


def test_a_file_without_a_name_is_no_file(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([UNIQUE])
    for command in (["results", "1", "-o"], ["show", "1", "--svg"], ["stats", "1", "--html"]):
        said = bullseye(*command, "")
        assert said.code == 2
        assert "a file to write needs a name" in said.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["status", "--first", "many"], "'many' is not a valid whole number."),
        (["solve", ".", "--timeout", "soon"], "'soon' is not a valid number."),
        (["stats", "last"], "'last' is not a valid number of a batch."),
    ],
)
def test_what_is_no_number_is_called_so(
    bullseye: Bullseye, arguments: list[str], word: str
) -> None:
    said = bullseye(*arguments)
    assert said.code == 2
    assert word in said.err


def test_a_database_whose_name_is_no_text_is_refused(bullseye: Bullseye) -> None:
    said = bullseye("status", "--db", "\udcff")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: '\\udcff' is no text")
