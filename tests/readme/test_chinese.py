"""README.zh.md agrees with the English documents, whose console blocks are executed."""

import re

from cli.main import COMMANDS
from tests.readme.reading import (
    CHINESE,
    DOCS,
    PAGES,
    README,
    ROOT,
    blocks,
    executions,
    is_output,
    linked,
    quoted,
    section,
    table,
)
from tests.readme.session import masked

TEXT = CHINESE.read_text()
ENGLISH = README.read_text()


def test_each_readme_links_to_the_other() -> None:
    assert "README.zh.md" in linked(ENGLISH)
    assert "README.md" in linked(TEXT)


def test_its_quick_start_is_the_first_line_of_the_english_one_and_shows_its_output() -> None:
    quick, shown, *_ = blocks(TEXT)
    assert quick.lines == blocks(section(ENGLISH, "Quick start"))[0].lines[:1]
    assert is_output(shown)


def test_its_commands_and_their_output_are_those_of_the_english_documents() -> None:
    english = {comparable(one) for page in PAGES for one in executions(page.read_text())}
    for shown in executions(TEXT):
        assert comparable(shown) in english, shown


def comparable(shown: str) -> str:
    """Return a command and its output without what differs between runs and documents."""
    return re.sub(r"\b(batch|show) \d+", r"\1", masked(shown))


def test_the_lines_of_its_shell_block_are_in_the_english_readme() -> None:
    (lines,) = (block.lines for block in blocks(TEXT)[1:] if block.language == "sh")
    for line in lines:
        assert re.search(rf"{re.escape(line)}(?!\S)|`{re.escape(line)}`", ENGLISH), line


def test_the_sample_is_the_file_that_is_solved() -> None:
    (sample,) = (block.lines for block in blocks(TEXT) if block.language == "text")
    (solved,) = re.findall(r"^\$ bullseye solve --target -f judge (\S+)$", TEXT, re.MULTILINE)
    assert sample == [line.strip() for line in (ROOT / solved).read_text().splitlines()]


def test_it_lists_every_page_for_users() -> None:
    listed = {link.partition("#")[0] for link in linked(section(TEXT, "更多文档（英文）"))}
    _, *pages = PAGES
    assert {str(page.relative_to(ROOT)) for page in pages} <= listed


def test_its_command_table_lists_every_command() -> None:
    rows = table(section(TEXT, "命令"))
    assert [quoted(command).split()[:2] for command, _ in rows] == [
        ["bullseye", name] for name in COMMANDS
    ]
    assert all(purpose for _, purpose in rows)


def test_its_options_are_those_of_the_english_documents() -> None:
    documents = ENGLISH + "".join(page.read_text() for page in DOCS.glob("*.md"))
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)):
        assert option in documents, option
