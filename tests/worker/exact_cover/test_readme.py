"""The chapter's examples are what the engine does."""

import os
import subprocess
import sys
from pathlib import Path

from worker import exact_cover

CHAPTER = Path(exact_cover.__path__[0]) / "README.md"


def test_every_example_of_the_chapter_runs() -> None:
    """Uncompiled, so that it can take the dance apart."""
    told = subprocess.run(
        [sys.executable, "-m", "doctest", "-v", str(CHAPTER)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0, told.stdout
    assert told.stdout.count("Trying:") > 15
