from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from storage import batches, chunks
from storage.database import write
from storage.queries import select_answers
from storage.values import Puzzle
from tests.sudoku import grids
from tests.worker.conftest import QUEUE, submit
from worker.puzzles.options import Options
from worker.submit import CHUNK_BYTES, CHUNK_MS, CHUNK_PUZZLES, cut, expected_ms

TEXTS = st.sampled_from(["." * 16, "." * 81, "." * 256, "." * 625, '{"items": 1, "options": []}'])
OPTIONS = st.sampled_from([Options(), Options(limit=None), Options(target=True)])


def numbered(texts: list[str]) -> list[Puzzle]:
    return [Puzzle(n, n, None, text) for n, text in enumerate(texts, start=1)]


@given(st.lists(TEXTS, max_size=300), OPTIONS, st.integers(1, 100))
def test_cutting_loses_nothing_and_keeps_the_order(
    texts: list[str], options: Options, share: int
) -> None:
    puzzles = numbered(texts)
    assert [puzzle for chunk in cut(puzzles, options, share) for puzzle in chunk] == puzzles


@given(st.lists(TEXTS, max_size=300), OPTIONS, st.integers(1, 100))
def test_no_chunk_is_longer_than_its_limits(texts: list[str], options: Options, share: int) -> None:
    for chunk in cut(numbered(texts), options, share):
        assert 1 <= len(chunk) <= share
        if len(chunk) > 1:
            assert sum(expected_ms(puzzle.text, options) for puzzle in chunk) <= CHUNK_MS


def test_a_chunk_of_easy_puzzles_stops_at_the_most_puzzles() -> None:
    first = next(cut(numbered(["." * 16] * (CHUNK_PUZZLES + 1)), Options(), 10**6))
    assert len(first) == CHUNK_PUZZLES


def test_large_problems_do_not_share_a_chunk_beyond_its_bytes() -> None:
    large = '{"items": 1, "options": []' + " " * CHUNK_BYTES + "}"
    assert [len(chunk) for chunk in cut(numbered([large] * 3), Options(), 100)] == [1, 1, 1]


def test_a_line_that_is_no_puzzle_is_stored_as_invalid_in_its_place(
    engine: Engine, tmp_path: Path
) -> None:
    good = next(grids(1, 30))
    batch = submit(engine, f"{good}\n{good[:80]}\n{good}\n", tmp_path)
    with write(engine) as connection:
        [answer] = select_answers(connection, batch=batch.id)
        waiting = chunks.waiting(connection, QUEUE, 10**6)
    assert (answer.position, answer.kind, answer.status) == (2, "sudoku", "invalid")
    assert answer.detail == "80 cells, expected 81"
    places = [puzzle.position for chunk in waiting for puzzle in chunks.decode(chunk.puzzles)]
    assert places == [1, 3]


def test_nothing_of_a_batch_is_seen_before_its_last_puzzle_is_stored(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batches, "make_ready", crash)
    with pytest.raises(KeyboardInterrupt):
        submit(engine, next(grids(1, 30)), tmp_path)
    with write(engine) as connection:
        assert batches.newest(connection) == []
        assert chunks.waiting(connection, QUEUE, 10**6) == []
