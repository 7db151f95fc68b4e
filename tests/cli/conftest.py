import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Engine

import cli
from cli.main import run
from storage import batches
from storage.batches import Batch
from storage.database import database_id, open_database, write
from storage.location import database_url
from storage.outbox import leases, publishing
from storage.packing import pack
from storage.values import Answer, Answers, Kind, Puzzle, Puzzles, Status
from storage.view import AnswerRow
from tests import databases
from tests.storage.harness import take_chunk
from worker.options import Options

ROOT = Path(cli.__file__).parent.parent

EASY = "987..25..........7.....736...32..4..4...8....625.....3.5..1..3.1.8376.5....5..19."


class Result(NamedTuple):
    """The exit code and output of a command."""

    code: int
    out: str
    err: str


Bullseye = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory with its own database; no Redis, 80 columns, no colour."""
    for name in [name for name in os.environ if name.startswith("BULLSEYE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BULLSEYE_DATABASE_URL", str(tmp_path / "bullseye.db"))
    monkeypatch.setenv("BULLSEYE_REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def bullseye(capsys: pytest.CaptureFixture[str]) -> Bullseye:
    """Return a function that runs a command in this process."""

    def call(*arguments: object) -> Result:
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return call


class Database(NamedTuple):
    """A database, with a method to store batches."""

    engine: Engine
    path: Path

    def store(
        self,
        answers: Iterable[AnswerRow],
        *,
        waiting: int = 0,
        inputs: list[dict[str, Any]] | None = None,
        name: str | None = None,
        kind: str = "sudoku",
        queue: str | None = None,
        target: bool = False,
    ) -> int:
        """Store a batch with these answers and `waiting` unanswered puzzles; return its number."""
        ready = list(answers)
        options = {**asdict(Options(target=target)), "inputs": inputs or []}
        with write(self.engine) as connection:
            batch = batches.create(
                connection,
                name=name,
                source="puzzles.txt",
                kind=kind,
                options=options,
                puzzles=len(ready) + waiting,
                queue=queue or f"bullseye-{database_id(connection)}",
            )
            ids = range(batch.first_id, batch.last_id + 1)
            puzzles = [Puzzle(id_, place, None, EASY) for place, id_ in enumerate(ids, start=1)]
            groups = [puzzles[: len(ready)], puzzles[len(ready) :]]
            columns = (Puzzles.of(Kind.SUDOKU, some) for some in groups if some)
            packed = [pack(some) for some in columns]
            publishing.add_many(connection, batch.id, packed)
            publishing.make_ready(connection, batch)
        if ready:
            self._solve(
                batch, [answer_to(one, puzzle) for one, puzzle in zip(ready, puzzles, strict=False)]
            )
        return batch.id

    def _solve(self, batch: Batch, answers: list[Answer]) -> None:
        with write(self.engine) as connection:
            (chunk, *_) = publishing.claim_new(connection, batch.queue, 1 << 20, most=1)
            taken = take_chunk(connection, chunk.id, "box-1")
            assert taken is not None
            leases.store_answers(connection, taken, Answers.of(answers), "box-1", done=True)


def answer_to(one: AnswerRow, puzzle: Puzzle) -> Answer:
    """Return a row of the view as the answer that a worker stores."""
    values = {name: value for name, value in one._asdict().items() if name in Answer._fields}
    own = {"id": puzzle.id, "position": puzzle.position, "status": Status(one.status)}
    return Answer(**{**values, **own, "complete": bool(one.complete)})


@pytest.fixture
def redis(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make the private Redis the default; each test has its own database and queue."""
    monkeypatch.setenv("BULLSEYE_REDIS_URL", redis_url)
    return redis_url


@pytest.fixture
def database(home: Path) -> Iterator[Database]:
    """The default database, with empty tables."""
    databases.create_file(home / "bullseye.db")
    engine = open_database(database_url(str(home / "bullseye.db")))
    yield Database(engine, home / "bullseye.db")
    engine.dispose()


def start_process(*arguments: object) -> subprocess.Popen[str]:
    """Start a command in its own process, with its output in pipes."""
    return subprocess.Popen(
        [sys.executable, "-m", "cli.main", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def run_process(*arguments: object) -> Result:
    """Run a command in its own process."""
    with start_process(*arguments) as process:
        out, err = process.communicate(timeout=60)
        return Result(process.returncode, out, err)
