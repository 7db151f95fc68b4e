"""Packing puzzles into the text of a chunk."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.packing import digest, pack, unpack
from storage.values import Kind, Puzzle, Puzzles

LABELS = st.none() | st.text()
TEXTS = {
    Kind.SUDOKU: st.text(".123456789", min_size=81, max_size=81),
    Kind.COVER: st.text().map(lambda text: "{" + text),
}
KINDS_AND_ROWS = st.sampled_from(Kind).flatmap(
    lambda kind: st.tuples(
        st.just(kind), st.lists(st.tuples(st.integers(1, 10**12), LABELS, TEXTS[kind]), min_size=1)
    )
)


@given(KINDS_AND_ROWS)
def test_puzzles_are_packed_as_compact_json_and_unpacked_unchanged(
    given: tuple[Kind, list[tuple[int, str | None, str]]],
) -> None:
    kind, rows = given
    puzzles = [Puzzle(70 + position, position, label, text) for position, label, text in rows]
    packed = pack(Puzzles.of(kind, puzzles))
    assert (packed.kind, packed.count) == (kind, len(puzzles))
    assert packed.puzzles == json.dumps(json.loads(packed.puzzles), separators=(",", ":"))
    assert list(unpack(packed.puzzles)) == puzzles


@pytest.mark.parametrize(("old", "new"), [("..1.", "..2."), ("[1]", "[2]"), ("}", "} ")])
def test_another_text_has_another_digest(old: str, new: str) -> None:
    packed = pack(Puzzles(Kind.SUDOKU, [1], None, ["..1."]))
    assert digest(packed.puzzles.replace(old, new)) != digest(packed.puzzles)


def test_the_digest_is_what_earlier_releases_stored() -> None:
    assert digest('[[7,3,null,"1..4"]]') == "28bf3adcc062cbe2b8bb512e671b898d"
