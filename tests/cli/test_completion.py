"""Shell completion."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from cli.main import COMMANDS, run
from cli.options import OUTPUT_FORMATS as OUTPUTS
from cli.parameters import complete_columns
from storage.view import COLUMNS
from tests.cli.answers import UNIQUE
from tests.cli.conftest import EASY, ROOT, Bullseye, Database
from worker.formats.layout import FORMATS as INPUTS

#: a script that runs the program under the name `bullseye`
PROGRAM = f'#!/bin/sh\nexec {sys.executable} -m cli.main "$@"\n'


Ask = Callable[..., str]
Proposals = Callable[[str], list[list[str]]]
Proposed = Callable[[str], list[str]]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Return a function that asks the program for completions as a shell does."""

    def ask(how: str, **words: str) -> str:
        for name, value in {"_BULLSEYE_COMPLETE": how, **words}.items():
            monkeypatch.setenv(name, value)
        run([])
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return ask


@pytest.fixture
def proposals(program: Ask) -> Proposals:
    """Return a function that lists kind and text of the proposals for a line's last word."""

    def ask(line: str) -> list[list[str]]:
        answer = program("bash_complete", COMP_WORDS=line, COMP_CWORD=str(line.count(" ")))
        return [one.split(",") for one in answer.split()]

    return ask


@pytest.fixture
def proposed(proposals: Proposals) -> Proposed:
    """Return a function that lists the proposed words."""
    return lambda line: [word for kind, word in proposals(line) if kind == "plain"]


def test_commands_are_proposed_in_the_order_of_help(proposed: Proposed) -> None:
    assert proposed("bullseye ") == list(COMMANDS)
    assert proposed("bullseye st") == ["status", "stats"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_proposes_its_own_options(proposed: Proposed, command: str) -> None:
    options = proposed(f"bullseye {command} -")
    assert {"--verbose", "--help"} <= set(options)
    assert len(options) > 3


def test_values_of_choices_are_proposed(proposed: Proposed) -> None:
    assert proposed("bullseye solve --from ") == list(INPUTS)
    assert proposed("bullseye results -f ") == list(OUTPUTS)
    assert proposed("bullseye results --status m") == ["multiple"]


def test_columns_are_proposed(proposed: Proposed) -> None:
    assert proposed("bullseye results --sort ") == list(COLUMNS)
    assert proposed("bullseye results --columns cl") == ["clues", "class"]


def test_the_last_of_several_columns_is_completed() -> None:
    context, parameter = click.Context(click.Command("results")), click.Option(["--columns"])
    assert complete_columns(context, parameter, "id,la") == ["id,label"]


def test_members_of_extra_are_proposed(proposed: Proposed, bullseye: Bullseye, home: Path) -> None:
    (home / "rated.csv").write_text(f"puzzle,rating,source\n{EASY},8.5,forum\n")
    assert bullseye("solve", "-j", 1, "rated.csv", "-o", "answers.csv").code == 0
    assert proposed("bullseye results --sort ext") == ["extra", "extra.rating", "extra.source"]
    assert proposed("bullseye stats --by extra.s") == ["extra.source"]


def test_batches_are_proposed_newest_first(
    proposed: Proposed, program: Ask, database: Database
) -> None:
    for name in ("sunday", None):
        database.store([UNIQUE], name=name)
    for command in ("status", "results", "stats", "retry", "pause", "cancel"):
        assert proposed(f"bullseye {command} ") == ["2", "1"]
    assert proposed("bullseye stats 2 --against 1") == ["1"]
    assert proposed("bullseye stats su") == ["sunday"]
    answer = program("fish_complete", COMP_WORDS="bullseye status ", COMP_CWORD="")
    assert answer.splitlines() == ["plain,2\tpuzzles.txt, 1 puzzle", "plain,1\tsunday, 1 puzzle"]


def test_without_a_database_nothing_is_proposed_or_printed(proposed: Proposed, home: Path) -> None:
    assert not (home / "bullseye.db").exists()
    assert proposed("bullseye status ") == []
    assert proposed("bullseye status --db mysql://nowhere ") == []


def test_for_a_file_argument_the_shell_proposes_its_files(proposals: Proposals) -> None:
    for words in ("solve ", "submit --weights ", "results -o ", "show 1 --svg "):
        assert proposals(f"bullseye {words}") == [["file", ""]], words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(program: Ask, shell: str) -> None:
    script = program(f"{shell}_source")
    assert f"_BULLSEYE_COMPLETE={shell}_complete" in script


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_the_line_in_the_readme_makes_bash_complete(home: Path) -> None:
    (line,) = (
        line for line in (ROOT / "README.md").read_text().splitlines() if "bash_source" in line
    )
    (home / "bullseye").write_text(PROGRAM)
    (home / "bullseye").chmod(0o755)
    play = (
        'COMP_WORDS=(bullseye res); COMP_CWORD=1; _bullseye_completion bullseye; echo "$COMPREPLY"'
    )
    done = subprocess.run(
        ["bash", "-c", f"{line.partition('#')[0]}\n{play}"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{home}:{os.environ['PATH']}"},
    )
    assert (done.stdout, done.stderr) == ("results\n", "")
