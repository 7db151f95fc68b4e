"""Attempts whose process dies: every puzzle still gets one answer."""

import os
from collections.abc import Generator, Sequence
from itertools import islice
from math import inf
from pathlib import Path

import pytest

from storage.database import read, write
from storage.outbox import leases
from storage.values import ChunkState, Kind
from tests.storage.harness import take_chunk
from tests.sudoku import grids, is_solution
from tests.worker.attempt.conftest import Delivery, answers, state_of, statuses
from tests.worker.conftest import Post, submit
from worker.options import Options
from worker.outcome import Outcomes, Search
from worker.queue.dispatch import Outbox, publish
from worker.solve import search


class Death(BaseException):
    """Ends an attempt as SIGKILL would: no code of the attempt handles it."""


def dying_of(fatal: Sequence[str]) -> Search:
    """Return a search that ends its process when it reaches one of these puzzles.

    In the process of the tests it raises Death instead.
    """
    process = os.getpid()

    def search_and_die(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        if not set(texts).isdisjoint(fatal):
            if os.getpid() != process:
                os._exit(3)
            raise Death
        yield from search(kind, texts, options)

    return search_and_die


def solve(outbox: Outbox, deliver: Delivery, fatal: Search, *, known: bool) -> tuple[int, int]:
    """Deliver all chunks until they are done; return the numbers of attempts and of deaths.

    The lease of an attempt that died is ended if its death is known; else it expires.
    """
    attempts = deaths = 0
    while open_chunks := open_ids(outbox):
        for chunk_id in open_chunks:
            attempts += 1
            try:
                deliver(chunk_id, fatal)
            except Death:
                deaths += 1
                if known:
                    with write(outbox.engine) as connection:
                        held = leases.held_by(connection, chunk_id, "w")
                        leases.end(connection, chunk_id, held or 0)
    return attempts, deaths


def open_ids(outbox: Outbox) -> list[int]:
    """Publish new chunks; return those that are not done."""
    outbox.carrier.client.delete(*outbox.carrier.lists)
    publish(outbox)
    with read(outbox.engine) as connection:
        found = connection.exec_driver_sql("SELECT id FROM chunk WHERE state IN ('sent', 'taken')")
        return [id_ for (id_,) in found]


@pytest.mark.attack
@pytest.mark.parametrize(("known", "deaths"), [(True, 2), (False, 4)])
def test_the_puzzle_that_ends_its_process_stands_alone_and_fails(
    outbox: Outbox,
    tmp_path: Path,
    deliver_again: Delivery,
    known: bool,
    deaths: int,
) -> None:
    puzzles = list(islice(grids(5, 45), 160))  # 20 in each chunk: one is split twice
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    found = solve(outbox, deliver_again, dying_of(puzzles[30:31]), known=known)
    assert statuses(outbox.engine, batch.id) == ["solved"] * 30 + ["failed"] + ["solved"] * 129
    assert found[1] == deaths
    assert found[0] <= 8 + 16 + 2 + 2 * deaths


@pytest.mark.attack
def test_after_a_death_the_puzzles_of_a_chunk_are_solved_together(
    outbox: Outbox, tmp_path: Path, deliver_again: Delivery
) -> None:
    puzzles = list(islice(grids(5, 45), 2000))
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    (first, *others) = open_ids(outbox)
    with pytest.raises(Death):
        deliver_again(first, dying_of(puzzles))
    with write(outbox.engine) as connection:
        leases.end(connection, first, 1)
    attempts, _ = solve(outbox, deliver_again, search, known=True)
    assert attempts == len(others) + 1 + 16
    assert statuses(outbox.engine, batch.id) == ["solved"] * 2000


def test_a_chunk_of_fatal_puzzles_only_is_completed(
    outbox: Outbox, tmp_path: Path, deliver_again: Delivery
) -> None:
    puzzles = list(islice(grids(5, 45), 24))  # three in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    _, deaths = solve(outbox, deliver_again, dying_of(puzzles), known=True)
    assert statuses(outbox.engine, batch.id) == ["failed"] * 24
    assert deaths == 8


@pytest.mark.attack
def test_an_expired_lease_without_a_death_is_no_suspicion(
    outbox: Outbox, post: Post, tmp_path: Path, deliver_again: Delivery
) -> None:
    puzzles = list(islice(grids(5, 45), 24))  # three in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)
    with write(outbox.engine) as connection:
        assert take_chunk(connection, post.sent[0], "w")
    assert deliver_again(post.sent[0])
    assert statuses(outbox.engine, batch.id) == ["solved"] * 3
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.DONE


def test_a_puzzle_at_which_two_attempts_died_by_chance_is_solved(
    outbox: Outbox, post: Post, tmp_path: Path, deliver_again: Delivery
) -> None:
    puzzle = next(grids(5, 45))
    batch = submit(outbox.engine, puzzle, tmp_path)
    publish(outbox)
    for _ in range(2):
        with write(outbox.engine) as connection:
            assert take_chunk(connection, post.sent[0], "w")
    assert deliver_again(post.sent[0])
    ((_, status, _, solution),) = answers(outbox.engine, batch.id)
    assert status == "solved"
    assert is_solution(puzzle, solution or "")
