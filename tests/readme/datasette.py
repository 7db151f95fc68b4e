"""Makes examples/datasette.json of storage/README.md: `python -m tests.readme.datasette`."""

import json
import re
from typing import Any

from storage.tables import COLUMNS
from tests.readme.questions import PAGE, Question, questions
from tests.readme.reading import ROOT, quoted, table

FILE = ROOT / "examples" / "datasette.json"
#: the batch that a question is about, which a person may choose
BATCH = re.compile(r"(\bbatch = )\d+")


def metadata(text: str) -> dict[str, Any]:
    """What Datasette is told: what tables and columns mean, and the questions."""
    sections = re.findall(r"^### `(\w+)`\n\n(.+?)\n\n(.+?)(?=\n#)", text, re.MULTILINE | re.DOTALL)
    tables = {name: about(told, rows) for name, told, rows in sections}
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


def about(told: str, rows: str) -> dict[str, Any]:
    """A table and its columns."""
    columns = {quoted(name): plain(meaning) for name, _, _, meaning in table(rows)}
    return {"description": plain(told), "columns": columns}


def query(question: Question) -> dict[str, str]:
    """A question to be chosen from a list; for which batch, is asked."""
    return {"title": question.title, "sql": BATCH.sub(r"\1:batch", question.sql).strip()}


def slug(title: str) -> str:
    """The title as a part of a URL.

    >>> slug("Who did the work, and when?")
    'who-did-the-work-and-when'
    """
    return "-".join(re.findall(r"\w+", title.lower()))


def plain(text: str) -> str:
    """Without marks."""
    return text.replace("`", "")


def written() -> str:
    """The file."""
    return json.dumps(metadata(PAGE.read_text()), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(written())
