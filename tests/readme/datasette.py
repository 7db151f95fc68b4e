"""Generates examples/datasette.json from storage/README.md: `python -m tests.readme.datasette`."""

import json
import re
from html import escape
from typing import Any

from tests.readme.questions import PAGE, Question, questions
from tests.readme.reading import ROOT, quoted, table

FILE = ROOT / "examples" / "datasette.json"
#: a batch number in the SQL of a question
BATCH = re.compile(r"(\bbatch(?:\.id)? = )(\d+)")
#: the parameters that replace the numbers of a question's batches
PARAMETERS = ("batch", "other_batch")

SUMMARIES = "Counts, sums and extremes of answers: some rows for each chunk."
#: columns of the table `summary` that the view `summaries` does not have
HIDDEN = ("id", "kind", "size", "attempts", "details")
#: columns with few values, of tables with few rows: counting those of all answers takes too long
FACETS = {"batch": ["kind", "priority"], "chunk": ["batch_id", "state"]}


def metadata(text: str) -> dict[str, Any]:
    """Return Datasette's metadata: descriptions of tables and columns, and the saved queries."""
    sections = re.findall(r"^### `(\w+)`\n\n(.+?)\n\n(.+?)(?=\n#)", text, re.MULTILINE | re.DOTALL)
    meanings = {name: column_meanings(rows) for name, _, rows in sections}
    tables = {
        name: {"description_html": described(purpose, meanings[name])}
        | ({"facets": FACETS[name]} if name in FACETS else {})
        for name, purpose, _ in sections
    }
    _, _, view = text.partition("\n## The view `answers`\n\n")
    purpose, rows, _ = view.split("\n\n", 2)
    views = {
        "answers": {"description_html": described(purpose, column_meanings(rows))},
        "summaries": {"description_html": described(SUMMARIES, summaries(meanings))},
    }
    hidden = {"meta": tables["meta"] | {"hidden": True}, "alembic_version": {"hidden": True}}
    return {
        "title": "Bullseye",
        "description": "Puzzles and their answers.",
        "databases": {
            "bullseye": {
                "tables": views | tables | hidden,
                "queries": {slug(one.title): query(one) for one in questions(text)},
            }
        },
    }


def summaries(meanings: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return what each column of the view `summaries` means."""
    own = {name: meaning for name, meaning in meanings["summary"].items() if name not in HIDDEN}
    return {"batch": own.pop("batch_id"), **own, "batch_name": meanings["batch"]["name"]}


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
    """Return a saved query, with its batch numbers as parameters."""
    sql = question.sql.strip()
    numbers = dict.fromkeys(number for _, number in BATCH.findall(sql))
    names = dict(zip(numbers, PARAMETERS, strict=False))
    return {
        "title": question.title,
        "sql": BATCH.sub(lambda found: f"{found[1]}:{names[found[2]]}", sql),
    }


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
