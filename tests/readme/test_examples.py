"""The larger files in examples/ are what its script writes."""

import runpy

from tests.readme.reading import ROOT

FOLDER = ROOT / "examples"


def test_the_script_writes_the_example_files() -> None:
    written = runpy.run_path(str(FOLDER / "make.py"))["FILES"]
    for file, lines in written.items():
        assert (FOLDER / file).read_text().splitlines() == list(lines), file
