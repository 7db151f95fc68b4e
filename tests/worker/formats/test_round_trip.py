"""Puzzles and labels written in any format are read back, compressed or not."""

import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sudoku import BOXES
from tests.worker.formats.reading import read
from tests.worker.formats.writing import CONTAINERS, DIGITS, WAYS, Named, Way
from worker.formats.layout import FORMATS
from worker.formats.readers.judge import PROBLEMS
from worker.formats.source import open_source

labels = (
    st.text("abcXYZé 0129.-", min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda label: any(map(str.isalpha, label)))
)


def _puzzle(side: int, dice: random.Random) -> str:
    """Return a valid grid with random values and a third of them as clues, at least one of them 2.

    With a 2 it cannot be a matrix of 0 and 1.
    """
    height, width = BOXES[side]
    values = dice.sample(DIGITS[:side], side)
    grid = [
        values[(width * (row % height) + row // height + column) % side]
        for row in range(side)
        for column in range(side)
    ]
    kept = {grid.index("2"), *(at for at in range(side**2) if dice.random() < 0.34)}
    kept.discard(grid.index("1"))  # at least one cell is empty
    return "".join(cell if at in kept else "." for at, cell in enumerate(grid))


def _some(way: Way, names: Sequence[str], dice: random.Random) -> list[Named]:
    return [Named(label, _puzzle(way.side, dice)) for label in names[: way.most]]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    names=st.lists(labels, min_size=1, max_size=4),
    pack=st.sampled_from(list(CONTAINERS.values())),
    dice=st.randoms(use_true_random=True),
)
def test_puzzles_and_labels_are_read_from_every_format(
    way: Way, names: list[str], pack: Callable[[bytes], bytes], dice: random.Random
) -> None:
    some = _some(way, names, dice)
    content = way.write(some).encode()
    expected = [(one.text, way.label(at, one.label), None) for at, one in enumerate(some)]
    entries = read(pack(content), way.requested)[1]
    assert [(entry.text, entry.label, entry.error) for entry in entries] == expected


@pytest.mark.parametrize("ending", CONTAINERS)
def test_a_compressed_file_is_read_like_its_content_under_any_name(ending: str) -> None:
    dice = random.Random(ending)
    with TemporaryDirectory() as folder:
        for way in WAYS:
            some = _some(way, ["a", "b", "c"], dice)
            file = Path(folder) / dice.choice([f"{way.name}{ending}", "puzzles"])
            file.write_bytes(CONTAINERS[ending](way.write(some).encode()))
            with open_source(str(file), way.requested) as source:
                from_file = list(source)
            with open_source("-", way.requested, io.BytesIO(file.read_bytes())) as source:
                assert list(source) == from_file
            assert [entry.text for entry in from_file] == [one.text for one in some]


def test_every_format_of_grids_is_written_by_these_tests() -> None:
    seen = set()
    for way in WAYS:
        some = _some(way, ["a", "b"], random.Random(way.name))
        seen.add(read(way.write(some), way.requested)[0].format)
    others = {"dlx", "matrix", *PROBLEMS, "scp", "rail", "spp", "pace", "ec", "mps"}
    assert seen == FORMATS.keys() - others, "test_properties writes the first two of the others"
