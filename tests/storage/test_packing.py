import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from storage import packing
from storage.values import Puzzle

labels = st.none() | st.text()
grids = st.text(".123456789", min_size=81, max_size=81)
texts = grids | st.text().map(lambda text: "{" + text)


@given(st.lists(st.builds(Puzzle, st.integers(1), st.integers(1), labels, texts)))
def test_puzzles_come_back_as_they_went(puzzles: Sequence[Puzzle]) -> None:
    assert packing.decode(packing.encode(puzzles)) == puzzles
    assert packing.pack(puzzles) == (len(puzzles), packing.encode(puzzles))


@given(st.lists(grids, min_size=1, max_size=5), st.integers(1), st.integers(1))
def test_neighbouring_grids_are_packed_as_if_one_by_one(
    some: list[str], id_: int, position: int
) -> None:
    packed = packing.pack_grids(id_, position, len(some), " ".join(some))
    puzzles = [Puzzle(id_ + n, position + n, None, grid) for n, grid in enumerate(some)]
    assert packed == packing.pack(puzzles)


def test_a_chunk_is_plain_json_a_line_for_each_puzzle() -> None:
    packed = packing.pack_grids(7, 3, 2, "1" * 81 + " " + "." * 81)
    assert json.loads(packed.puzzles) == [[7, 3, None, "1" * 81], [8, 4, None, "." * 81]]
