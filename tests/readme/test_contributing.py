"""CONTRIBUTING.md matches the commands and folders; CHANGELOG.md describes this version."""

import re
from datetime import date

from tests.readme.reading import README, ROOT, blocks, section
from tests.test_layout import PYPROJECT

TEXT = (ROOT / "CONTRIBUTING.md").read_text()
CHANGES = (ROOT / "CHANGELOG.md").read_text()


def test_ci_runs_the_three_commands_that_the_page_names() -> None:
    install, test, check = next(block.lines for block in blocks(TEXT) if block.language == "sh")
    script = (ROOT / ".ci" / "run").read_text()
    quick = blocks(section(README.read_text(), "Quick start"))[0].lines
    run = [part for line in quick for part in line.split(" && ")]
    assert [*install.split(" && "), test] == [run[0], run[-2], run[-1]]
    assert check.split(" && ") == re.findall(r"^check (\.venv/.+)$", script, re.MULTILINE)


def test_the_programs_that_the_page_names_exist() -> None:
    for module in re.findall(r"`python -m ([\w.]+)`", TEXT):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    versions = re.findall(r"^## \[(\d[\w.]*)\] - (.+)$", CHANGES, re.MULTILINE)
    assert versions[0][0] == PYPROJECT["project"]["version"]
    dates = [date.fromisoformat(day) for _, day in versions]
    assert dates == sorted(dates, reverse=True)


def test_every_heading_of_the_changelog_has_entries() -> None:
    sections = re.split(r"^#+ .*$", CHANGES, flags=re.MULTILINE)[2:]
    assert all(section.strip() for section in sections)
