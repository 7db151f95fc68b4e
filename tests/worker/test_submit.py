from hypothesis import given
from hypothesis import strategies as st

from storage.values import Puzzle
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
