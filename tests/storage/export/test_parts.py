"""The parts of a batch share no class, have their shares, and depend on seed and classes only."""

import json
from collections import Counter
from itertools import chain, combinations
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from pyarrow import parquet

from storage.database import write
from storage.errors import BatchIncomplete, ExportFailed
from storage.export import archiving, parts
from storage.export.files import KEY
from storage.export.parts import Part, Split
from storage.outbox import leases
from storage.values import Answers, Facts
from tests.storage.harness import Harness, answer_to, puzzles_of


def solved(harness: Harness, classes: list[int | None]) -> None:
    """Store a batch whose puzzles have these classes; those of their grids are half as many."""
    harness.submit(len(classes))
    given = iter(classes)
    for sent in harness.claim_new():
        lease = harness.must_take(sent.id)
        answers = [answer_to(puzzle) for puzzle in puzzles_of(sent)]
        forms = {
            answer.id: Facts(number, f"form {number}", number // 2, 1)
            for answer in answers
            if (number := next(given)) is not None
        }
        with write(harness.engine, pipelined=True) as connection:
            found = (connection, lease, Answers.of(answers), "ada")
            assert leases.store_answers(*found, done=True, facts=forms)


def unchanged(table: pa.Table) -> pa.Table:
    return table


def split(harness: Harness, folder: Path, how: Split) -> list[Part]:
    return parts.split(harness.engine, 1, folder, how, unchanged)


def classes_of(made: list[Part], column: str = "class") -> list[list[int]]:
    return [parquet.read_table(part.path)[column].to_pylist() for part in made]


def test_parts_have_their_shares_and_no_common_class(harness: Harness, tmp_path: Path) -> None:
    chance = Random(1)
    numbers: list[int | None] = [chance.randrange(-40, 40) for _ in range(200)]
    solved(harness, numbers)
    made = split(harness, tmp_path, Split((80, 10, 10), "class", 7))
    found = classes_of(made)
    assert Counter(chain.from_iterable(found)) == Counter(numbers)
    assert all(set(one).isdisjoint(other) for one, other in combinations(found, 2))
    for part, one, wanted in zip(made, found, (160, 20, 20), strict=True):
        assert (part.puzzles, part.rows, part.classes) == (len(one), len(one), len(set(one)))
        assert abs(len(one) - wanted) <= 10
    by_grid = split(harness, tmp_path / "grids", Split((1, 1), "grid_class", 7))
    one, other = classes_of(by_grid, "grid_class")
    assert set(one).isdisjoint(other)


def test_the_seed_and_the_classes_determine_the_parts(harness: Harness, tmp_path: Path) -> None:
    solved(harness, list(range(60)))
    how = Split((2, 1), "class", 7)
    first = [set(one) for one in classes_of(split(harness, tmp_path / "a", how))]
    other = classes_of(split(harness, tmp_path / "b", how._replace(seed=8)))
    assert [set(one) for one in other] != first
    solved(harness, list(range(59, -1, -1)))
    again = parts.split(harness.engine, 2, tmp_path / "c", how, unchanged)
    assert [set(one) for one in classes_of(again)] == first
    header = parquet.read_metadata(again[1].path).metadata[KEY.encode()]
    wanted = {"batch": 2, "shares": [2, 1], "seed": 7, "part": 2}
    assert wanted.items() <= json.loads(header).items()


def test_puzzles_without_a_class_are_left_out(harness: Harness, tmp_path: Path) -> None:
    solved(harness, [1, None, 2, None, 3])
    made = split(harness, tmp_path, Split((1,), "class", 0))
    assert [sorted(one) for one in classes_of(made)] == [[1, 2, 3]]


def test_a_part_may_be_empty(harness: Harness, tmp_path: Path) -> None:
    solved(harness, [5] * 7)
    made = split(harness, tmp_path, Split((1, 8, 1), "class", 0))
    assert sorted(len(one) for one in classes_of(made)) == [0, 0, 7]
    assert sum(part.classes for part in made) == 1


def test_archived_answers_are_split(harness: Harness, tmp_path: Path) -> None:
    solved(harness, list(range(20)))
    before = classes_of(split(harness, tmp_path / "a", Split((1, 1), "class", 0)))
    archiving.archive(harness.engine, 1, tmp_path)
    assert classes_of(split(harness, tmp_path / "b", Split((1, 1), "class", 0))) == before


def test_what_cannot_be_split_is_refused_and_nothing_is_written(
    harness: Harness, tmp_path: Path
) -> None:
    how, folder = Split((1, 1), "class", 0), tmp_path / "parts"
    solved(harness, [None] * 4)
    with pytest.raises(ExportFailed, match="no puzzle of batch 1 has a class"):
        split(harness, folder, how)
    solved(harness, [1, 2])
    with pytest.raises(ZeroDivisionError):
        parts.split(harness.engine, 2, folder, how, lambda table: table.slice(1 // 0))
    harness.submit(4)
    with pytest.raises(BatchIncomplete, match="batch 3 is not finished"):
        parts.split(harness.engine, 3, folder, how, unchanged)
    assert not folder.exists()
    assert parts.split(harness.engine, 2, folder, how, unchanged)
    with pytest.raises(ExportFailed, match="batch-2-parts exists"):
        parts.split(harness.engine, 2, folder, how, unchanged)
