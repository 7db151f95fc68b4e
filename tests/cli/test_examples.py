"""Every command in help texts and documents is valid."""

import importlib
import re
import shlex
from collections.abc import Iterator

import click
import pytest

from cli.main import COMMANDS, bullseye
from tests.cli.conftest import ROOT

DOCUMENTS = (
    "README.md",
    "README.zh.md",
    "examples/README.md",
    "storage/README.md",
    "docs/formats.md",
    "docs/operations.md",
    "docs/results.md",
)
#: values for placeholders in documents
PLACES = {"BATCH": "7", "$batch": "7", "ID": "8", "OPTIONS": "-l info"}


def help_of(name: str) -> str:
    command = getattr(importlib.import_module(f"cli.commands.{name}"), name)
    return str(command.help)


def shown(text: str) -> list[str]:
    """Return the examples at the end of a help text."""
    *_, examples = text.partition("Examples:\n")
    return [line.strip() for line in examples.splitlines() if line.strip()]


def calls(line: str) -> Iterator[list[str]]:
    """Yield the arguments of each call of `bullseye` in a shell line."""
    for place, stands_for in PLACES.items():
        line = re.sub(rf"(?<![\w-]){re.escape(place)}\b", stands_for, line)
    lexer = shlex.shlex(line.replace("$(", "( "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] | None = None
    before = ""
    for word in [*lexer, ";"]:
        is_app, before = before == "-A", word  # Celery's option, in `celery -A bullseye worker`
        if word.rpartition("/")[2] == "bullseye" and words is None and not is_app:
            words = []
        elif not set(word) - set("();&|<>"):
            if words is not None:
                yield words
            words = None
        elif words is not None:
            words.append(word)


def check_valid(arguments: list[str]) -> None:
    """Raise UsageError unless Click accepts the arguments."""
    if not arguments or arguments[0] == "COMMAND" or arguments[0].startswith("--"):
        return
    name, *rest = arguments
    command = getattr(importlib.import_module(f"cli.commands.{name}"), name)
    if "--help" not in rest and rest:
        with command.make_context(name, rest, parent=click.Context(bullseye)):
            pass


def test_commands_are_found_in_a_shell_line() -> None:
    line = "b=$(bullseye submit a.txt) && bullseye status -w $batch | cat"
    assert list(calls(line)) == [["submit", "a.txt"], ["status", "-w", "7"]]
    assert list(calls("celery -A bullseye worker -l info")) == []
    assert list(calls("echo x | .venv/bin/bullseye solve -   # so")) == [["solve", "-"]]


@pytest.mark.parametrize("line", ["bullseye solve --nonsense a.txt", "bullseye status 0"])
def test_an_invalid_command_line_is_detected(line: str) -> None:
    (arguments,) = calls(line)
    with pytest.raises(click.UsageError):
        check_valid(arguments)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_at_least_two_valid_examples(name: str) -> None:
    examples = shown(help_of(name))
    assert len(examples) >= 2
    found = [arguments for line in examples for arguments in calls(line)]
    assert len(found) >= len(examples)
    assert found[0][0] == name
    for arguments in found:
        check_valid(arguments)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_in_a_document_is_valid(document: str) -> None:
    text = (ROOT / document).read_text()
    lines = fenced(text)
    in_prose = re.findall(r"`([^`\n]+)`", text)
    lines += [code for code in in_prose if re.search(r"bullseye (?!import)", code)]
    found = [arguments for line in lines for arguments in calls(line)]
    assert found
    for arguments in found:
        check_valid(arguments)


def fenced(text: str) -> list[str]:
    """Return the commands in `sh` and `console` blocks."""
    found = re.findall(r"^ *```(sh|console)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    lines = [(language, line) for language, part in found for line in part.splitlines()]
    return [line for language, line in lines if language == "sh" or line.startswith("$ ")]
