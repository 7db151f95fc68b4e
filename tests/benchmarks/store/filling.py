"""Fills a database with random answers, stored by the function that workers call, unsolved."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
from sqlalchemy import Engine, func, select

from storage import answers, batches
from storage.batches import Batch
from storage.database import read, write
from storage.outbox import leases, publishing
from storage.packing import pack
from storage.tables import chunk
from storage.values import Answers, Kind, Puzzles, Status
from tests.benchmarks.store.figures import Took, timed
from worker.options import Options

#: puzzles per chunk, as for the easiest sudokus
CHUNK_PUZZLES = 8192
#: puzzles that are submitted again, as many as there are sudokus with 17 clues
REUSED_PUZZLES = 49_158
QUEUE = "benchmark"


def fill(engine: Engine, kind: str, puzzles: int, folder: Path) -> Took:
    """Store a batch with all its answers; return what storing these took."""
    with write(engine) as connection:
        batch = batches.create(
            connection,
            name=kind,
            source=f"{kind}.txt",
            kind=kind,
            options=asdict(Options(target=kind == "target")),
            puzzles=puzzles,
            queue=QUEUE,
        )
        answers.add_origins(connection, [(batch.first_id, None, 1, 1)])
    spent = Took(0.0, 0.0)
    for first in range(0, puzzles, CHUNK_PUZZLES):
        made = sample(batch, first, min(CHUNK_PUZZLES, puzzles - first))
        spent = spent.plus(_store(engine, batch, made))
        if kind == "sudoku" and first < REUSED_PUZZLES:
            _append(folder / "again.txt", made, REUSED_PUZZLES - first)
    with write(engine) as connection:
        publishing.make_ready(connection, batch)
    return spent


def _append(file: Path, made: Answers, most: int) -> None:
    """Append the puzzles whose answers can be reused to a file, as one that is submitted again."""
    each = zip(made.puzzle[:most], made.status, strict=False)
    with file.open("a") as out:
        out.writelines(f"{text}\n" for text, status in each if status is not Status.TIMEOUT)


def _store(engine: Engine, batch: Batch, made: Answers) -> Took:
    """Store answers as those of a chunk; return what this took."""
    puzzles = Puzzles(Kind.SUDOKU, made.position, None, made.puzzle, batch.first_id)
    with write(engine) as connection:
        publishing.add_many(connection, batch.id, [pack(puzzles)])
        id_ = connection.execute(select(func.max(chunk.c.id))).scalar_one()
    lease = leases.Lease(id_, batch.id, 1, Kind.SUDOKU, batch.options)
    with timed() as took, write(engine) as connection:
        assert leases.store_answers(connection, lease, made, f"worker-{id_ % 2}", done=True)
    return took[0]


def sample(batch: Batch, first: int, count: int) -> Answers:
    """Return random answers to the `count` puzzles of a batch that follow its `first` ones.

    Of a hundred, one has no solution and one several; of ten thousand, one timed out.
    """
    random_ = np.random.default_rng(batch.id * 2**40 + first)
    digits = random_.integers(ord("1"), ord("9") + 1, (count, 81), np.uint8)
    shown = random_.random((count, 81)) < 0.25
    solutions = _texts(digits)
    puzzles = _texts(np.where(shown, digits, np.uint8(ord("."))))
    chance = random_.random(count)
    status = [
        Status.NONE if p < 0.01 else Status.TIMEOUT if p > 0.9999 else Status.SOLVED for p in chance
    ]
    nodes = random_.geometric(0.02, count) - 1
    ns = (6000 + 150 * nodes * random_.lognormal(0, 0.3, count)).astype(np.int64)
    empty = (None,) * count
    target = batch.kind == "target"
    scores = random_.normal(2850, 12, count).astype(int).tolist() if target else list(empty)
    has_none = [one is Status.NONE for one in status]
    best = [None if none else score for none, score in zip(has_none, scores, strict=True)]
    found = [0 if none else 2 if p < 0.02 else 1 for none, p in zip(has_none, chance, strict=True)]
    return Answers(
        id=range(batch.first_id + first, batch.first_id + first + count),
        position=range(first + 1, first + count + 1),
        label=empty,
        kind=(batch.kind,) * count,
        size=(9,) * count,
        clues=shown.sum(1).tolist(),
        puzzle=puzzles,
        status=status,
        solutions=found,
        complete=[
            number < 2 and one is not Status.TIMEOUT
            for number, one in zip(found, status, strict=True)
        ],
        solution=[None if none else s for none, s in zip(has_none, solutions, strict=True)],
        score=best,
        bound=best,
        nodes=nodes.tolist(),
        ms=[one / 1e6 for one in ns.tolist()],
        detail=empty,
        option_counts=empty,
        further=((),) * count,
    )


def _texts(letters: "np.ndarray[tuple[int, int], np.dtype[np.uint8]]") -> list[str]:
    count, length = letters.shape
    text = letters.tobytes().decode()
    return [text[start : start + length] for start in range(0, count * length, length)]


def size(engine: Engine) -> int:
    """Return the bytes that the database takes."""
    with read(engine) as connection:
        if engine.dialect.name == "sqlite":
            query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        else:
            query = "SELECT pg_database_size(current_database())"
        return int(connection.exec_driver_sql(query).scalar_one())
