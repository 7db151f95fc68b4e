"""The questions of storage/README.md; `python -m tests.readme.questions` writes the answers."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.readme.reading import ROOT, blocks
from tests.readme.session import session

PAGE = ROOT / "storage" / "README.md"
#: a question with its SQL and the table of its answer
PATTERN = re.compile(
    r"^### (\d+)\. (.+?)\n(.*?)^```sql\n(.*?)^```\n\n(Answer|For example):\n\n?(\|.*?\n)?(?=\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


class Question(NamedTuple):
    """A question, its SQL, and what the page says to it."""

    title: str
    sql: str
    exact: bool  #: the answer is the same each time
    shown: str  #: a table


def questions(text: str) -> list[Question]:
    """All questions of the page, in order."""
    return [
        Question(found[2], found[4], found[5] == "Answer", found[6] or "")
        for found in PATTERN.finditer(text)
    ]


@contextmanager
def asked_of(text: str) -> Iterator[Path]:
    """The database that the page's commands make."""
    commands = next(block.lines for block in blocks(text) if block.language == "console")
    with session() as terminal:
        for command in commands:
            terminal.play(command.removeprefix("$ "))
        (file,) = (terminal.folder / "home").rglob("bullseye.db")
        yield file


def asked(connection: Any, sql: str) -> str:
    """What a database answers, as a table."""
    found = connection.execute(sql)
    head = [column[0] for column in found.description]
    return table([head, ["---"] * len(head), *([cell(v) for v in row] for row in found)])


def table(lines: Sequence[Sequence[str]]) -> str:
    r"""Markdown.

    >>> table([["a", "b"], ["---", "---"]])
    '| a | b |\n|---|---|\n'
    """
    rows = ("| " + " | ".join(line) + " |\n" for line in lines)
    return "".join(row.replace(" --- ", "---") for row in rows)


def cell(value: object) -> str:
    """A value as a person reads it.

    >>> cell(None), cell(0.123456), cell(2850), cell("x")
    ('', '0.123', '2850', 'x')
    """
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def opened(file: Path) -> closing[sqlite3.Connection]:
    """The database, to be read only."""
    return closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True))


def answered(text: str) -> str:
    """The page with the answers that a database gives."""
    with asked_of(text) as file, opened(file) as connection:

        def again(found: re.Match[str]) -> str:
            number, title, words, sql, kind, _ = found.groups()
            told = asked(connection, sql)
            return f"### {number}. {title}\n{words}```sql\n{sql}```\n\n{kind}:\n\n{told}"

        return PATTERN.sub(again, text)


if __name__ == "__main__":
    PAGE.write_text(answered(PAGE.read_text()))
