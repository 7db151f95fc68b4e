"""Help, version, errors and exit codes of the program."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli.errors import OutputError, exit_code, message
from cli.main import COMMANDS
from storage import errors as storage
from storage.view import COLUMNS
from tests.cli.conftest import ROOT, Bullseye
from worker import errors as worker
from worker.errors import BadUsage
from worker.formats.errors import FormatError


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns_and_has_an_example(
    bullseye: Bullseye, command: str, option: str
) -> None:
    result = bullseye(*([command] if command else []), option)
    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= 80
    assert f"  bullseye {command}" in result.out.partition("Example")[2]
    assert "\x1b" not in result.out
    assert "[default=" not in result.out  # one way of writing it: [default: 2]


def test_the_help_of_results_lists_all_columns(bullseye: Bullseye) -> None:
    text = " ".join(bullseye("results", "--help").out.split())
    assert f"Columns: {', '.join(COLUMNS)}. " in text


def test_help_lists_the_commands_by_panel(bullseye: Bullseye) -> None:
    words = bullseye("--help").out
    panels = [words.index(panel) for panel in ("Solve:", "Scale out:", "Inspect:", "Maintain:")]
    assert panels == sorted(panels)
    for name, entry in COMMANDS.items():
        assert f"  {name} " in words
        assert entry.purpose in words


def test_every_command_has_the_database_option(bullseye: Bullseye) -> None:
    for name in set(COMMANDS) - {"estimate", "canon", "check"}:  # which need no database
        assert "--db" in bullseye(name, "--help").out


def test_help_imports_neither_database_nor_queue_nor_solver() -> None:
    code = (
        "import sys; from cli.main import run; run(['--help']);"
        "heavy = {'sqlalchemy', 'celery', 'redis', 'numba', 'numpy', 'alembic'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=env)


def test_submitting_does_not_import_the_solver() -> None:
    code = (
        "import sys; import worker.app, worker.queue.dispatch, worker.intake.submit;"
        "from cli.main import run; run(['submit', '--dry-run', '.' * 81]);"
        "assert not {'numba', 'numpy', 'worker.compiling'} & {*sys.modules}"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=env)


def test_solving_imports_neither_celery_nor_the_compiler(tmp_path: Path) -> None:
    code = (
        "import sys; from cli.main import run; run(['solve', '.' * 81, '--db', sys.argv[1]]);"
        "assert not {'numba', 'celery', 'redis'} & {*sys.modules}"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(tmp_path / "x.db")]
    subprocess.run(command, check=False, capture_output=True, env=env)  # it may have to compile
    subprocess.run(command, check=True, capture_output=True, env=env)


#: what draws the help
LIBRARIES = "import click, rich.console, rich_click.rich_help_rendering"


def test_help_loads_few_modules_beside_the_libraries_that_draw_it() -> None:
    """Most of its time is that of loading modules, and their number does not vary with the load."""
    code = f"import sys; {LIBRARIES}; before = set(sys.modules); from cli.main import run; " + (
        "code = run(['--help']); print(code, *set(sys.modules) - before)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=env)
    code, *modules = done.stdout.decode().splitlines()[-1].split()
    assert code == "0"
    assert len(modules) <= 40


def test_version_is_one_line(bullseye: Bullseye) -> None:
    result = bullseye("--version")
    assert result.code == 0
    assert result.out.startswith("bullseye ")
    assert result.out.count("\n") == 1


def test_without_arguments_help_goes_to_stderr(bullseye: Bullseye) -> None:
    result = bullseye()
    assert (result.code, result.out) == (2, "")
    assert "Scale out:" in result.err


def test_a_misspelt_command_gets_a_suggestion(bullseye: Bullseye) -> None:
    result = bullseye("solv")
    assert result.code == 2
    assert "solve" in result.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (click.UsageError("so"), 2),
        (BadUsage("so"), 2),
        (storage.NoSuchBatch("so"), 2),
        (storage.NoSuchPuzzle("so"), 2),
        (storage.BadQuery("so"), 2),
        (worker.SettingsError("so"), 2),
        (FormatError("so"), 65),
        (worker.BadInput("so"), 65),
        (storage.DatabaseUnreachable("so"), 69),
        (storage.InvalidDatabaseUrl("so"), 69),
        (storage.DatabaseMissing("so"), 69),
        (storage.DatabaseOutdated("so"), 69),
        (storage.DatabaseTooNew("so"), 69),
        (worker.RedisUnreachable("so"), 69),
        (worker.NoLiveWorker("so"), 75),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (OutputError("so"), 74),
        (storage.StorageError("so"), 1),
        (worker.LocalWorkerDied("so"), 1),
        (ZeroDivisionError("so"), 1),
    ],
)
def test_every_error_has_its_exit_code(error: BaseException, code: int) -> None:
    assert exit_code(error) == code


def test_an_unexpected_error_is_reported_as_a_bug() -> None:
    assert message(ZeroDivisionError("division by zero\nand more")) == (
        "error: ZeroDivisionError: division by zero\n"
        "       this is a bug in Bullseye; run again with -v to see the traceback"
    )


@pytest.mark.parametrize("arguments", [["-v", "status"], ["status", "-v"]])
def test_verbose_shows_the_traceback(bullseye: Bullseye, arguments: list[str]) -> None:
    quiet, verbose = bullseye("status"), bullseye(*arguments)
    assert verbose.code == quiet.code == 69
    assert quiet.err.startswith("error: no database at ")
    assert verbose.err.startswith("Traceback")
    assert verbose.err.endswith(quiet.err)
