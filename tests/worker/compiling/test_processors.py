"""The same code, compiled for processors with other vector instructions, gives the same answers."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent.parent
SCRIPT = """
import json
from pathlib import Path
from bullseye import solve

found = [
    [one.status, one.solutions, one.solution, one.nodes]
    for name in ("sudoku.txt", "target.txt")  # with one solution, and with thousands
    for one in solve(Path("examples", name), limit=5)
]
print(json.dumps(found))
"""


@cache
def answers(**environ: str) -> list[list[object]]:
    done = subprocess.check_output(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env={**os.environ, **environ}, text=True
    )
    found: list[list[object]] = json.loads(done)
    return found


@pytest.mark.parametrize("processor", ["x86-64", "haswell"])  # with SSE2 alone, and with AVX2
def test_answers_do_not_depend_on_vector_instructions(processor: str) -> None:
    found = answers(NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES="")
    assert found == answers()
    assert len(found) == 30
