"""The ten questions of storage/README.md and Datasette's facets, run as other programs run them."""

import json
from collections.abc import Iterator, Sequence

from sqlalchemy import Engine

from storage.database import read
from tests.benchmarks.store.figures import Figure, Took, timed
from tests.readme.datasette import FILE
from tests.readme.questions import PAGE, questions

#: what Datasette runs for a facet of a table, as in its `facets.py`
FACET = (
    "SELECT {column} AS value, count(*) AS count FROM (SELECT * FROM {table}) AS facet "
    "WHERE {column} IS NOT NULL GROUP BY {column} ORDER BY count DESC, value LIMIT 31"
)
#: what it runs for the first page of the view
FIRST_PAGE = "SELECT * FROM answers LIMIT 101"


def measured(engine: Engine) -> Iterator[Figure]:
    """Yield what the queries take; each is run once before, so that its pages are in memory."""
    for number, question in enumerate(questions(PAGE.read_text()), 1):
        yield Figure(f"question {number}", _run(engine, [question.sql]))
    yield Figure("Datasette: first page, facets", _run(engine, [FIRST_PAGE, *_facets()]))
    on_demand = FACET.format(column="status", table="answers")
    yield Figure("Datasette: facet answers.status", _run(engine, [on_demand]))


def _facets() -> Iterator[str]:
    """Yield the queries for the facets that examples/datasette.json asks for."""
    (database,) = json.loads(FILE.read_text())["databases"].values()
    for table, described in database["tables"].items():
        for column in described.get("facets", ()):
            yield FACET.format(column=column, table=table)


def _run(engine: Engine, queries: Sequence[str]) -> Took:
    with read(engine) as connection:
        for _ in range(2):
            with timed() as took:
                for sql in queries:
                    connection.exec_driver_sql(sql).fetchall()
    return took[0]
