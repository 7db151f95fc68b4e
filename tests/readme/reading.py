"""Reads the Markdown documents for the tests: fenced blocks, sections, tables and links."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
CHINESE = ROOT / "README.zh.md"
DOCS = ROOT / "docs"
#: documents for users in English; their console blocks are executed by test_console
PAGES = (README, ROOT / "examples" / "problems.md", *sorted(DOCS.glob("*.md")))


class Block(NamedTuple):
    """A fenced block: its language and its lines."""

    language: str
    lines: list[str]


def blocks(text: str) -> list[Block]:
    r"""Return the fenced blocks of a document, in order.

    >>> blocks("```sh\nls\n```\n")
    [Block(language='sh', lines=['ls'])]
    """
    found = re.findall(r"^ *```(\w+)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [Block(language, body.splitlines()) for language, body in found]


def executions(text: str) -> list[str]:
    r"""Return each command of the console blocks with its output.

    A block without a command is the output of the shell block before it.

    >>> executions("```console\n$ cd /\n$ pwd\n/\n```\n")
    ['$ cd /', '$ pwd\n/']
    """
    shown = ["\n".join(block.lines) for block in blocks(text) if block.language == "console"]
    return [one for block in shown for one in re.split(r"\n(?=\$ )", block)]


def is_output(block: Block) -> bool:
    """Return whether a block has no command: it shows what the shell block before it prints."""
    return block.language == "console" and not any(line.startswith("$ ") for line in block.lines)


def section(text: str, title: str) -> str:
    """Return the text below a second-level heading; AssertionError if there is none."""
    _, _, rest = text.partition(f"\n## {title}\n")
    assert rest, f"there is no section {title!r}"
    return rest.partition("\n## ")[0]


def table(text: str) -> list[list[str]]:
    r"""Return the cells of the first table of a text, row by row, without its header.

    >>> table("| a | b |\n|---|---|\n| 1 | 2 |\n\nText.\n\n| c |\n|---|\n| 3 |\n")
    [['1', '2']]
    """
    found = re.search(r"^\|.*\n\|[-:| ]+\n((?:\|.*\n?)*)", text, re.MULTILINE)
    rows = found[1].splitlines() if found else []
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def quoted(cell: str) -> str:
    """Return the text between the first two backticks.

    >>> quoted("see `this`, not `that`")
    'this'
    """
    return cell.split("`")[1]


def linked(text: str) -> list[str]:
    """Return the targets of all links to files of the repository, relative to the document.

    >>> linked("[a](docs/a.md#top), [b](https://b.example), ![c](c.svg)")
    ['docs/a.md#top', 'c.svg']
    """
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]


def anchor(heading: str) -> str:
    """Return the fragment that GitHub gives to a heading.

    >>> anchor("The tables, and `--where`")
    'the-tables-and---where'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
