"""CONTRIBUTING.md names the commands and rooms that there are; CHANGELOG.md this version."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from tests.readme.reading import ROOT, blocks, linked, quoted, section, table
from tests.test_layout import PYPROJECT, ROOMS

TEXT = (ROOT / "CONTRIBUTING.md").read_text()
CHANGES = (ROOT / "CHANGELOG.md").read_text()
#: the folders that the page lists
MAP = [quoted(room).rstrip("/") for room, _ in table(section(TEXT, "The rooms"))]


def test_there_are_three_commands_and_ci_runs_them() -> None:
    (block,) = blocks(TEXT)
    install, test, check = block.lines
    script = (ROOT / ".ci" / "run").read_text()
    quick = blocks(section((ROOT / "README.md").read_text(), "Quick start"))[0].lines
    run = [part for line in quick for part in line.split(" && ")]
    assert [*install.split(" && "), test] == [run[0], run[-2], run[-1]]
    assert check.split(" && ") == re.findall(r"^check (.+)$", script, re.MULTILINE)


def test_every_room_is_on_the_map() -> None:
    rooms = {str(path.parent.relative_to(ROOT)) for path in packages()}
    assert sorted(MAP) == sorted([*rooms, "storage/migrations", "examples", "tests"])


def packages() -> Iterator[Path]:
    for room in ROOMS:
        yield from (ROOT / room).rglob("__init__.py")


def test_every_link_leads_to_a_file() -> None:
    assert not [link for link in linked(TEXT + CHANGES) if not (ROOT / link).exists()]


def test_the_programs_it_names_are_there() -> None:
    for module in re.findall(r"`python -m ([\w.]+)`", TEXT):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module


def test_this_version_has_its_entry_and_it_is_the_newest() -> None:
    versions = re.findall(r"^## \[(\d[\w.]*)\] - (.+)$", CHANGES, re.MULTILINE)
    assert versions[0][0] == PYPROJECT["project"]["version"]
    dates = [date.fromisoformat(day) for _, day in versions]
    assert dates == sorted(dates, reverse=True)


def test_an_entry_says_something_under_each_of_its_headings() -> None:
    for part in re.split(r"^#+ .*$", CHANGES, flags=re.MULTILINE)[2:]:
        assert part.strip(), CHANGES
