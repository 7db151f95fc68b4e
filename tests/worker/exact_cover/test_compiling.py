"""The cache of compiled code, its stamp, the overrides of numba, and the kernel without numba."""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest
from numba.core.caching import FunctionCache
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase

import worker
from worker.compiling import jit
from worker.compiling.jit import source_digest

ROOT = Path(worker.__file__).parent.parent
PACKAGES = ("compiling", "exact_cover", "sudoku")
SOLVE = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
from worker.exact_cover.problem import number
from worker.exact_cover.solve import solve
from worker.exact_cover.search import search_slice
found = solve(number(2, 0, [[1], [2], [1, 2]]))
stats = search_slice.stats
print(found.found, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
#: calls the smallest entry, which takes a quarter of the time to compile
LEAVE = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
from worker.exact_cover.parts.path import leave
from worker.exact_cover.layout import links
from worker.exact_cover.parts.path import new_steps
from worker.exact_cover.problem import number
from worker.exact_cover.state import new_search
problem = number(2, 0, [[1], [2], [1, 2]])
rows = leave(links(problem), new_search(problem, 1), new_steps(9))[1]
print(rows, sum(leave.stats.cache_hits.values()), sum(leave.stats.cache_misses.values()))
"""
#: then compiles a function of another program
COMPILE = """
print("numba.np.arraymath" in sys.modules)
import numba, numpy
print(numba.njit(lambda values: numpy.sum(values) + numpy.array([4.0])[0])(numpy.arange(4.0)))
"""
#: logged when the solver is compiled, but not when it is loaded from the cache
ANNOUNCED = "WARNING compiling the solver, once, about 10 s\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a copy of the solver's packages."""
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "worker" / name, tmp_path / "worker" / name, ignore=ignored)
    (tmp_path / "worker" / "__init__.py").touch()
    return tmp_path


def run(code: str, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=folder,
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
    assert run(LEAVE, package, **cache) == f"{ANNOUNCED}0 0 1\n"
    assert run(LEAVE, package, **cache) == "0 1 0\n"
    callee = package / "worker" / "exact_cover" / "parts" / "path.py"
    edit(callee, "    return path, count\n", "    return path, count + 10\n")
    assert run(LEAVE, package, **cache) == f"{ANNOUNCED}10 0 1\n"


def test_a_stored_function_is_loaded_without_what_only_compiling_needs(package: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    run(LEAVE, package, **cache)
    assert run(LEAVE + COMPILE, package, **cache) == "0 1 0\nFalse\n10.0\n"


@pytest.mark.soak
def test_what_was_stored_for_a_type_that_has_moved_since_is_not_read(package: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    assert run(LEAVE, package, **cache) == f"{ANNOUNCED}0 0 1\n"
    for path in (package / "worker").rglob("*.py"):
        path.write_text(re.sub(r"\bKept\b", "Renamed", path.read_text()))
    assert run(LEAVE, package, **cache) == f"{ANNOUNCED}0 0 1\n"


def test_the_digest_changes_with_every_source_file(package: Path) -> None:
    folders = [package / "worker" / name for name in PACKAGES]
    digests = {source_digest.__wrapped__(*folders)}
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    for path in paths:
        path.write_text(path.read_text() + "# edited\n")
        digests.add(source_digest.__wrapped__(*folders))
    assert len(digests) == len(paths) + 1


def test_functions_that_are_only_linked_and_those_compiled_as_usual_give_the_same(
    package: Path,
) -> None:
    assert jit.INNER["pipeline_class"] == jit.LinkedCompiler
    path = package / "worker" / "compiling" / "jit.py"
    edit(path, "TRIED_VERSIONS = ((0, 62), (0, 68))", "TRIED_VERSIONS = ((0, 0), (0, 0))")
    linked = "from worker.compiling.jit import INNER; print('pipeline_class' in INNER)"
    cache = str(package / "cache")
    assert run(f"{linked}\n{LEAVE}", package, NUMBA_CACHE_DIR=cache) == f"False\n{ANNOUNCED}0 0 1\n"


def test_of_two_processes_that_need_a_function_one_compiles_it(package: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    with ThreadPoolExecutor() as both:
        outputs = both.map(lambda _: run(LEAVE, package, **cache), range(2))
    assert sorted(outputs) == ["0 1 0\n", f"{ANNOUNCED}0 0 1\n"]


def test_a_process_that_never_ends_keeps_others_waiting_for_a_while_only(package: Path) -> None:
    waiting = "from worker.compiling import cache; cache.MAX_WAIT_NS = 10**8"
    locking = """
import fcntl, os
from worker.compiling.cache import WaitingCache
from worker.exact_cover.parts.path import leave
fcntl.flock(os.open(leave._cache.cache_path, os.O_RDONLY), fcntl.LOCK_EX)
"""
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    assert run(f"{waiting}{locking}{LEAVE}", package, **cache) == f"{ANNOUNCED}0 0 1\n"


def test_a_function_that_could_not_be_compiled_lets_others_compile(package: Path) -> None:
    code = """
from worker.exact_cover.parts.path import leave
try:
    leave("neither tables nor a search")
except TypeError:
    print("refused", end=" ")
import fcntl, os
fcntl.flock(os.open(leave._cache.cache_path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
print("free")
"""
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    assert run(code, package, **cache).endswith("refused free\n")


def test_the_installed_numba_is_one_that_the_overrides_were_tried_with() -> None:
    first, last = jit.TRIED_VERSIONS
    assert first <= numba.version_info.short <= last


@pytest.mark.parametrize(
    ("base", "name"),
    [
        (CPUCodeLibrary, "_optimize_final_module"),
        (CPUCodeLibrary, "_finalize_final_module"),
        (JITCodeLibrary, "get_pointer_to_function"),
        (JITCodeLibrary, "codegen"),
        (CompilerBase, "define_pipelines"),
        (FunctionCache, "load_overload"),
        (FunctionCache, "_load_overload"),
        (FunctionCache, "save_overload"),
    ],
)
def test_what_is_overridden_exists_in_numba(base: type, name: str) -> None:
    assert hasattr(base, name)


UNCOMPILED = """
import numpy as np
np.seterr(all="raise")
from storage.values import Kind
from tests.worker.exact_cover.problems import langford, partition, queens
from tests.worker.exact_cover.costs.test_cheapest import result
from tests.worker.exact_cover.test_search import slow_slices
from worker.exact_cover.solve import solve
from worker.options import Options
from worker.set_cover.solve import cheapest
from worker.set_cover.run import Strategy
from worker.solve import search
assert solve(queens(6)).found == 4
assert solve(langford(4)).found == 2
assert slow_slices(queens(5)) == 10
problem = partition(12, 20, 0)
least = solve(problem, prune=True).kept[0][1]
assert result(problem).kept[0][1] == least
once, thorough = [(1, 1)] * problem.primary, Strategy(first_visits=0, early_visits=0)
[found] = [one for one in cheapest(problem, once, strategy=thorough) if one]
assert found.kept[0][1] == least
for target in (False, True):
    options = Options(None, target, (1,) * 16, True)
    [outcome] = [one for few in search(Kind.SUDOKU, ["." * 16], options) for one in few.rows()]
    assert (outcome.solutions, outcome.complete) == (288, True)
"""


@pytest.mark.filterwarnings("default")
def test_the_kernel_also_runs_uncompiled() -> None:
    run(UNCOMPILED, ROOT, NUMBA_DISABLE_JIT="1")
