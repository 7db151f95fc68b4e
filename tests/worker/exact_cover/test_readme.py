"""The examples and tables of the chapter are what the engine does."""

import os
import subprocess
import sys
from pathlib import Path

from tests.readme.reading import table
from worker import exact_cover

CHAPTER = Path(exact_cover.__path__[0]) / "README.md"
ROOT = CHAPTER.parent.parent.parent
DANCE = "tests.worker.exact_cover.chapter"
DANCED = ("masks", "rings")


def uncompiled(*arguments: str) -> subprocess.CompletedProcess[str]:
    """So that it can take the dance apart."""
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
    told = uncompiled("doctest", "-v", str(CHAPTER))
    assert told.returncode == 0, told.stdout
    assert told.stdout.count("Trying:") > 15


def test_the_tables_of_the_chapter_are_those_of_a_real_dance() -> None:
    assert CHAPTER.read_text().count("\n<!-- table: ") == 3
    told = uncompiled(DANCE, "--check")
    assert told.returncode == 0, f"{told.stderr}\n\nNUMBA_DISABLE_JIT=1 python -m {DANCE}"


def test_what_is_taken_back_is_as_it_was_before() -> None:
    chapter = CHAPTER.read_text()
    parts = (chapter.partition(f"<!-- table: {name} -->")[2] for name in DANCED)
    steps, links = (table(part.partition("<!-- end -->")[0]) for part in parts)
    states = [(*step[2:], *link[1:]) for step, link in zip(steps, links, strict=True)]
    chosen: list[int] = []
    for number, (_, step, *_) in enumerate(steps[1:], start=1):
        if step.startswith("choose "):
            chosen.append(number - 1)
        else:
            assert states[number] == states[chosen.pop()], step
    assert not chosen
    assert len(set(states)) == len(states) - 5
