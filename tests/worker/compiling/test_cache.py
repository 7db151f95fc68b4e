"""Machine code in files: when it is made again, and by which process."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import worker
from worker.compiling.entry import source_digest

ROOT = Path(worker.__file__).parent.parent
PACKAGES = ("compiling", "exact_cover", "sudoku")
#: calls the smallest entries, which take a quarter of the time to compile
LEAVE = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
from worker.exact_cover.parts.path import leave
from worker.exact_cover.layout import links
from worker.exact_cover.parts.path import new_steps
from worker.exact_cover.problem import number
from worker.exact_cover.state import new_search
problem = number(2, 0, [[1], [2], [1, 2]])
print(leave(links(problem), new_search(problem, 1), new_steps(9))[1], "numba" in sys.modules)
"""
#: calls one entry
NUMBER = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
from worker.exact_cover.layout import links
from worker.exact_cover.problem import number
links(number(2, 0, [[1], [2], [1, 2]]))
print("numba" in sys.modules)
"""
#: logged when the solver is compiled, but not when it is loaded from the cache
ANNOUNCED = "WARNING compiling the solver, once, up to 30 s\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a copy of the solver's packages."""
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "worker" / name, tmp_path / "worker" / name, ignore=ignored)
    shutil.copy(ROOT / "worker" / "garbage.py", tmp_path / "worker")
    (tmp_path / "worker" / "__init__.py").touch()
    return tmp_path


def run(code: str, folder: Path, *, stdin: str = "", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=folder,
        input=stdin,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_an_edit_of_a_callee_in_another_file_is_compiled(package: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    assert run(LEAVE, package, **cache) == f"{ANNOUNCED}0 True\n"
    assert run(LEAVE, package, **cache) == "0 False\n"
    callee = package / "worker" / "exact_cover" / "parts" / "path.py"
    edit(callee, "    return path, count\n", "    return path, count + 10\n")
    assert run(LEAVE, package, **cache) == f"{ANNOUNCED}10 True\n"


def test_the_digest_changes_with_every_source_file(package: Path) -> None:
    folders = [package / "worker" / name for name in PACKAGES]
    digests = {source_digest.__wrapped__(*folders)}
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    for path in paths:
        path.write_text(path.read_text() + "# edited\n")
        digests.add(source_digest.__wrapped__(*folders))
    assert len(digests) == len(paths) + 1


def test_of_two_processes_that_need_a_function_one_compiles_it(package: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    with ThreadPoolExecutor() as both:
        outputs = both.map(lambda _: run(NUMBER, package, **cache), range(2))
    assert sorted(outputs) == ["False\n", f"{ANNOUNCED}True\n"]


def test_a_process_that_never_ends_keeps_others_waiting_for_a_while_only(package: Path) -> None:
    locked = """
import fcntl, os, pathlib
from worker.compiling import cache
cache.MAX_WAIT_NS = 10**8
folder = pathlib.Path(os.environ["NUMBA_CACHE_DIR"])
folder.mkdir()
fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)
"""
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    assert run(f"{locked}{LEAVE}", package, **cache) == f"{ANNOUNCED}0 True\n"


def test_a_function_that_could_not_be_compiled_lets_others_compile(package: Path) -> None:
    code = """
import fcntl, os, numpy
from numba.core.errors import TypingError
from worker.exact_cover.parts.path import leave
try:
    leave(numpy.zeros(3), numpy.zeros(3), numpy.zeros(3))
except TypingError:
    print("refused", end=" ")
fcntl.flock(os.open(os.environ["NUMBA_CACHE_DIR"], os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
print("free")
"""
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    assert run(code, package, **cache).endswith("refused free\n")


def test_a_folder_may_be_copied(package: Path) -> None:
    run(NUMBER, package, NUMBA_CACHE_DIR=str(package / "cache"))
    shutil.copytree(package / "cache", package / "copy")
    assert run(NUMBER, package, NUMBA_CACHE_DIR=str(package / "copy")) == "False\n"


def test_a_damaged_file_is_made_again(package: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    run(NUMBER, package, **cache)
    for length in (0, 20, 1000):
        [file] = (package / "cache").iterdir()
        file.write_bytes(file.read_bytes()[:length])
        assert run(NUMBER, package, **cache) == f"{ANNOUNCED}True\n"
    assert run(NUMBER, package, **cache) == "False\n"


def test_without_a_folder_that_can_be_written_to_code_is_made_each_time(package: Path) -> None:
    # Root may write to every folder, but not to a file in place of one.
    (package / "cache").write_text("no folder")
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    for _ in range(2):
        assert run(NUMBER, package, **cache) == f"{ANNOUNCED}True\n"


def test_without_a_setting_code_is_stored_with_the_bytecode_of_the_package(package: Path) -> None:
    for expected in (f"{ANNOUNCED}True\n", "False\n"):
        assert run(NUMBER, package, NUMBA_CACHE_DIR="") == expected
    folder = package / "worker" / "compiling" / "__pycache__"
    assert len([*folder.glob("worker.exact_cover.nodes.number_nodes-*.o")]) == 1


def test_a_package_that_cannot_be_written_to_leaves_code_to_the_cache_of_the_user(
    package: Path,
) -> None:
    (package / "worker" / "compiling" / "__pycache__").write_text("no folder")
    home = {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(package / "home")}
    for expected in (f"{ANNOUNCED}True\n", "False\n"):
        assert run(NUMBER, package, **home) == expected
    assert len([*(package / "home" / "bullseye").iterdir()]) == 1


def test_arguments_of_classes_with_one_name_have_code_of_their_own(package: Path) -> None:
    code = """
import sys
from typing import NamedTuple
from worker.compiling.entry import entry
@entry("worker/compiling/entry.py")
def first(pair):
    return pair.a
names = sys.argv[0], *("ab" if int(input()) else "ba")
Pair = NamedTuple("Pair", [(name, int) for name in names[1:]])
Pair.__module__ = names[0] + names[1]
print(first(Pair(1, 2)))
"""
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    found = [run(code, package, stdin=text, **cache) for text in ("1", "0", "1")]
    assert [one.split()[-1] for one in found] == ["1", "2", "1"]
