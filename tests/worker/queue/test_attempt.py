import sqlite3
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from threading import Timer

import pytest
from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from storage import batches, packing
from storage.database import open_database, read, write
from storage.outbox import leases
from storage.queries.answers import select_answers
from storage.values import Answers, ChunkState, Kind, Puzzle, Puzzles
from tests.sudoku import grids, is_solution
from tests.worker.conftest import Post, submit
from worker.options import Options
from worker.outcome import Outcomes
from worker.queue import chunk, shutdown
from worker.queue.attempt import TURN, attempt
from worker.queue.dispatch import Outbox, publish
from worker.settings import Settings
from worker.solve import search

#: three-clue grids have far more completions than anyone can count
ENDLESS = next(grids(3, 3))


@pytest.fixture
def deliver(outbox: Outbox, settings: Settings) -> Callable[..., bool]:
    """Run an attempt at a chunk whose message has come."""

    def deliver(chunk_id: int, clock: Callable[[], float] | None = None) -> bool:
        puzzles = outbox.carrier.fetch(chunk_id)
        assert puzzles is not None
        more = {"clock": clock} if clock else {}
        return attempt(outbox.engine, chunk_id, puzzles, worker="w", settings=settings, **more)

    return deliver


def answers(engine: Engine, batch_id: int) -> list[tuple[int, str, str, str | None]]:
    with read(engine) as connection:
        found = select_answers(connection, batch=batch_id)
        return [(one.position, one.status, one.puzzle, one.solution) for one in found]


def state_of(engine: Engine, chunk_id: int) -> str:
    with read(engine) as connection:
        query = f"SELECT state FROM chunk WHERE id = {chunk_id}"
        return str(connection.exec_driver_sql(query).scalar_one())


def test_an_attempt_answers_every_puzzle_of_its_chunk(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Callable[..., bool]
) -> None:
    puzzles = list(islice(grids(2, 45), 16))
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)
    for chunk_id in post.sent:
        assert deliver(chunk_id)
    found = answers(outbox.engine, batch.id)
    assert [(position, text) for position, _, text, _ in found] == list(enumerate(puzzles, start=1))
    assert all(solution and is_solution(text, solution) for _, _, text, solution in found)


def test_a_message_that_comes_twice_is_solved_once(
    outbox: Outbox, post: Post, tmp_path: Path, settings: Settings
) -> None:
    submit(outbox.engine, next(grids(2, 45)), tmp_path)
    publish(outbox)
    puzzles = outbox.carrier.fetch(post.sent[0])
    assert puzzles is not None
    twice = [
        attempt(outbox.engine, post.sent[0], puzzles, worker="w", settings=settings)
        for _ in range(2)
    ]
    assert twice == [True, False]


def test_a_worker_going_down_gives_the_chunk_back_without_counting_the_attempt(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Callable[..., bool]
) -> None:
    batch = submit(outbox.engine, ENDLESS, tmp_path, Options(limit=None, timeout=60))
    publish(outbox)
    shutdown.begin()
    assert deliver(post.sent[0])
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.NEW
    assert answers(outbox.engine, batch.id) == []
    shutdown.reset()
    publish(outbox)
    with write(outbox.engine) as connection:
        taken = leases.take(connection, post.sent[0], "w", 60.0)
    assert taken is not None
    assert taken.attempt == 1


def test_a_cancelled_batch_keeps_what_was_answered_and_stops(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Callable[..., bool]
) -> None:
    easy = next(grids(2, 45))
    lines = f"{easy}\n" + f"{ENDLESS}\n" * 3
    batch = submit(outbox.engine, lines, tmp_path, Options(limit=2, timeout=60))
    publish(outbox)
    with write(outbox.engine) as connection:
        batches.cancel(connection, batch.id)
    assert not deliver(post.sent[0])
    assert answers(outbox.engine, batch.id) == []


def test_cancelling_in_the_middle_of_an_attempt_ends_it(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Callable[..., bool]
) -> None:
    batch = submit(outbox.engine, ENDLESS, tmp_path, Options(limit=None, timeout=60))
    publish(outbox)
    ticks = count()

    def clock() -> float:
        """Every look at the clock finds a second and a half gone; the third cancels."""
        tick = next(ticks)
        if tick == 3:
            with write(outbox.engine) as connection:
                batches.cancel(connection, batch.id)
        return tick * 1.5

    assert deliver(post.sent[0], clock)
    assert next(ticks) < 10
    assert state_of(outbox.engine, post.sent[0]) != ChunkState.DONE


def test_a_long_chunk_commits_what_it_has_and_gives_way(
    outbox: Outbox, post: Post, tmp_path: Path, settings: Settings
) -> None:
    easy = list(islice(grids(2, 45), 3))
    batch = submit(outbox.engine, "\n".join(easy), tmp_path, Options(timeout=60))
    publish(outbox)
    puzzles = [
        puzzle
        for chunk_id in post.sent
        for puzzle in packing.unpack(outbox.carrier.fetch(chunk_id) or "[]")
    ]
    times = iter([0.0, TURN + 1, TURN + 2])
    assert attempt(
        outbox.engine,
        post.sent[0],
        packing.pack(Puzzles.of(Kind.SUDOKU, puzzles[:1]), batch.first_id).puzzles,
        worker="w",
        settings=settings,
        clock=lambda: next(times),
    )
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.NEW
    assert len(answers(outbox.engine, batch.id)) == 1


class Death(BaseException):
    """Stands for SIGKILL: nothing after it runs."""


def test_the_puzzle_that_kills_its_worker_fails_and_its_neighbour_is_answered(
    outbox: Outbox, post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    puzzles = list(islice(grids(5, 45), 16))  # two in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)
    text = outbox.carrier.fetch(post.sent[0]) or ""
    solve = chunk.run

    def deadly(
        kind: Kind, group: Sequence[Puzzle], options: Options, silence: float
    ) -> Generator[Answers]:
        if any(puzzle.text == puzzles[0] for puzzle in group):
            raise Death
        return solve(kind, group, options, silence)

    monkeypatch.setattr(chunk, "run", deadly)
    no_lease = replace(settings, lease=1e-9, renewal=1e-10)
    for _ in range(3):
        with pytest.raises(Death):
            attempt(outbox.engine, post.sent[0], text, worker="w", settings=no_lease)
    assert attempt(outbox.engine, post.sent[0], text, worker="w", settings=no_lease)
    found = answers(outbox.engine, batch.id)
    assert [status for _, status, _, _ in found] == ["failed", "solved"]
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.DONE


def test_a_chunk_of_nothing_but_deadly_puzzles_comes_to_an_end(
    outbox: Outbox, post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    batch = submit(outbox.engine, "\n".join(islice(grids(5, 45), 24)), tmp_path)
    publish(outbox)
    text = outbox.carrier.fetch(post.sent[0]) or ""

    def deadly(*_: object) -> Generator[Answers]:
        raise Death

    monkeypatch.setattr(chunk, "run", deadly)
    no_lease = replace(settings, lease=1e-9, renewal=1e-10)
    deaths = 0
    while state_of(outbox.engine, post.sent[0]) != ChunkState.DONE:
        try:
            attempt(outbox.engine, post.sent[0], text, worker="w", settings=no_lease)
        except Death:
            deaths += 1
    found = answers(outbox.engine, batch.id)
    assert [status for _, status, _, _ in found] == ["failed"] * len(packing.unpack(text))
    assert len(found) > 2
    assert deaths <= 1 + 2 * len(found)


def test_a_puzzle_that_takes_longer_than_a_turn_is_not_begun_anew_for_ever(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Callable[..., bool]
) -> None:
    batch = submit(outbox.engine, ENDLESS, tmp_path, Options(limit=None, timeout=0.6))
    publish(outbox)
    turns = count(0.0, TURN + 1)
    assert deliver(post.sent[0], lambda: next(turns))
    assert [status for _, status, _, _ in answers(outbox.engine, batch.id)] == ["timeout"]


def test_a_puzzle_that_two_attempts_died_on_by_chance_is_answered(
    outbox: Outbox, post: Post, tmp_path: Path, settings: Settings
) -> None:
    puzzle = next(grids(5, 45))
    batch = submit(outbox.engine, puzzle, tmp_path)
    publish(outbox)
    text = outbox.carrier.fetch(post.sent[0]) or ""
    (only,) = packing.unpack(text)
    for number in (1, 2, 3):  # each takes the chunk, begins the puzzle, and is killed
        with write(outbox.engine) as connection:
            assert leases.take(connection, post.sent[0], "w", 1e-9)
            assert leases.note_begun(connection, post.sent[0], number, only.id)
    no_lease = replace(settings, lease=1e-9, renewal=1e-10)
    assert attempt(outbox.engine, post.sent[0], text, worker="w", settings=no_lease)
    ((_, status, _, solution),) = answers(outbox.engine, batch.id)
    assert status == "solved"
    assert is_solution(puzzle, solution or "")


def test_the_puzzle_that_the_solver_gives_up_fails_and_its_neighbours_are_answered(
    outbox: Outbox,
    post: Post,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    deliver: Callable[..., bool],
) -> None:
    puzzles = list(islice(grids(5, 45), 24))  # three in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)

    def hungry(kind: Kind, texts: Sequence[str], options: Options) -> Generator[Outcomes]:
        for text in texts:
            if text == puzzles[1]:
                raise MemoryError
            yield from search(kind, [text], options)

    monkeypatch.setattr(chunk, "search", hungry)
    assert deliver(post.sent[0])
    with read(outbox.engine) as connection:
        found = list(select_answers(connection, batch=batch.id))
    assert [one.status for one in found] == ["solved", "failed", "solved"]
    assert found[1].detail == "the solver ran out of memory"
    assert [one.attempts for one in found] == [1, 1, 1]


def test_a_database_that_is_locked_is_waited_for(
    outbox: Outbox,
    post: Post,
    tmp_path: Path,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    batch = submit(outbox.engine, next(grids(5, 45)), tmp_path)
    publish(outbox)
    text = outbox.carrier.fetch(post.sent[0]) or ""
    hasty = open_database(settings.database_url, busy_seconds=0.05)
    lock = sqlite3.connect(make_url(settings.database_url).database or "", check_same_thread=False)
    lock.execute("BEGIN IMMEDIATE")
    release = Timer(0.8, lock.rollback)
    release.start()
    assert attempt(hasty, post.sent[0], text, worker="w", settings=settings)
    release.join()
    hasty.dispose()
    lock.close()
    assert [status for _, status, _, _ in answers(outbox.engine, batch.id)] == ["solved"]
    pauses = [entry.getMessage().rpartition("; ")[2] for entry in caplog.records]
    assert pauses[:2] == ["retrying in 0.5 s", "retrying in 1 s"]
