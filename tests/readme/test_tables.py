"""What README.md lists is what there is."""

import re
from dataclasses import fields

import pytest

from cli.errors import Exit
from cli.main import COMMANDS, run
from storage import tables
from tests.readme.reading import FILE, ROOT, blocks, linked, quoted, section, table
from worker.formats.layout import FORMATS
from worker.formats.source import open_source
from worker.settings import PREFIX, Settings

TEXT = FILE.read_text()
JUDGES = ROOT / "tests" / "data" / "judge"


def test_the_quick_start_is_two_lines_and_its_first_is_shown() -> None:
    quick, shown, *_ = blocks(section(TEXT, "Quick start"))
    first, second = quick.lines
    assert quick.language == "sh"
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert second.endswith(" && .venv/bin/pytest")
    assert shown.lines[0].removeprefix("$ ") == first.rpartition(".venv/bin/")[2]


def test_every_link_leads_to_a_file() -> None:
    assert not [link for link in linked(TEXT) if not (ROOT / link).exists()]


def test_the_formats_are_those_we_read() -> None:
    rows = table(section(TEXT, "Formats"))
    assert {quoted(name): reads for name, reads, _ in rows} == FORMATS


def test_every_format_has_an_example_that_is_recognised() -> None:
    for name, _, example in table(section(TEXT, "Formats")):
        (file,) = linked(example)
        with open_source(str(ROOT / file)) as source:
            assert source.layout.format == quoted(name)


def test_every_judge_whose_files_we_have_is_listed() -> None:
    listed = re.sub(r"\W", "", section(TEXT, "Judges").lower())
    for judge in {path.stem.partition("-")[0] for path in JUDGES.glob("*.in")}:
        assert judge in listed


def test_the_exit_codes_are_those_we_use() -> None:
    assert [int(code) for code, _ in table(section(TEXT, "Exit codes"))] == sorted(Exit)


def test_the_variables_are_those_we_read_with_their_defaults() -> None:
    rows = {quoted(name): told for name, _, told in table(section(TEXT, "Environment"))}
    assert list(rows) == [PREFIX + field.name.upper() for field in fields(Settings)]
    for field in fields(Settings):
        told = rows[PREFIX + field.name.upper()]
        if isinstance(field.default, int | float):
            assert float(told) == field.default
        elif isinstance(field.default, str) and field.default:
            assert told == f"`{field.default}`"


def test_the_columns_of_the_view_are_all_named_in_order() -> None:
    (line,) = (line for line in TEXT.splitlines() if line.startswith("Its columns:"))
    assert tuple(re.findall(r"`(\w+)`", line)) == tables.COLUMNS


def test_every_command_is_named_and_every_named_one_helps(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code = "\n".join(line for block in blocks(TEXT) for line in block.lines)
    code += "\n".join(re.findall(r"`([^`\n]+)`", TEXT))
    named = set(re.findall(r"\bbullseye ([a-z]+)", code))
    assert named == set(COMMANDS)
    for command in named:
        assert run([command, "--help"]) == 0
        assert f"bullseye {command}" in capfd.readouterr().out


def test_the_map_shows_every_room() -> None:
    shown = {quoted(room).rstrip("/") for room, _ in table(section(TEXT, "Where things live"))}
    assert shown == {"cli", "worker", "storage", "tests"}


def test_what_happens_at_each_fault_is_shown_by_a_test() -> None:
    rows = table(section(TEXT, "What happens when ..."))
    assert len(rows) > 15
    for _, _, shown in rows:
        (file,) = linked(shown)
        assert f"\ndef {quoted(shown)}(" in (ROOT / file).read_text()
    shown_here = {linked(shown)[0] for _, _, shown in rows}
    faults = {
        f"tests/end_to_end/{path.name}" for path in ROOT.glob("tests/end_to_end/test_*faults.py")
    }
    assert shown_here >= faults
