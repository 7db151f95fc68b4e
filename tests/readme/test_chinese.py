"""README.zh.md says what README.md says; its console blocks are played by test_console."""

import re

from cli.main import COMMANDS
from tests.readme.reading import FILE, ROOT, blocks, linked, quoted, section, table

TEXT = (ROOT / "README.zh.md").read_text()
ENGLISH = FILE.read_text()


def test_each_leads_to_the_other() -> None:
    assert "README.zh.md" in linked(ENGLISH)
    assert "README.md" in linked(TEXT)
    assert not [link for link in linked(TEXT) if not (ROOT / link).exists()]


def test_its_quick_start_is_the_first_line_of_ours() -> None:
    assert blocks(TEXT)[0].lines == blocks(section(ENGLISH, "Quick start"))[0].lines[:1]


def test_its_shell_lines_stand_in_ours_too() -> None:
    (lines,) = (block.lines for block in blocks(TEXT)[1:] if block.language == "sh")
    for line in lines:
        assert re.search(rf"^ *{re.escape(line)}\b", ENGLISH, re.MULTILINE), line


def test_the_sample_is_the_one_that_is_solved() -> None:
    (sample,) = (block.lines for block in blocks(TEXT) if block.language == "text")
    (played,) = re.findall(r"^\$ bullseye solve --target -f judge (\S+)$", TEXT, re.MULTILINE)
    assert sample == [line.strip() for line in (ROOT / played).read_text().splitlines()]


def test_every_command_is_in_its_table() -> None:
    rows = table(section(TEXT, "队列：一台或多台机器"))
    assert [quoted(command).split()[:2] for command, _ in rows] == [
        ["bullseye", name] for name in COMMANDS
    ]
    assert all(purpose for _, purpose in rows)


def test_the_options_it_names_are_those_of_our_commands() -> None:
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)):
        assert option in ENGLISH, option
