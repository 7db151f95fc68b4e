"""The time to check answers before they are stored: batches solved with and without, in turn."""

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

from sqlalchemy import Engine

from storage.database import open_database, write
from storage.location import database_url
from storage.outbox import publishing
from storage.outbox.leases import Lease
from tests.benchmarks.collections import collections
from worker import garbage
from worker.attempt.chunk import attempt
from worker.attempt.context import Context
from worker.attempt.solver import Solver
from worker.formats.source import open_source
from worker.intake.spool import Spool
from worker.intake.submit import store
from worker.options import Options
from worker.outcome import Outcomes
from worker.settings import Settings
from worker.solve import warm_up

QUEUE = "checking"
#: puzzles of each collection
MOST = 100_000
#: of these, target sudokus
TARGETS = 5_000


class UncheckedSolver(Solver):
    """A solver that does not check what it returns."""

    def _check(self, texts: Sequence[str], outcomes: Outcomes) -> None:
        """Do nothing."""


class Unchecked(Context):
    """A process that does not check what it stores."""

    def solver(self, lease: Lease, budget: float = inf) -> Solver:
        """Return the solver for a leased chunk."""
        options = Options.from_json(lease.options)
        return UncheckedSolver(lease.kind, options, self.settings.silence, budget)


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a row for each collection, and one for its target sudokus."""
    warm_up()
    garbage.collect_rarely()  # as in a worker
    yield "| puzzles, from the file to the stored answers | unchecked | checked | ratio |"
    yield "|---|---|---|---|"
    for name, puzzles in collections(data, MOST):
        yield _row(name, puzzles, Options(), rounds)
        some = puzzles[:TARGETS]
        yield _row(f"{name}, {len(some):,} with `--target`", some, Options(target=True), rounds)


def _row(name: str, puzzles: Sequence[str], options: Options, rounds: int) -> str:
    turns = [_turn(puzzles, options) for _ in range(rounds)]
    without, checked = (statistics.median(times) for times in zip(*turns, strict=True))
    ratios = [one[1] / one[0] for one in turns]
    spread = f"({min(ratios):.3f}–{max(ratios):.3f})"
    return (
        f"| {name} | {without / len(puzzles) * 1e6:.2f} µs | {checked / len(puzzles) * 1e6:.2f} µs "
        f"| {statistics.median(ratios):.3f} {spread} |"
    )


def _turn(puzzles: Sequence[str], options: Options) -> tuple[float, float]:
    """Return the CPU seconds of two batches, unchecked and checked, chunk by chunk in turn."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "puzzles.txt"
        file.write_text("\n".join(puzzles))
        contexts = [
            kind(*_opened(Path(folder) / f"{kind.__name__}.db"), lambda: 1)
            for kind in (Unchecked, Context)
        ]
        both = [_Batch(_steps(context, file, options)) for context in contexts]
        order = list(both)
        while sum(batch.step() for batch in order):
            order.reverse()
        for context in contexts:
            context.engine.dispose()
    return both[0].seconds, both[1].seconds


class _Batch:
    """A batch that is being solved, and the CPU time that it took so far."""

    def __init__(self, steps: Iterator[int]) -> None:
        self._steps = steps
        self.seconds = 0.0

    def step(self) -> bool:
        """Solve one chunk; return whether there was one."""
        began = time.process_time()
        is_solved = next(self._steps, None) is not None
        self.seconds += time.process_time() - began
        return is_solved


def _opened(path: Path) -> tuple[Engine, str, Settings]:
    """Return a new database, the name of a worker, and its settings."""
    url = database_url(str(path))
    return open_database(url, migrate=True), "worker", Settings(url, queue=QUEUE)


def _steps(context: Context, file: Path, options: Options) -> Iterator[int]:
    """Submit a file and solve its chunks; yield the number of chunks solved after each."""
    with Spool() as spool, open_source(str(file)) as source:
        spool.add(source)
        store(context.engine, spool, options, name=None, queue=QUEUE)
    solved = 0
    while True:
        with write(context.engine) as connection:
            settings = context.settings
            claimed = publishing.claim_new(connection, settings.queue, settings.room, most=1)
        for chunk in claimed:
            attempt(context, chunk.id, chunk.puzzles)
            solved += 1
            yield solved
        if not claimed:
            return
