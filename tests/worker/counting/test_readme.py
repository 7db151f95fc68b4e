"""The examples of the chapter are what the package does."""

from pathlib import Path

from tests.worker.exact_cover.test_readme import run_uncompiled
from worker import counting

CHAPTER = Path(counting.__path__[0]) / "README.md"


def test_every_example_of_the_chapter_runs() -> None:
    done = run_uncompiled("doctest", "-v", str(CHAPTER))
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Trying:") > 10
