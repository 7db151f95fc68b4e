"""Help, errors and exit codes of the program as a whole."""

import os
import subprocess
import sys

import click
import pytest

from cli.errors import BadUsage, NoLiveWorker, OutputError
from cli.main import COMMANDS, exit_code
from storage import errors as storage
from tests.cli.conftest import ROOT, Bullseye, spawned
from worker import errors as worker
from worker.formats.errors import FormatError


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns_and_has_an_example(
    bullseye: Bullseye, command: str, option: str
) -> None:
    said = bullseye(*([command] if command else []), option)
    assert (said.code, said.err) == (0, "")
    assert max(map(len, said.out.splitlines())) <= 80
    assert f"  bullseye {command}" in said.out.partition("Example")[2]
    assert "\x1b" not in said.out


def test_help_lists_the_commands_in_the_order_of_work(bullseye: Bullseye) -> None:
    words = bullseye("--help").out
    panels = [words.index(panel) for panel in ("Solve:", "Scale out:", "Look:", "Repair:")]
    assert panels == sorted(panels)
    for name, entry in COMMANDS.items():
        assert f"  {name} " in words
        assert entry.purpose in words


def test_every_command_has_the_database_option(bullseye: Bullseye) -> None:
    for name in COMMANDS:
        assert "--db" in bullseye(name, "--help").out


def test_help_imports_neither_database_nor_queue_nor_solver() -> None:
    code = (
        "import sys; from cli.main import run; run(['--help']);"
        "heavy = {'sqlalchemy', 'celery', 'redis', 'numba', 'numpy', 'alembic'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=env)


def test_help_comes_at_once() -> None:
    """Processor time, the least of some: what else the machine does is not our doing."""
    times = []
    for _ in range(8):
        before = os.times()
        assert spawned("--help").communicate()[0]
        after = os.times()
        user = after.children_user - before.children_user
        times.append(user + after.children_system - before.children_system)
    assert min(times) < 0.2, times


def test_version_is_one_line(bullseye: Bullseye) -> None:
    said = bullseye("--version")
    assert said.code == 0
    assert said.out.startswith("bullseye ")
    assert said.out.count("\n") == 1


def test_without_arguments_help_goes_to_stderr(bullseye: Bullseye) -> None:
    said = bullseye()
    assert (said.code, said.out) == (2, "")
    assert "Scale out:" in said.err


def test_a_misspelt_command_is_guessed(bullseye: Bullseye) -> None:
    said = bullseye("solv")
    assert said.code == 2
    assert "solve" in said.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (click.UsageError("so"), 2),
        (BadUsage("so"), 2),
        (storage.NoSuchBatch("so"), 2),
        (storage.NoSuchPuzzle("so"), 2),
        (storage.BadQuery("so"), 2),
        (worker.SettingsError("so"), 2),
        (FormatError("so", "so"), 65),
        (worker.BadInput("so"), 65),
        (storage.DatabaseUnreachable("so"), 69),
        (storage.DatabaseMissing("so"), 69),
        (storage.DatabaseOutdated("so"), 69),
        (storage.DatabaseTooNew("so"), 69),
        (worker.RedisUnreachable("so"), 69),
        (NoLiveWorker("so"), 75),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (OutputError("so"), 1),
        (storage.StorageError("so"), 1),
        (worker.LocalWorkerDied("so"), 1),
        (ZeroDivisionError("so"), 1),
    ],
)
def test_every_error_has_its_exit_code(error: BaseException, code: int) -> None:
    assert exit_code(error) == code


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that is a riddle to us."""

    def fail(_: object) -> None:
        raise ZeroDivisionError("division by zero\nand more")

    monkeypatch.setattr("worker.settings.Settings.from_env", lambda **_: fail(None))


@pytest.mark.usefixtures("failing")
def test_an_unforeseen_error_is_a_sentence_too(bullseye: Bullseye) -> None:
    said = bullseye("status")
    assert said.code == 1
    assert said.err == (
        "error: ZeroDivisionError: division by zero\n"
        "       this is a fault of bullseye; -v shows where\n"
    )


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("arguments", [["-v", "status"], ["status", "-v"]])
def test_verbose_shows_the_traceback(bullseye: Bullseye, arguments: list[str]) -> None:
    said = bullseye(*arguments)
    assert said.err.startswith("Traceback")
    assert "error: ZeroDivisionError" in said.err
