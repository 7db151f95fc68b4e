"""Generates examples/datasette.json from storage/README.md: `python -m tests.readme.datasette`."""

import json
import re
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
    tables = {name: described(purpose, rows) for name, purpose, rows in sections}
    columns = tables["answer"]["columns"] | {"batch": tables["answer"]["columns"]["batch_id"]}
    view = {
        "description": "One row for each answered puzzle.",
        "facets": ["batch", "status", "kind"],
        "columns": {name: columns[name].partition("; named")[0] for name in COLUMNS},
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


def described(purpose: str, rows: str) -> dict[str, Any]:
    """Return the description of a table and its columns."""
    columns = {quoted(name): plain(meaning) for name, _, _, meaning in table(rows)}
    return {"description": plain(purpose), "columns": columns}


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
