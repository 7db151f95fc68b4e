"""The questions of storage/README.md; `python -m tests.readme.questions` updates the answers."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.readme.reading import ROOT, blocks
from tests.readme.session import session

PAGE = ROOT / "storage" / "README.md"
#: a question: number, title, explanation, SQL, kind of answer, and the table with the answer
PATTERN = re.compile(
    r"^### (\d+)\. (.+?)\n(.*?)^```sql\n(.*?)^```\n\n(Answer|For example):\n\n?(\|.*?\n)?(?=\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


class Question(NamedTuple):
    """A question of the page, its SQL and the answer shown."""

    title: str
    sql: str
    exact: bool  #: the answer is the same in every run
    shown: str  #: a Markdown table


def questions(text: str) -> list[Question]:
    """Return all questions of the page, in order."""
    return [
        Question(found[2], found[4], found[5] == "Answer", found[6] or "")
        for found in PATTERN.finditer(text)
    ]


@contextmanager
def example_database(text: str) -> Iterator[Path]:
    """Run the page's commands; yield the SQLite file that they create."""
    commands = next(block.lines for block in blocks(text) if block.language == "console")
    with session() as terminal:
        for command in commands:
            terminal.execute(command.removeprefix("$ "))
        (file,) = (terminal.folder / "home").rglob("bullseye.db")
        yield file


def query(connection: Any, sql: str) -> str:
    """Run a query and return its rows as a Markdown table."""
    found = connection.execute(sql)
    head = [column[0] for column in found.description]
    return table([head, ["---"] * len(head), *([cell(v) for v in row] for row in found)])


def steady(connection: Any, sql: str) -> list[list[str | None]]:
    """Run a query and return its cells; None for a time or a worker, which vary between runs."""
    return [[None if varies(v) else cell(v) for v in row] for row in connection.execute(sql)]


def varies(value: object) -> bool:
    """Return whether a value differs between two runs.

    >>> varies(0.25), varies("bullseye-7@vm"), varies("2026-11-21T08:03:05.036Z"), varies(20)
    (True, True, True, False)
    """
    return isinstance(value, float) or re.match(r"bullseye-|\d{4}-\d\d-", str(value)) is not None


def table(lines: Sequence[Sequence[str]]) -> str:
    r"""Format lines of cells as a Markdown table.

    >>> table([["a", "b"], ["---", "---"]])
    '| a | b |\n|---|---|\n'
    """
    rows = ("| " + " | ".join(line) + " |\n" for line in lines)
    return "".join(row.replace(" --- ", "---") for row in rows)


def cell(value: object) -> str:
    """Format a value: floats with three digits, null as nothing.

    >>> cell(None), cell(0.123456), cell(2850), cell("x")
    ('', '0.123', '2850', 'x')
    """
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def connect(file: Path) -> closing[sqlite3.Connection]:
    """Connect to an SQLite file, read-only."""
    return closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True))


def updated(text: str) -> str:
    """Return the page with the answers of a new example database."""
    with example_database(text) as file, connect(file) as connection:

        def update(found: re.Match[str]) -> str:
            number, title, words, sql, kind, _ = found.groups()
            answer = query(connection, sql)
            return f"### {number}. {title}\n{words}```sql\n{sql}```\n\n{kind}:\n\n{answer}"

        return PATTERN.sub(update, text)


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text()))
