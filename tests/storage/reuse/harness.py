"""Submissions that reuse answers, without a worker."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from storage import batches
from storage.batches import Batch
from storage.database import read, write
from storage.outbox import publishing
from storage.packing import pack
from storage.queries import health
from storage.queries.answers import select_answers
from storage.reuse.copying import copy
from storage.reuse.finding import KnownAnswers, known_answers
from storage.values import Answer, Kind, Puzzle, Puzzles
from storage.view import AnswerRow
from tests.storage.harness import QUEUE, Harness, answer_to

ONE, TWO, THREE = "1" + "." * 15, "2" + "." * 15, "3" + "." * 15
SAME = {"limit": 2}
SOURCE = "puzzles.txt"


def solved(
    harness: Harness,
    texts: Sequence[str],
    options: dict[str, Any] | None = None,
    kind: Kind = Kind.SUDOKU,
    source: str = SOURCE,
    **answer: Any,
) -> list[Answer]:
    """Submit and answer a batch of these puzzles; return the answers."""
    batch = created(harness, texts, options, source)
    ids = enumerate(texts, batch.first_id)
    puzzles = [Puzzle(id_, at, "old", one) for at, (id_, one) in enumerate(ids, 1)]
    with write(harness.engine) as connection:
        packed = pack(Puzzles.of(kind, puzzles))
        publishing.add_many(connection, batch.id, [packed])
    answers = [answer_to(puzzle, **answer) for puzzle in puzzles]
    harness.solve(batch, answers)
    return answers


def created(
    harness: Harness,
    texts: Sequence[str],
    options: dict[str, Any] | None = None,
    source: str = SOURCE,
) -> Batch:
    """Create a batch for these puzzles, without them."""
    with write(harness.engine) as connection:
        batch = batches.create(
            connection,
            name=None,
            source=source,
            kind="sudoku",
            options=options or SAME,
            puzzles=len(texts),
            queue=QUEUE,
        )
        publishing.make_ready(connection, batch)
    return batch


@contextmanager
def finding(
    harness: Harness,
    *texts: str,
    options: dict[str, Any] | None = None,
    labels: Sequence[str] | None = None,
) -> Iterator[KnownAnswers]:
    """Find the known answers to a submission of these texts, in two portions."""
    whole = Puzzles(Kind.SUDOKU, range(1, len(texts) + 1), labels, texts)
    portions = [some for some in (whole[:2], whole[2:]) if some]
    with known_answers(harness.engine, portions, (options or SAME).__eq__, source=SOURCE) as known:
        yield known


def reused(
    harness: Harness,
    *texts: str,
    options: dict[str, Any] | None = None,
    labels: Sequence[str] | None = None,
    further: bool = False,
) -> dict[int, AnswerRow]:
    """Submit these texts again; return the copied answers by position."""
    with finding(harness, *texts, options=options, labels=labels) as known:
        batch = created(harness, texts, options)
        positions = copy(known, batch, 1, len(texts), further=further)
        assert known.count == len(positions)
    found = copies(harness, batch)
    assert found.keys() == set(positions)
    return found


def copies(harness: Harness, batch: Batch) -> dict[int, AnswerRow]:
    """Return the answers of a batch by position, whose summaries must be those of a scan."""
    with read(harness.engine) as connection:
        faults = list(health.faults(connection, batch))
        assert not [fault for fault in faults if "neither an answer nor a chunk" not in fault]
        return {row.position: row for row in select_answers(connection, batch=batch.id)}


def original(copied: AnswerRow) -> int:
    """Return the id of the answer that was copied."""
    return int((copied.detail or "").removeprefix("as puzzle "))
