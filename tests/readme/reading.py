"""README.md as its tests read it."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "README.md"
#: those whose commands are played
FILES = (FILE, ROOT / "README.zh.md")


class Block(NamedTuple):
    """A fenced block."""

    language: str
    lines: list[str]


def blocks(text: str) -> list[Block]:
    r"""The fenced blocks.

    >>> blocks("```sh\nls\n```\n")
    [Block(language='sh', lines=['ls'])]
    """
    found = re.findall(r"^ *```(\w+)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [Block(language, body.splitlines()) for language, body in found]


def section(text: str, title: str) -> str:
    """What stands under a heading."""
    _, _, rest = text.partition(f"\n## {title}\n")
    assert rest, f"README.md has no section {title!r}"
    return rest.partition("\n## ")[0]


def table(text: str) -> list[list[str]]:
    r"""The cells of the first table, without its head.

    >>> table("| a | b |\n|---|---|\n| 1 | 2 |\n")
    [['1', '2']]
    """
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def quoted(cell: str) -> str:
    """What stands between the first two backticks.

    >>> quoted("see `this`, not `that`")
    'this'
    """
    return cell.split("`")[1]


def linked(text: str) -> list[str]:
    """The files that the text links to."""
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
