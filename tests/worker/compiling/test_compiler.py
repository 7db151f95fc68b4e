"""What is overridden of numba, and the kernel without it."""

from pathlib import Path

import numba
import pytest
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase

from tests.worker.compiling.test_cache import ANNOUNCED, LEAVE, ROOT, edit, package, run
from worker.compiling import compiler

__all__ = ["package"]


def test_functions_that_are_only_linked_and_those_compiled_as_usual_give_the_same(
    package: Path,
) -> None:
    assert compiler.INNER["pipeline_class"] == compiler.LinkedCompiler
    path = package / "worker" / "compiling" / "compiler.py"
    edit(path, "TRIED_VERSIONS = ((0, 62), (0, 68))", "TRIED_VERSIONS = ((0, 0), (0, 0))")
    linked = "from worker.compiling.compiler import INNER; print('pipeline_class' in INNER)"
    cache = str(package / "cache")
    assert (
        run(f"{linked}\n{LEAVE}", package, NUMBA_CACHE_DIR=cache) == f"False\n{ANNOUNCED}0 True\n"
    )


def test_the_installed_numba_is_one_that_the_overrides_were_tried_with() -> None:
    first, last = compiler.TRIED_VERSIONS
    assert first <= numba.version_info.short <= last


@pytest.mark.parametrize(
    ("base", "name"),
    [
        (CPUCodeLibrary, "_optimize_final_module"),
        (CPUCodeLibrary, "_finalize_final_module"),
        (JITCodeLibrary, "get_pointer_to_function"),
        (JITCodeLibrary, "codegen"),
        (CompilerBase, "define_pipelines"),
        (JITCodeLibrary, "serialize_using_object_code"),
    ],
)
def test_what_is_overridden_or_called_exists_in_numba(base: type, name: str) -> None:
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
from worker.set_cover.strategy import Strategy
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
