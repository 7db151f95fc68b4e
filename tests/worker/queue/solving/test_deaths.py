"""Attempts whose process dies: every puzzle still gets one answer."""

import os
from collections.abc import Generator, Sequence
from itertools import islice
from math import inf
from pathlib import Path

import pytest

from storage.database import write
from storage.outbox import leases
from storage.packing import unpack
from storage.values import ChunkState, Kind
from tests.sudoku import grids, is_solution
from tests.worker.conftest import Post, submit
from tests.worker.queue.solving.conftest import Delivery, answers, state_of, statuses
from worker.options import Options
from worker.outcome import Outcomes, Search
from worker.queue.dispatch import Outbox, publish
from worker.solve import search


class Death(BaseException):
    """Ends an attempt as SIGKILL would: no code of the attempt handles it."""


def dying_of(deadly: Sequence[str]) -> Search:
    """Return a search that ends its process when it reaches one of these puzzles.

    In the process of the tests it raises Death instead.
    """
    process = os.getpid()

    def search_and_die(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        if not set(texts).isdisjoint(deadly):
            if os.getpid() != process:
                os._exit(3)
            raise Death
        yield from search(kind, texts, options)

    return search_and_die


def test_the_puzzle_that_ends_its_process_fails_and_its_neighbour_is_solved(
    outbox: Outbox, post: Post, tmp_path: Path, deliver_again: Delivery
) -> None:
    puzzles = list(islice(grids(5, 45), 16))  # two in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)
    deadly = dying_of(puzzles[:1])
    for _ in range(3):
        with pytest.raises(Death):
            deliver_again(post.sent[0], deadly)
    assert deliver_again(post.sent[0], deadly)
    assert statuses(outbox.engine, batch.id) == ["failed", "solved"]
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.DONE


def test_a_chunk_of_deadly_puzzles_only_is_completed(
    outbox: Outbox, post: Post, tmp_path: Path, deliver_again: Delivery
) -> None:
    puzzles = list(islice(grids(5, 45), 24))  # three in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)
    deaths = 0
    while state_of(outbox.engine, post.sent[0]) != ChunkState.DONE:
        try:
            deliver_again(post.sent[0], dying_of(puzzles))
        except Death:
            deaths += 1
    assert statuses(outbox.engine, batch.id) == ["failed"] * 3
    assert deaths <= 1 + 2 * 3


def test_a_puzzle_at_which_two_attempts_died_by_chance_is_solved(
    outbox: Outbox, post: Post, tmp_path: Path, deliver_again: Delivery
) -> None:
    puzzle = next(grids(5, 45))
    batch = submit(outbox.engine, puzzle, tmp_path)
    publish(outbox)
    (only,) = unpack(deliver_again.packed(post.sent[0]))
    for number in (1, 2, 3):  # each attempt notes the puzzle as begun and dies
        with write(outbox.engine) as connection:
            assert leases.take(connection, post.sent[0], "w", 1e-9)
            assert leases.note_begun(connection, post.sent[0], number, only.id)
    assert deliver_again(post.sent[0])
    ((_, status, _, solution),) = answers(outbox.engine, batch.id)
    assert status == "solved"
    assert is_solution(puzzle, solution or "")
