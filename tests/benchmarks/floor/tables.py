"""The table: each line a floor, what Bullseye takes, and their ratio."""

import os
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests import services
from tests.benchmarks.floor import answers, batches
from tests.benchmarks.floor.row import Row, in_turn, timed
from tests.benchmarks.pipeline.bare import two_processes
from tests.benchmarks.pipeline.repeated import repeated, with_more_clues
from tests.end_to_end.bullseye import COMMAND
from worker.local.backend import find_redis

#: what every command imports at least
LEAST = [sys.executable, "-c", "import numpy, sqlite3"]
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
#: commands, and the ratio to LEAST that is asked for
STARTS = {
    "solve": (["solve", PUZZLE], 3.6),
    "status": (["status"], 1.8),
    "results": (["results", "--first", "10"], 1.65),
    "--help": (["--help"], 1.1),
}
HEAD = ("| what | floor | Bullseye | ratio | mark |", "|---|--:|--:|--:|--:|")


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield the table; `data` is the folder with the collections."""
    program, programs = find_redis(), services.find_postgresql()
    yield from HEAD
    yield from map(str, starts(rounds))
    if data is None or program is None or programs is None:
        yield ""
        yield "Left out: batches need the collections (--data), Redis and PostgreSQL."
        return
    with services.postgresql(programs, durable=True) as server:
        yield from map(str, _batches(data, program, server, rounds))


def starts(rounds: int) -> Iterator[Row]:
    """Yield how long commands take that do next to nothing."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "BULLSEYE_DATABASE_URL": f"{folder}/bullseye.db"}
        timed([*COMMAND, "solve", PUZZLE], env)  # compiles, and makes the database
        for name, (command, mark) in STARTS.items():
            run = partial(timed, [*COMMAND, *command], env)
            turns = in_turn(rounds, partial(timed, LEAST), run)
            yield Row(f"`bullseye {name}`, s", 1.0, turns, mark)


def _batches(data: Path, program: Path, server: services.Postgresql, rounds: int) -> Iterator[Row]:
    easy, hard = data / "17clue.txt", data / "hardest-1905-10k.txt"
    with two_processes() as bare:
        with batches.place(program) as there:
            folder, database = there.bullseye.folder, there.bullseye.database
            there.submit(repeated(easy, folder))
            rows = answers.read(database)
            stored = partial(answers.insert, rows, folder)
            yield batches.bulk("17-clue puzzles, SQLite", there, bare, easy, stored, rounds)
            more = with_more_clues(easy, folder)
            yield batches.bulk("30-clue puzzles, SQLite", there, bare, more, stored, rounds)
            yield batches.behind(there, easy, hard, rounds)
            yield batches.recovered(there, hard, rounds, "SQLite")
        with batches.place(program, server) as there:
            there.submit(repeated(easy, there.bullseye.folder))
            stored = partial(answers.copy, rows, server.url)
            yield batches.bulk("17-clue puzzles, PostgreSQL", there, bare, easy, stored, rounds)
            yield batches.recovered(there, hard, rounds, "PostgreSQL")
