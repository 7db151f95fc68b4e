"""Weights are read from a file, a number for each cell."""

from pathlib import Path

import pytest

from cli.input.request import read_weights
from worker.formats.errors import FormatError


def _weights(tmp_path: Path, content: str) -> tuple[int, ...]:
    path = tmp_path / "weights"
    path.write_text(content)
    return read_weights(str(path))


@pytest.mark.parametrize("separator", [" ", "\n", ", ", "\t"])
def test_spaces_and_commas_separate_weights(tmp_path: Path, separator: str) -> None:
    assert _weights(tmp_path, separator.join(map(str, range(-8, 73)))) == tuple(range(-8, 73))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "0 weights, expected one for each cell"),
        ("1 " * 80, "80 weights, expected one for each cell"),
        ("1.5 " + "1 " * 80, "`1.5` is not a whole number"),
        ("1" * 70_000, "too long for weights"),
    ],
)
def test_a_file_that_does_not_hold_weights_is_rejected(
    tmp_path: Path, content: str, what: str
) -> None:
    with pytest.raises(FormatError, match=what):
        _weights(tmp_path, content)


def test_a_missing_file_of_weights_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        read_weights(str(tmp_path / "no"))
