"""Generates examples/datasette.json from storage/README.md: `python -m tests.readme.datasette`."""

import json
import re
from html import escape
from typing import Any

from storage.tables import COLUMNS
from tests.readme.questions import PAGE, Question, questions
from tests.readme.reading import ROOT, quoted, table

FILE = ROOT / "examples" / "datasette.json"
#: the batch number in the SQL of a question; a parameter in Datasette
BATCH = re.compile(r"(\bbatch = )\d+")


def metadata(text: str) -> dict[str, Any]:
    """Return Datasette's metadata: descriptions of tables and columns, and the saved queries."""
    sections = re.findall(r"^### `(\w+)`\n\n(.+?)\n\n(.+?)(?=\n#)", text, re.MULTILINE | re.DOTALL)
    meanings = {name: column_meanings(rows) for name, _, rows in sections}
    tables = {
        name: {"description_html": described(purpose, meanings[name])}
        for name, purpose, _ in sections
    }
    columns = meanings["answer"] | {
        "batch": meanings["answer"]["batch_id"],
        "batch_name": meanings["batch"]["name"],
    }
    shown = {name: columns[name].partition("; named")[0] for name in COLUMNS}
    view = {
        "description_html": described("One row for each answered puzzle.", shown),
        "facets": ["batch", "status", "kind"],
    }
    hidden = {"meta": tables["meta"] | {"hidden": True}, "alembic_version": {"hidden": True}}
    return {
        "title": "Bullseye",
        "description": "Puzzles and their answers.",
        "databases": {
            "bullseye": {
                "tables": {"answers": view} | tables | hidden,
                "queries": {slug(one.title): query(one) for one in questions(text)},
            }
        },
    }


def column_meanings(rows: str) -> dict[str, str]:
    """Return what each column of a table means."""
    return {quoted(name): plain(meaning) for name, _, _, meaning in table(rows)}


def described(purpose: str, columns: dict[str, str]) -> str:
    """Return the description of a table as HTML, with its columns folded.

    Datasette would list descriptions under `columns` above the rows, which they would push down.
    """
    listed = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>" for name, meaning in columns.items()
    )
    folded = f"<details><summary>Columns</summary><dl>{listed}</dl></details>"
    return escape(plain(purpose)) + folded


def query(question: Question) -> dict[str, str]:
    """Return a saved query, with the batch number as a parameter."""
    return {"title": question.title, "sql": BATCH.sub(r"\1:batch", question.sql).strip()}


def slug(title: str) -> str:
    """Return a title as a part of a URL.

    >>> slug("Who did the work, and when?")
    'who-did-the-work-and-when'
    """
    return "-".join(re.findall(r"\w+", title.lower()))


def plain(text: str) -> str:
    """Return the text without backticks."""
    return text.replace("`", "")


def generated() -> str:
    """Return the content of the file."""
    return json.dumps(metadata(PAGE.read_text()), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(generated())
