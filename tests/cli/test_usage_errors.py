"""Bad options and combinations of options exit with 2."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from cli.main import COMMANDS
from tests.cli.conftest import EASY, ROOT, Bullseye
from worker.formats.layout import FORMATS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--limit", "2", "--target", EASY], "--limit cannot be combined with --target"),
        (["--limit", "all", "--target", EASY], "--limit cannot be combined with --target"),
        (["--every", EASY], "--every needs --target"),
        (["--weights", "w.txt", EASY], "--weights needs --target"),
        (["--count", "--target", EASY], "--count cannot be combined with --target"),
        (["--count", "--limit", "2", EASY], "--count counts all solutions; leave out --limit"),
        (["--count", "--keep", "2", EASY], "--count stores one solution; use --limit all to keep"),
        (["--sample", "3", EASY], "--sample needs --count"),
        (["--per-option", EASY], "--per-option needs --count"),
        (["--count", "--seed", "3", EASY], "--seed needs --sample"),
        (["--count", "--sample", "3", "--keep", "2", EASY], "to store; leave out --keep"),
        (["--memory", "1", EASY], "'1' is not a size: write 500M or 2G."),
        (["--count", "--memory", "0G", EASY], "'0G' is not a size"),
        (["--limit", "0", EASY], "'0' is neither a positive integer nor 'all'"),
        (["--limit", "-1", EASY], "'-1' is neither"),
        (["--limit", "1.5", EASY], "'1.5' is neither"),
        (["--keep", "0", EASY], "'--keep'"),
        ([""], "'' is not a file; give the name of one."),
        (["--target", "--weights", "", EASY], "'' is not a file; give the name of one."),
        (
            ["--timeout", "0", EASY],
            "'0' is not a time limit; give more than 0 and at most 1,000,000 seconds.",
        ),
        (["--timeout", "-1", EASY], "'-1' is not a time limit; give more than 0"),
        (["--timeout", "nan", EASY], "'nan' is not a time limit; give more than 0"),
        (["--timeout", "inf", EASY], "'inf' is not a time limit; give more than 0"),
        (["--timeout", "soon", EASY], "'soon' is not a valid number"),
        (["--from", "xml", EASY], "'xml' is not one of 'lines', 'rows'"),
        (["--nonsense", EASY], "--nonsense"),
        (["--tagret", EASY], "No such option '--tagret'. Did you mean '--target'?"),
        ([], "FILE"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "submit"])
def test_a_bad_input_option_is_a_usage_error(
    bullseye: Bullseye, command: str, arguments: list[str], words: str
) -> None:
    result = bullseye(command, *arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("error: ")
    assert words in result.err
    assert f"see: bullseye {command} --help" in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "-j", "0", EASY], "'-j'"),
        (["solve", "-j", "many", EASY], "'-j'"),
        (["solve", "-f", "xml", EASY], "'-f'"),
        (["worker", "-c", "0"], "'-c'"),
        (["status", "0"], "'[BATCH]'"),
        (["status", "--watch"], "--watch needs a batch"),
        (["status", "--first", "0"], "'--first'"),
        (["results", "--status", "fine"], "'--status'"),
        (["results", "--first", "-1"], "'--first'"),
        (["results", "--min-score", "high"], "'--min-score'"),
        (["results", "-f", "judge", "--status", "solved"], "whole batch"),
        (["show"], "ID"),
        (["show", "0"], "'ID'"),
        (["retry"], "BATCH"),
        (["cancel", "-1"], "-1"),
        (["nonsense"], "nonsense"),
    ],
)
def test_a_bad_option_of_other_commands_is_a_usage_error(
    bullseye: Bullseye, arguments: list[str], words: str
) -> None:
    result = bullseye(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: ")
    assert words in result.err


def test_target_on_other_grids_needs_weights(bullseye: Bullseye) -> None:
    result = bullseye("solve", "-n", "--target", "1" + "." * 15)
    assert result.code == 2
    assert "line 1: 4x4 grids have no default weights; give --weights\n" in result.err


def test_target_on_one_grid_of_another_size_needs_weights(bullseye: Bullseye, home: Path) -> None:
    (home / "mixed.txt").write_text(f"{EASY}\n{'1' + '.' * 35}\n")
    result = bullseye("solve", "-n", "--target", "mixed.txt")
    assert result.code == 2
    assert "line 2: 6x6 grids have no default weights; give --weights\n" in result.err


def test_target_on_other_grids_works_with_weights(bullseye: Bullseye, home: Path) -> None:
    (home / "weights.txt").write_text("1 2 3 4\n" * 4)
    result = bullseye("solve", "-n", "--target", "--weights", "weights.txt", "1" + "." * 15)
    assert result.code == 0
    assert "read as target sudoku" in result.out


def test_weights_must_fit_the_grid(bullseye: Bullseye, home: Path) -> None:
    (home / "weights.txt").write_text("1 2 3 4\n" * 4)
    result = bullseye("solve", "-n", "--target", "--weights", "weights.txt", EASY)
    assert result.code == 2
    assert "line 1: --weights has 16 numbers, but a 9x9 grid needs 81\n" in result.err


def test_a_weights_file_with_other_text_is_bad_input(bullseye: Bullseye, home: Path) -> None:
    (home / "weights.txt").write_text("1 2 three 4\n" * 4)
    result = bullseye("solve", "--target", "--weights", "weights.txt", EASY)
    assert result.code == 65
    assert result.err == "error: weights.txt: the weight `three` is not a whole number\n"


def _texts() -> list[str]:
    """All texts in the sources of the command line."""
    trees = [ast.parse(path.read_text()) for path in (ROOT / "cli").rglob("*.py")]
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [node.value for node in nodes if isinstance(node.value, str)]


def test_every_flag_that_messages_mention_is_an_option() -> None:
    modules = (importlib.import_module(f"cli.commands.{name}") for name in COMMANDS)
    commands = [getattr(module, name) for module, name in zip(modules, COMMANDS, strict=True)]
    options = {flag for command in commands for option in command.params for flag in option.opts}
    mentioned = {
        flag for text in _texts() for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)
    }
    assert {"--reuse", "--db", "--limit"} < mentioned
    assert mentioned <= options | {"--help", "--version", "--loglevel", "--logfile"}


def test_help_names_every_format_that_can_be_read(bullseye: Bullseye) -> None:
    help_text = bullseye("solve", "--help").out
    assert all(name in help_text for name in FORMATS)


def test_a_batch_number_is_limited_to_64_bits(bullseye: Bullseye) -> None:
    assert bullseye("status", 2**63).code == 2


@pytest.mark.parametrize(
    ("name", "selects"), [("7", "the batch with this number"), ("last", "the newest batch")]
)
def test_a_name_that_would_select_another_batch_is_refused(
    bullseye: Bullseye, name: str, selects: str
) -> None:
    result = bullseye("solve", EASY, "--name", name)
    assert result.code == 2
    assert f"{name!r} cannot be a name: it selects {selects}." in result.err


def test_stdin_can_be_given_only_once(bullseye: Bullseye) -> None:
    result = bullseye("solve", "-", "-")
    assert result.code == 2
    assert "stdin (-) can be read only once" in result.err
