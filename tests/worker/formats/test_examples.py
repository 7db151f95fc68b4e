"""The examples are read without errors, each in the format that it demonstrates."""

import json
from pathlib import Path

import pytest

from worker.formats.source import open_source

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "format_name", "puzzles"),
    [
        ("sudoku.txt", "lines", 20),
        ("target.txt", "lines", 10),
        ("target-judge.txt", "spaced", 1),
        ("16x16.txt", "letters", 5),
        ("cover.dlx", "dlx", 1),
        ("queens.dlx", "dlx", 1),
        ("matrix.txt", "matrix", 1),
    ],
)
def test_each_example_is_read(name: str, format_name: str, puzzles: int) -> None:
    with open_source(str(EXAMPLES / name)) as source:
        entries = list(source)
    assert source.layout.format == format_name
    assert [entry.error for entry in entries] == [None] * puzzles


def test_the_queens_example_has_secondary_items() -> None:
    with open_source(str(EXAMPLES / "queens.dlx")) as source:
        (entry,) = source
    problem = json.loads(entry.text)
    assert (problem["items"], problem["secondary"], len(problem["options"])) == (12, 22, 36)


def test_puzzles_of_the_examples_have_labels() -> None:
    with open_source(str(EXAMPLES / "sudoku.txt")) as source:
        labels = [entry.label for entry in source]
    assert labels[0] == "easy 1"
    assert len(set(labels)) == len(labels)
