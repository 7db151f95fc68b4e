"""The Python sessions in the documents show what Python prints."""

import doctest
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.readme.reading import DOCS, PAGES, ROOT, blocks, quoted, section, table

SESSIONS = [
    page for page in PAGES if any(block.language == "pycon" for block in blocks(page.read_text()))
]
PEERS = table(section((DOCS / "python.md").read_text(), "Compared with other packages"))


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_python_session_prints_what_is_shown(page: Path) -> None:
    sessions = (block.lines for block in blocks(page.read_text()) if block.language == "pycon")
    text = "\n\n".join("\n".join(lines) for lines in sessions) + "\n"
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(example).failed == 0


@pytest.mark.parametrize("row", PEERS, ids=lambda row: quoted(row[0]) + row[3])
@pytest.mark.filterwarnings("ignore::Warning")  # of the other packages
def test_the_two_lines_of_each_package_have_the_value_that_is_shown(row: list[str]) -> None:
    _, first, second, value = map(quoted, row)
    package = re.findall(r"\w+", first)[-1 if first.startswith("import") else 1]
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed (pip install -e '.[bench]')")
    names: dict[str, object] = {}
    exec(first, names)
    assert repr(eval(second, names)) == value


def test_the_two_lines_of_three_other_packages_are_shown() -> None:
    assert {quoted(row[0]) for row in PEERS} == {"bullseye", "xcover", "exact_cover", "py-sudoku"}
