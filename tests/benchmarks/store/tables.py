"""The figures of a database with many answers, as a table and for the plot.

The first tenth of the answers belongs to a batch of target sudokus, the rest to one of sudokus, as
the questions of storage/README.md expect.  A third batch is solved by reusing answers.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine

from storage.database import open_database
from tests import services
from tests.benchmarks.store import queries
from tests.benchmarks.store.figures import Figure, Took
from tests.benchmarks.store.filling import REUSED_PUZZLES, fill, size

#: batches of the database
TARGETS, SUDOKUS = 1, 2
#: commands that take as long for every number of answers, or read few of them
QUICK = (
    "status",
    f"status {SUDOKUS}",
    f"stats {SUDOKUS}",
    f"stats {SUDOKUS} --against {TARGETS}",
    f"stats {SUDOKUS} --html {{}}/page.html",
    f"results {SUDOKUS} --status none --count",
    f"results {SUDOKUS} --status none --first 10",
    f"results {SUDOKUS} --status multiple --first 10",
    f"results {TARGETS} --min-score 2899 --first 10",
    f"results {SUDOKUS} --sort -ms --first 10",
    f"results {SUDOKUS} --sort -nodes --first 10",
    f"results {TARGETS} --sort -score --first 10",
)
#: commands that read or write all answers of a batch, or of all; they run once
WHOLE = (
    f"stats {SUDOKUS} --exact",
    f"results {SUDOKUS} -f csv -o {{}}/out.csv",
    f"results {SUDOKUS} -f jsonl -o {{}}/out.jsonl",
    f"results {SUDOKUS} -f parquet -o {{}}/out.parquet",
    "doctor --deep",
)
REUSE = "solve {}/again.txt --reuse -o {}/again.csv"
#: doctor's exit code, since no Redis is there
UNREACHABLE = 69


def tables(answers: int, database: str | None, record: Path | None, rounds: int) -> Iterator[str]:
    """Yield the table for so many answers, in an SQLite file or at the URL of an empty database.

    `postgresql` as URL stands for a temporary server.  The figures are appended to the file
    `record` as JSON lines.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        if database == "postgresql":
            programs = services.find_postgresql() or services.missing("postgresql")
            database = stack.enter_context(services.postgresql(programs)).url
        url = database or f"sqlite:///{folder}/bullseye.db"
        engine = open_database(url, migrate=True)
        stack.callback(engine.dispose)
        kind = engine.dialect.name
        yield f"| {answers:,} answers, {kind} | CPU s | wall-clock s | per answer |"
        yield "|---|---|---|---|"
        for figure in _figures(engine, url, answers, folder, rounds):
            yield figure.line()
            if record:
                with record.open("a") as out:
                    out.write(json.dumps(figure.record(kind, answers)) + "\n")


def _figures(engine: Engine, url: str, answers: int, folder: Path, rounds: int) -> Iterator[Figure]:
    yield from _filled(engine, answers, folder)
    yield from _commands(url, folder, answers, rounds)
    name = f"solve --reuse, {REUSED_PUZZLES:,} puzzles"
    yield Figure(name, _run(url, REUSE.format(folder, folder)))
    yield from queries.measured(engine)


def _filled(engine: Engine, answers: int, folder: Path) -> Iterator[Figure]:
    """Fill the database; yield what this took."""
    targets = answers // 10
    before = size(engine)
    took = fill(engine, "target", targets, folder).plus(
        fill(engine, "sudoku", answers - targets, folder)
    )
    yield Figure("store them, this process", took, rows=answers)
    yield Figure("their size", bytes=(size(engine) - before) / answers)


def _commands(url: str, folder: Path, answers: int, rounds: int) -> Iterator[Figure]:
    """Run the commands in random order; yield the median of what each took."""
    took: dict[str, list[Took]] = {command: [] for command in (*QUICK, *WHOLE)}
    turns = [*WHOLE, *(command for command in QUICK for _ in range(rounds))]
    random.Random(0).shuffle(turns)
    for command in turns:
        took[command].append(_run(url, command.format(folder)))
    for command, each in took.items():
        median = Took(*map(statistics.median, zip(*each, strict=True)))
        rows = answers if "doctor" in command else 0.9 * answers
        yield Figure(command.replace("{}/", ""), median, rows if command in WHOLE else 0)


def _run(url: str, command: str) -> Took:
    """Run a command of the program; return what it took."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *command.split(), "--db", url],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "BULLSEYE_REDIS_URL": "redis://localhost:1/0"},
    )
    assert process.stderr is not None
    with process.stderr:
        errors = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, UNREACHABLE):
        raise RuntimeError(f"{command}: {errors}")
    return Took(time.perf_counter() - began, used.ru_utime + used.ru_stime)
