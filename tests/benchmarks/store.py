"""The database with many answers: what storing, asking, exporting and reusing take.

The answers are random, and stored by the function that workers call, without solving.  Nine tenths
belong to a batch of sudokus, the rest to one of target sudokus.
"""

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from sqlalchemy import Engine, func, select

from storage import batches
from storage.batches import Batch
from storage.database import open_database, read, write
from storage.outbox import leases, publishing
from storage.packing import pack
from storage.tables import chunk
from storage.values import Answers, Kind, Puzzles, Status
from tests import services
from worker.options import Options

#: puzzles per chunk, as for the easiest sudokus
CHUNK_PUZZLES = 8192
#: puzzles that are submitted again, as many as there are sudokus with 17 clues
REUSED_PUZZLES = 49_158
QUEUE = "benchmark"
#: commands that read a batch, with the batch of sudokus as {0} and that of target sudokus as {1}
QUESTIONS = (
    "status",
    "status {0}",
    "stats {0}",
    "stats {0} --exact",
    "stats {0} --against {1}",
    "stats {0} --html {2}/page.html",
    "results {0} --status none --count",
    "results {0} --status none --first 10",
    "results {0} --status multiple --first 10",
    "results {1} --min-score 2899 --first 10",
    "results {0} --sort -ms --first 10",
    "results {0} --sort -nodes --first 10",
    "results {1} --sort -score --first 10",
)
#: commands that write a whole batch; their times are also given per row
EXPORTS = (
    "results {0} -f csv -o {2}/out.csv",
    "results {0} -f jsonl -o {2}/out.jsonl",
    "results {0} -f parquet -o {2}/out.parquet",
)
REUSE = "solve {2}/again.txt --reuse -o {2}/again.csv"


class Took(NamedTuple):
    """What a command took."""

    seconds: float  #: wall-clock time
    cpu: float  #: seconds of CPU, without those of a database server


def tables(answers: int, database: str | None, rounds: int) -> Iterator[str]:
    """Yield the table for so many answers, in an SQLite file or at the URL of an empty database.

    `postgresql` as URL stands for a temporary server.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        if database == "postgresql":
            programs = services.find_postgresql() or services.missing("postgresql")
            database = stack.enter_context(services.postgresql(programs)).url
        url = database or f"sqlite:///{folder}/bullseye.db"
        engine = open_database(url, migrate=True)
        stack.callback(engine.dispose)
        yield from _filled(engine, answers, folder)
        yield from _asked(url, folder, answers, rounds)


def _filled(engine: Engine, answers: int, folder: Path) -> Iterator[str]:
    """Fill the database; yield what this took as the beginning of the table."""
    targets = answers // 10
    spent = 0.0
    before = _size(engine)
    for kind, puzzles in (("sudoku", answers - targets), ("target", targets)):
        spent += _fill(engine, kind, puzzles, folder)
    yield f"| {answers:,} answers, {engine.dialect.name} | CPU s | wall-clock s | per answer |"
    yield "|---|---|---|---|"
    yield f"| store them, this process | {spent:.2f} | | {1e6 * spent / answers:.2f} us |"
    size = _size(engine) - before
    yield f"| their size | | | {size / answers:.0f} bytes |"


def _fill(engine: Engine, kind: str, puzzles: int, folder: Path) -> float:
    """Store a batch with all its answers; return the seconds of CPU that storing these took."""
    with write(engine) as connection:
        batch = batches.create(
            connection,
            name=kind,
            source=f"{kind}.txt",
            kind=kind,
            options=Options(target=kind == "target").to_json(),
            puzzles=puzzles,
            queue=QUEUE,
        )
    spent = 0.0
    for first in range(0, puzzles, CHUNK_PUZZLES):
        made = sample(batch, first, min(CHUNK_PUZZLES, puzzles - first))
        spent += _store(engine, batch, made)
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


def _store(engine: Engine, batch: Batch, made: Answers) -> float:
    """Store answers as those of a chunk; return the seconds of CPU that this took."""
    puzzles = Puzzles(Kind.SUDOKU, made.position, None, made.puzzle)
    with write(engine) as connection:
        publishing.add_many(connection, batch.id, [pack(puzzles, batch.first_id)])
        id_ = connection.execute(select(func.max(chunk.c.id))).scalar_one()
    lease = leases.Lease(id_, batch.id, 1, Kind.SUDOKU, batch.options, None)
    began = time.process_time()
    with write(engine) as connection:
        assert leases.store_answers(connection, lease, made, f"worker-{id_ % 2}", done=True)
    return time.process_time() - began


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


def _asked(url: str, folder: Path, answers: int, rounds: int) -> Iterator[str]:
    """Run the commands in random order; yield the median of what each took."""
    names = {command: command.format(1, 2, folder) for command in (*QUESTIONS, *EXPORTS)}
    took: dict[str, list[Took]] = {command: [] for command in names}
    turns = [command for command in names for _ in range(1 if command in EXPORTS else rounds)]
    random.Random(0).shuffle(turns)
    for command in turns:
        if done := _timed(url, names[command]):
            took[command].append(done)
    for command, each in took.items():
        rows = 0.9 * answers if command in EXPORTS else 0
        yield _line(command.format(1, 2, ""), each, rows)
    # Last, because it stores a further batch.
    again = _timed(url, REUSE.format(1, 2, folder))
    yield _line(f"solve --reuse, {REUSED_PUZZLES:,} puzzles", [again] if again else [], 0)


def _timed(url: str, command: str) -> Took | None:
    """Run a command; return what it took, or None if it is not known."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *command.split(), "--db", url],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "BULLSEYE_REDIS_URL": "redis://localhost:1/0"},
    )
    assert process.stderr is not None
    errors = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == 2:
        return None
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command}: {errors}")
    seconds = time.perf_counter() - began
    return Took(seconds, used.ru_utime + used.ru_stime)


def _line(name: str, each: Sequence[Took], rows: float) -> str:
    if not each:
        return f"| {name} | not known to this version | | |"
    cpu = statistics.median(one.cpu for one in each)
    seconds = statistics.median(one.seconds for one in each)
    per_row = f"{1e6 * cpu / rows:.2f} us" if rows else ""
    return f"| {name} | {cpu:.2f} | {seconds:.2f} | {per_row} |"


def _size(engine: Engine) -> int:
    with read(engine) as connection:
        if engine.dialect.name == "sqlite":
            query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        else:
            query = "SELECT pg_database_size(current_database())"
        return int(connection.exec_driver_sql(query).scalar_one())
