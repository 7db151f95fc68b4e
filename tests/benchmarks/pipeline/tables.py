"""The whole pipeline: the commands of users, with real workers and a real Redis."""

import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import redis
from sqlalchemy import text

from storage.database import open_database, read
from storage.location import database_url
from tests.benchmarks.pipeline.bare import Bare, Kernel, two_processes
from tests.benchmarks.pipeline.processes import cost, forget_peaks, run
from tests.benchmarks.pipeline.repeated import REPEATS, repeated
from tests.benchmarks.pipeline.stages import stages
from tests.end_to_end.bullseye import COMMAND, Bullseye, eventually
from tests.processes import children
from worker.local.backend import find_redis, private_redis
from worker.local.process_group import process_group

#: lines of the input that memory must not grow with
LONG_LINES = 5_000_000


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield the tables of the pipeline; `data` is the folder with the collections."""
    program = find_redis()
    if data is None or program is None:
        yield "Left out: the pipeline needs the collections (--data) and a Redis program."
        return
    easy, hard = data / "17clue.txt", data / "hardest-1905-10k.txt"
    with process_group() as home, private_redis(home, program) as url, two_processes() as bare:
        pipeline = Pipeline(Bullseye(home.folder, url), _process_of(url), {})
        load = os.getloadavg()[0]
        yield f"Two workers of one process each; load before the start {load:.1f}."
        yield ""
        lone = _one_worker(pipeline, hard, rounds)
        with pipeline.worker(), pipeline.worker():
            pipeline.bullseye.out("submit", "--wait", str(easy))
            yield from _speed(pipeline, bare, (easy, hard), rounds, lone)
            runs = _once_and_ten_times(pipeline, easy)
        yield from _costs(runs)
        yield from _long_input(pipeline, easy)
        yield from _solve(pipeline, bare, easy, rounds)
        yield from _where_it_goes(pipeline, easy, runs[-1])


class Run(NamedTuple):
    """The measurements of one batch."""

    puzzles: int
    wall: float  #: seconds from the start of submit to the last answer
    working: float  #: seconds from the first chunk taken to the last answer
    cpu: dict[str, float]  #: seconds of CPU by kind of process
    peaks: dict[str, float]  #: MB of the largest process by kind

    def outside(self, kernel: Kernel) -> float:
        """Return the microseconds of CPU per puzzle outside the kernel, over all processes."""
        return (sum(self.cpu.values()) - kernel.cpu) / self.puzzles * 1e6


@dataclass
class Pipeline:
    """A Redis, a database, and the running workers: their process ids and kinds."""

    bullseye: Bullseye
    redis: int
    workers: dict[int, str]

    @contextmanager
    def worker(self) -> Iterator[None]:
        """Run one more worker for the block; starts when it listens."""
        there = self.bullseye.live_workers()
        with self.bullseye.worker() as process:
            eventually(lambda: self.bullseye.live_workers() > there and bool(children(process.pid)))
            ours = {process.pid: "worker", **dict.fromkeys(children(process.pid), "its process")}
            self.workers |= ours
            yield
            for pid in ours:
                del self.workers[pid]

    def submit(self, file: Path, *options: str) -> Run:
        """Submit a file and measure until its last answer."""
        processes = {self.redis: "Redis", **self.workers}
        forget_peaks(processes)
        before = {pid: cost(pid) for pid in processes}
        began = time.time()
        ours = self.bullseye
        command = [*COMMAND, "submit", *options, str(file)]
        spent = run(command, ours.folder / "submit.log", ours.env, ours.folder)
        cpu, peaks = {"submit": spent.cpu}, {"submit": spent.peak}
        for pid, kind in processes.items():
            now = cost(pid)
            cpu[kind] = cpu.get(kind, 0.0) + now.cpu - before[pid].cpu
            peaks[kind] = max(peaks.get(kind, 0.0), now.peak)
        return Run(*self._measured(began), cpu, peaks)

    def _measured(self, began: float) -> tuple[int, float, float]:
        """Return puzzles, wall time and working time of the last batch, from the database."""
        engine = open_database(database_url(str(self.bullseye.database)))
        with read(engine) as connection:
            puzzles = connection.execute(text(ANSWERS)).scalar_one()
            first, last = connection.execute(text(CHUNKS)).one()
        engine.dispose()
        if last is None:
            return puzzles, 0.0, 0.0
        end = _seconds(last)
        return puzzles, end - began, end - _seconds(first)


LAST = "(SELECT max(id) FROM batch)"
ANSWERS = f"SELECT count(*) FROM answers WHERE batch = {LAST}"
CHUNKS = f"SELECT min(taken_at), max(done_at) FROM chunk WHERE batch_id = {LAST}"


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _process_of(url: str) -> int:
    with closing(redis.Redis.from_url(url)) as client:
        return int(client.info("server")["process_id"])


def _one_worker(pipeline: Pipeline, file: Path, rounds: int) -> float:
    """Return the seconds of a single worker for the repeated file."""
    copy = repeated(file, pipeline.bullseye.folder)
    with pipeline.worker():
        runs = [pipeline.submit(copy, "--wait") for _ in range(rounds)]
    return statistics.median(one.working for one in runs)


def _speed(
    pipeline: Pipeline, bare: Bare, files: Sequence[Path], rounds: int, lone: float
) -> Iterator[str]:
    yield "| input | puzzles | bare kernel on two | submit to last answer | ratio | CPU outside |"
    yield "|---|--:|--:|--:|--:|--:|"
    for file in files:
        copy = repeated(file, pipeline.bullseye.folder)
        for given, times in ((file, 1), (copy, REPEATS)):
            turns = [(bare(file, times), pipeline.submit(given, "--wait")) for _ in range(rounds)]
            yield _speed_line(given, turns)
    yield ""
    working = statistics.median(one.working for _, one in turns)
    yield f"`{file.name}` {REPEATS}x, first chunk to last answer: one worker {lone:.2f} s, "
    yield f"two {working:.2f} s, {lone / working:.2f} times the throughput."
    yield ""


def _speed_line(file: Path, turns: Sequence[tuple[Kernel, Run]]) -> str:
    bare = statistics.median(kernel.seconds for kernel, _ in turns)
    wall = statistics.median(one.wall for _, one in turns)
    ratio = statistics.median(one.wall / kernel.seconds for kernel, one in turns)
    outside = statistics.median(one.outside(kernel) for kernel, one in turns)
    return (
        f"| {file.name} | {turns[0][1].puzzles:,} | {bare:.2f} s | {wall:.2f} s "
        f"| {ratio:.2f} | {outside:.1f} µs |"
    )


def _once_and_ten_times(pipeline: Pipeline, easy: Path) -> list[Run]:
    copy = repeated(easy, pipeline.bullseye.folder)
    return [pipeline.submit(file, "--wait") for file in (easy, copy)]


def _costs(runs: Sequence[Run]) -> Iterator[str]:
    """Yield peak memory and CPU by kind of process."""
    yield "| peak memory | " + " | ".join(f"{one.puzzles:,} puzzles" for one in runs) + " |"
    yield "|---|--:|--:|"
    for kind in runs[0].peaks:
        yield f"| {kind} | " + " | ".join(f"{one.peaks[kind]:.0f} MB" for one in runs) + " |"
    yield ""
    yield "| CPU per puzzle | " + " | ".join(f"{one.puzzles:,} puzzles" for one in runs) + " |"
    yield "|---|--:|--:|"
    for kind in runs[0].cpu:
        spent = (f"{one.cpu[kind] / one.puzzles * 1e6:.2f} µs" for one in runs)
        yield f"| {kind} | " + " | ".join(spent) + " |"
    yield ""


def _long_input(pipeline: Pipeline, easy: Path) -> Iterator[str]:
    """Yield the memory without a worker, when Redis holds the maximum."""
    long = repeated(easy, pipeline.bullseye.folder, LONG_LINES)
    peaks = pipeline.submit(long).peaks
    yield f"{LONG_LINES:,} lines without a worker: submit {peaks['submit']:.0f} MB, "
    yield f"Redis {peaks['Redis']:.0f} MB."
    yield ""


def _solve(pipeline: Pipeline, bare: Bare, easy: Path, rounds: int) -> Iterator[str]:
    ours = pipeline.bullseye
    turns = []
    for _ in repeat(None, rounds):
        kernel = bare(easy, 1).seconds
        began = time.perf_counter()
        run([*COMMAND, "solve", str(easy)], ours.folder / "solved", ours.env, ours.folder)
        turns.append((kernel, time.perf_counter() - began))
    kernel, spent = (statistics.median(times) for times in zip(*turns, strict=True))
    yield f"`bullseye solve {easy.name} > file`: {spent:.2f} s; bare kernel {kernel:.2f} s; "
    yield f"the goal is {3 * kernel + 2:.2f} s."
    yield ""


def _where_it_goes(pipeline: Pipeline, easy: Path, whole: Run) -> Iterator[str]:
    """Yield the CPU per stage; the rest is startup, waiting, Celery and database contention."""
    ours = pipeline.bullseye
    yield f"| stage, {easy.name} | µs of CPU per puzzle |"
    yield "|---|--:|"
    spent = stages(repeated(easy, ours.folder), ours.folder, ours.redis_url, pipeline.redis)
    everything = sum(whole.cpu.values()) / whole.puzzles * 1e6
    spent |= {"the rest": everything - sum(spent.values()), "all": everything}
    for stage, microseconds in spent.items():
        yield f"| {stage} | {microseconds:.2f} |"
