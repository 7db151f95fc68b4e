"""The examples and tables of the chapters are what the kernels do."""

import os
import subprocess
import sys
from pathlib import Path

from tests.readme.reading import table
from worker import exact_cover, multiplicity, set_cover, sudoku, symmetry

CHAPTER = Path(exact_cover.__path__[0]) / "README.md"
SET_COVER = Path(set_cover.__path__[0]) / "README.md"
MULTIPLICITY = Path(multiplicity.__path__[0]) / "README.md"
SUDOKU = Path(sudoku.__path__[0]) / "README.md"
SYMMETRY = Path(symmetry.__path__[0]) / "README.md"
ROOT = CHAPTER.parent.parent.parent
GENERATOR = "tests.worker.exact_cover.chapter"
STEP_TABLES = ("masks", "rings")


def run_uncompiled(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module where single steps of the kernel can be called."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_example_of_the_chapter_runs() -> None:
    chapters = map(str, (CHAPTER, SET_COVER, MULTIPLICITY, SUDOKU, SYMMETRY))
    done = run_uncompiled("doctest", "-v", *chapters)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Trying:") > 25


def test_the_tables_of_the_chapter_are_those_of_a_real_search() -> None:
    assert CHAPTER.read_text().count("\n<!-- table: ") == 3
    done = run_uncompiled(GENERATOR, "--check")
    assert done.returncode == 0, f"{done.stderr}\n\nNUMBA_DISABLE_JIT=1 python -m {GENERATOR}"


def test_undoing_a_choice_restores_the_tables_before_it() -> None:
    chapter = CHAPTER.read_text()
    parts = (chapter.partition(f"<!-- table: {name} -->")[2] for name in STEP_TABLES)
    steps, links = (table(part.partition("<!-- end -->")[0]) for part in parts)
    states = [(*step[2:], *link[1:]) for step, link in zip(steps, links, strict=True)]
    before_choice: list[int] = []
    for number, (_, step, *_) in enumerate(steps[1:], start=1):
        if step.startswith("choose "):
            before_choice.append(number - 1)
        else:
            assert states[number] == states[before_choice.pop()], step
    assert not before_choice
    assert len(set(states)) == len(states) - 5
