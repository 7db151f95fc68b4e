"""Upgrades the tables of release 0.2.0 to those of release 0.3.0.

For batches of earlier releases, the view names the input of each puzzle, but not its line.
"""

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

#: the new tables; the type in braces is that of the database
_CHANGES = """
CREATE TABLE origin (
    first_id {id} NOT NULL PRIMARY KEY, source varchar, line bigint, step integer NOT NULL);
CREATE TABLE fact (
    answer_id {id} NOT NULL PRIMARY KEY, class bigint, canonical text, grid_class bigint,
    automorphisms bigint, minimal integer, redundant text, placed integer, candidates integer,
    depth integer, backdoor integer);
CREATE INDEX answer_refused ON answer (summary_id)
    WHERE substr(detail, 1, 36) = 'the solver returned a wrong answer: ';
ALTER TABLE search_worker ADD COLUMN last_at varchar;
DROP VIEW answers
"""
_IDS = {"sqlite": "integer", "postgresql": "bigint"}

_ANSWERS = """
CREATE VIEW answers AS
SELECT answer.id, summary.batch_id AS batch,
       CAST(answer.id - batch.first_id + 1 AS integer) AS position, answer.label, summary.kind,
       summary.size, answer.clues, answer.puzzle, summary.status,
       CAST(CASE WHEN summary.solutions = 2 THEN answer.solutions ELSE summary.solutions END
            AS bigint) AS solutions,
       summary.complete, answer.solution, answer.score, answer.bound, answer.nodes,
       CAST(CAST(answer.ns AS float) / 1000000 AS float) AS ms, summary.worker, summary.attempts,
       {time} AS solved_at, answer.detail, batch.name AS batch_name, answer.solutions_text,
       answer.option_counts,
       (SELECT extra.data FROM extra WHERE extra.answer_id = answer.id) AS extra,
       coalesce((SELECT origin.source FROM origin
                 WHERE origin.first_id >= batch.first_id AND origin.first_id <= answer.id
                 ORDER BY origin.first_id DESC LIMIT 1), batch.source) AS source,
       (SELECT origin.line + (answer.id - origin.first_id) * origin.step FROM origin
        WHERE origin.first_id >= batch.first_id AND origin.first_id <= answer.id
        ORDER BY origin.first_id DESC LIMIT 1) AS line,
       fact.class, fact.canonical, fact.grid_class, fact.automorphisms, fact.minimal,
       fact.redundant, fact.placed, fact.candidates, fact.depth, fact.backdoor
FROM answer
JOIN summary ON summary.id = answer.summary_id
            AND answer.id >= summary.first_id AND answer.id <= summary.last_id
JOIN batch ON batch.id = summary.batch_id
          AND answer.id >= batch.first_id AND answer.id < batch.first_id + batch.puzzles
LEFT JOIN fact ON fact.answer_id = answer.id
"""


def upgrade() -> None:
    connection = op.get_bind()
    database = connection.dialect.name
    for statement in _CHANGES.format(id=_IDS[database]).split(";"):
        op.execute(statement)
    _name_inputs(connection)
    _put_into_columns(connection)
    time = "CAST(summary.last_at AS timestamptz)" if database == "postgresql" else "summary.last_at"
    op.execute(_ANSWERS.format(time=time))


def _name_inputs(connection: sa.Connection) -> None:
    """Store where the puzzles of each input begin, for batches with several inputs."""
    add = sa.text("INSERT INTO origin VALUES (:first_id, :source, NULL, 0)")
    for first_id, options in connection.execute(sa.text("SELECT first_id, options FROM batch")):
        inputs: list[dict[str, Any]] = json.loads(options).get("inputs") or []
        of_inputs = {first_id + one["first"] - 1: one["name"] for one in inputs if one["count"]}
        if len(of_inputs) > 1:
            rows = [{"first_id": id_, "source": name} for id_, name in of_inputs.items()]
            connection.execute(add, rows)


def _put_into_columns(connection: sa.Connection) -> None:
    """Change puzzles of unfinished chunks from rows to columns; chunks that were sent are new."""
    rows = sa.text("SELECT chunk_id FROM payload WHERE puzzles LIKE '[%'")  # parts are objects
    read = sa.text("SELECT kind, puzzles FROM chunk JOIN payload ON chunk_id = id WHERE id = :id")
    write = sa.text("UPDATE payload SET puzzles = :packed WHERE chunk_id = :id")
    change = sa.text(
        "UPDATE chunk SET bytes = :bytes, digest = :digest,"
        " sent_at = CASE state WHEN 'sent' THEN NULL ELSE sent_at END,"
        " state = CASE state WHEN 'sent' THEN 'new' ELSE state END WHERE id = :id"
    )
    for id_ in connection.execute(rows).scalars().all():
        packed = _in_columns(*connection.execute(read, {"id": id_}).one())
        digest = hashlib.sha256(packed.encode()).hexdigest()[:32]
        connection.execute(write, {"id": id_, "packed": packed})
        connection.execute(change, {"id": id_, "bytes": len(packed), "digest": digest})


def _in_columns(kind: str, rows: str) -> str:
    ids, positions, labels, texts = zip(*json.loads(rows), strict=True)
    columns = {
        "kind": kind,
        "first_id": ids[0] - positions[0] + 1,
        "positions": positions,
        "labels": labels if any(one is not None for one in labels) else None,
        "texts": texts,
    }
    return json.dumps(columns, separators=(",", ":"))
