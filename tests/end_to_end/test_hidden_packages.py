"""A folder with the user's own worker.py, storage.py and cli.py, from which Bullseye is started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import ROOT

CELERY = ("-m", "celery", "-A")
SOLVE = "from bullseye import solve; print(solve('12...4.....3..2.')[0].solution)"


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, which comes first in `sys.path` of every process."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, "BULLSEYE_DATABASE_URL": str(folder / "x.db")},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def add_modules(folder: Path, *names: str) -> None:
    for name in names:
        (folder / f"{name}.py").write_text("x = 1\n")


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (("-m", "bullseye", "--version"), "bullseye "),
        (("-c", SOLVE), "1234341221434321"),
        ((*CELERY, "bullseye", "report"), "software -> celery"),
    ],
)
def test_the_package_bullseye_finds_the_other_packages_behind_modules_of_the_user(
    tmp_path: Path, arguments: tuple[str, ...], printed: str
) -> None:
    add_modules(tmp_path, "cli", "worker", "storage")
    done = python(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout


def test_importing_leaves_the_path_of_modules_as_it_was(tmp_path: Path) -> None:
    code = "import sys; before = [*sys.path]; import bullseye; print(sys.path == before)"
    done = python(tmp_path, "-c", code)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_a_module_that_hides_storage_from_celery_is_named_in_one_line(tmp_path: Path) -> None:
    add_modules(tmp_path, "storage")
    done = python(tmp_path, *CELERY, "worker.app", "report")
    assert done.returncode == 1
    hidden = f"{tmp_path / 'storage.py'} hides the package 'storage' of Bullseye"
    assert done.stderr.splitlines()[-1] == f"error: {hidden}: use celery -A bullseye"
    assert "Traceback" not in done.stderr


def test_a_module_of_the_user_that_was_imported_first_is_named(tmp_path: Path) -> None:
    add_modules(tmp_path, "storage")
    done = python(tmp_path, "-c", "import storage, bullseye")
    hidden = f"{tmp_path / 'storage.py'} hides the package 'storage' of Bullseye"
    assert done.stderr.splitlines()[-1] == f"ImportError: {hidden}: rename it"
