"""The chapter's examples are what the engine does."""

import doctest
from pathlib import Path

from worker import exact_cover

CHAPTER = Path(exact_cover.__path__[0]) / "README.md"


def test_every_example_of_the_chapter_runs() -> None:
    failed, tried = doctest.testfile(str(CHAPTER), module_relative=False)
    assert tried > 15
    assert failed == 0
