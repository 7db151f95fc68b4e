"""The view `summaries` adds up to what a scan of the answers gives."""

from typing import Any

from sqlalchemy import text

from storage.database import read
from storage.values import Status
from tests.storage.harness import Harness, answer_to, puzzles_of

FROM_VIEW = """
SELECT batch, batch_name, worker, status, complete, solutions, sum(answers), sum(timed),
       sum(total_ms), max(max_ms), max(max_nodes), max(max_score), min(first_id), max(last_id)
FROM summaries GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY min(first_id)"""
SCAN = """
SELECT batch, batch_name, worker, status, complete, least, count(*), count(ms),
       coalesce(sum(ms), 0), max(ms), max(nodes), max(score), min(id), max(id)
FROM (SELECT answers.*, CASE WHEN solutions_text IS NOT NULL OR solutions > 2 THEN 2
                             ELSE solutions END AS least FROM answers) AS each
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY min(id)"""


def test_the_view_counts_every_answer_also_those_that_retry_withdraws(harness: Harness) -> None:
    batch = harness.submit(8, name="sunday")
    (chunk,) = harness.claim_new(most=1)
    changes: tuple[dict[str, Any], ...] = (
        {"ms": 0.25, "score": 2850},
        {"ms": 0.5},
        {"status": Status.NONE, "solutions": 0},
        {"solutions": 9},
        {"status": Status.TIMEOUT, "solutions": 3, "complete": False, "ms": 30.0},
        {"status": Status.TIMEOUT, "solutions": 2**70, "complete": False},
        {"status": Status.TIMEOUT, "solutions": 0, "complete": False, "ms": None},
        {"status": Status.FAILED, "solutions": None, "complete": False, "ms": None},
    )
    each = zip(puzzles_of(chunk), changes, strict=True)
    answers = [answer_to(puzzle, **change) for puzzle, change in each]
    assert harness.store_answers(harness.must_take(chunk.id), answers)
    with read(harness.engine) as connection:
        found = connection.execute(text(FROM_VIEW)).all()
        assert found == connection.execute(text(SCAN)).all()
    assert {row.batch for row in found} == {batch.id}
    assert {row.status for row in found} == {"solved", "none", "timeout", "failed"}
