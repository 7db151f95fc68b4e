from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.values import Kind, Puzzles
from worker.intake import chunks
from worker.intake.chunks import (
    LEAST_CHUNK_MS,
    MAX_CHUNK_CHARACTERS,
    MAX_CHUNK_MS,
    MAX_CHUNK_PUZZLES,
    SHARES,
    cut,
    expected_ms,
)
from worker.options import Options
from worker.sudoku.symbols import SIDES

SHAPES = st.sampled_from([(Kind.COVER, None), *((Kind.SUDOKU, n) for n in SIDES)])
OPTIONS = st.sampled_from([Options(), Options(limit=None), Options(target=True)])
POSITIONS = st.lists(st.integers(1, 10**6), max_size=300, unique=True).map(sorted)


def grids_at(*positions: int) -> Puzzles:
    return Puzzles(Kind.SUDOKU, positions, None, ["..."] * len(positions))


def sizes(count: int) -> list[int]:
    puzzles = grids_at(*range(1, count + 1))
    return [len(chunk) for chunk in cut(puzzles, 81, Options(), count)]


@given(SHAPES, POSITIONS, OPTIONS, st.booleans())
def test_chunks_contain_all_puzzles_in_order_and_keep_the_limits(
    shape: tuple[Kind, int | None], positions: list[int], options: Options, labelled: bool
) -> None:
    kind, cells = shape
    texts = [f"text {position}" for position in positions]
    labels = [f"label {position}" for position in positions] if labelled else None
    puzzles = Puzzles(kind, positions, labels, texts)
    chunks = list(cut(puzzles, cells, options, 10**6))
    assert {chunk.kind for chunk in chunks} <= {kind}
    assert [at for chunk in chunks for at in chunk.positions] == positions
    assert [text for chunk in chunks for text in chunk.texts] == texts
    assert [label for chunk in chunks for label in chunk.labels or ()] == (labels or [])
    for chunk in chunks:
        assert 1 <= len(chunk) <= MAX_CHUNK_PUZZLES
        assert len(chunk) == 1 or len(chunk) * expected_ms(puzzles, cells, options) <= MAX_CHUNK_MS


def test_a_chunk_of_easy_puzzles_has_the_maximum_number_of_puzzles() -> None:
    first = next(cut(grids_at(*range(1, MAX_CHUNK_PUZZLES + 2)), 16, Options(), 10**6))
    assert len(first) == MAX_CHUNK_PUZZLES


@pytest.mark.parametrize(
    ("characters", "expected"),
    [(MAX_CHUNK_CHARACTERS + 1, [1, 1, 1]), (MAX_CHUNK_CHARACTERS // 2, [2, 1])],
)
def test_large_cover_problems_share_a_chunk_up_to_the_limit_of_characters(
    characters: int, expected: list[int]
) -> None:
    large = Puzzles(Kind.COVER, [1, 2, 3], None, [" " * characters] * 3)
    assert [len(some) for some in cut(large, None, Options(), 100)] == expected


@pytest.mark.parametrize(("characters", "expected"), [(300, 200), (4096, 40), (8192, 20)])
def test_a_chunk_has_more_cover_problems_if_these_are_small(characters: int, expected: int) -> None:
    many = Puzzles(Kind.COVER, range(1, 301), None, [" " * characters] * 300)
    assert len(next(cut(many, None, Options(), 10**6))) == expected


def test_puzzles_whose_facts_are_wanted_have_small_chunks() -> None:
    puzzles = grids_at(*range(1, 5001))
    assert [len(one) for one in cut(puzzles, 81, Options(facts=True), 10**6)][:2] == [384, 384]


def test_chunks_become_smaller_towards_the_end_but_not_below_the_minimum() -> None:
    found = sizes(60_000)
    assert found[0] == 60_000 // SHARES
    assert found == sorted(found, reverse=True)
    assert set(found[-3:-1]) == {500}
    assert all(a - b <= a / SHARES + 1 for a, b in pairwise(found[:-1]))


def test_no_chunk_is_smaller_than_what_takes_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "LEAST_CHUNK_MS", LEAST_CHUNK_MS)
    assert [sizes(count) for count in (20, 51)] == [[20], [50, 1]]
    large = grids_at(*range(1, 21))
    assert [len(one) for one in cut(large, 256, Options(), 20)][:2] == [3, 3]


@pytest.mark.parametrize("count", [1, 5, 8, 20])
def test_a_small_batch_is_shared_by_several_workers(count: int) -> None:
    assert max(sizes(count)) == ceil(count / SHARES)
