from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.values import Puzzle
from worker.intake.cutting import (
    CHUNK_BYTES,
    CHUNK_MS,
    CHUNK_PUZZLES,
    PARTS,
    cut,
    cut_grids,
    expected_ms,
    plain_grids,
)
from worker.options import Options

COVER = '{"items": 1, "options": []}'
GRIDS = ["." * 16, "." * 81, "." * 256, "." * 625]
TEXTS = st.sampled_from([*GRIDS, COVER])
OPTIONS = st.sampled_from([Options(), Options(limit=None), Options(target=True)])


def numbered(texts: list[str], first: int = 1) -> list[Puzzle]:
    return [Puzzle(n, n, None, text) for n, text in enumerate(texts, start=first)]


@given(st.lists(TEXTS, max_size=300), OPTIONS)
def test_cutting_loses_nothing_and_keeps_the_order(texts: list[str], options: Options) -> None:
    puzzles = numbered(texts)
    assert [puzzle for chunk in cut(puzzles, options, len(texts)) for puzzle in chunk] == puzzles


@given(st.lists(TEXTS, max_size=300), OPTIONS, st.integers(0, 10**6))
def test_no_chunk_is_longer_than_its_limits(texts: list[str], options: Options, more: int) -> None:
    for chunk in cut(numbered(texts), options, len(texts) + more):
        assert 1 <= len(chunk) <= CHUNK_PUZZLES
        if len(chunk) > 1:
            assert sum(expected_ms(puzzle.text, options) for puzzle in chunk) <= CHUNK_MS


@given(
    st.sampled_from(GRIDS), st.integers(1, 300), OPTIONS, st.integers(1, 10**6), st.integers(0, 900)
)
def test_grids_are_cut_in_bulk_as_they_are_one_by_one(
    grid: str, size: int, options: Options, first: int, more: int
) -> None:
    puzzles, total = numbered([grid] * size, first), first - 1 + size + more
    in_bulk = cut_grids(f"{grid}\n" * size, first, options, total)
    assert [(some.position, some.size, some.text.split(" ")) for some in in_bulk] == [
        (chunk[0].position, len(chunk), [puzzle.text for puzzle in chunk])
        for chunk in cut(puzzles, options, total)
    ]


def test_a_chunk_of_easy_puzzles_stops_at_the_most_puzzles() -> None:
    first = next(cut(numbered(["." * 16] * (CHUNK_PUZZLES + 1)), Options(), 10**6))
    assert len(first) == CHUNK_PUZZLES


def test_large_problems_do_not_share_a_chunk_beyond_its_bytes() -> None:
    large = '{"items": 1, "options": []' + " " * CHUNK_BYTES + "}"
    assert [len(chunk) for chunk in cut(numbered([large] * 3), Options(), 100)] == [1, 1, 1]


def test_chunks_become_smaller_towards_the_end_but_not_too_small() -> None:
    sizes = [some.size for some in cut_grids(f"{'.' * 81}\n" * 60_000, 1, Options(), 60_000)]
    assert sizes[0] == 60_000 // PARTS
    assert sizes == sorted(sizes, reverse=True)
    assert set(sizes[-3:-1]) == {500}
    assert all(a - b <= a / PARTS + 1 for a, b in pairwise(sizes[:-1]))


@pytest.mark.parametrize("size", [1, 5, 8, 20])
def test_a_small_batch_is_shared_too(size: int) -> None:
    sizes = [some.size for some in cut_grids(f"{'.' * 81}\n" * size, 1, Options(), size)]
    assert max(sizes) == ceil(size / PARTS)


@pytest.mark.parametrize(
    "lines",
    [
        ["." * 81 + "\n", "." * 80 + "\n"],
        ["." * 80 + "\n", "." * 82 + "\n", "." * 81 + "\n"],
        [COVER + "\n"],
        ['["label", "....", null]\n'],
    ],
)
def test_what_is_not_grids_of_one_size_is_not_cut_in_bulk(lines: list[str]) -> None:
    assert plain_grids(lines) is None
