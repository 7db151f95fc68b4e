"""The puzzle collections: files in the user's folder, or the examples."""

import csv
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "sudoku.txt"
#: file in the folder -> name in the tables
FILES = {
    "17clue.txt": "17-clue",
    "magictour-top1465.txt": "magictour",
    "hardest-1905-10k.txt": "hardest 2019",
    "hardest-1106.txt": "hardest 2011",
}


class Collection(NamedTuple):
    """A named list of sudokus."""

    name: str
    puzzles: list[str]


def collections(data: Path | None, most: int) -> list[Collection]:
    """Return up to `most` puzzles, evenly spaced, of each file; without a folder, the examples."""
    if data is None:
        return [Collection("examples", _spread(_grids(EXAMPLES), most))]
    there = {name: data / file for file, name in FILES.items() if (data / file).exists()}
    return [Collection(name, _spread(_grids(path), most)) for name, path in there.items()]


def table(data: Path | None, file: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file in the folder; none if it does not exist."""
    if data is None or not (data / file).exists():
        return []
    with (data / file).open(newline="") as lines:
        return list(csv.DictReader(lines))


def _grids(path: Path) -> list[str]:
    lines = (line.split() for line in path.read_text().splitlines())
    return [words[0] for words in lines if words and len(words[0]) == 81]


def _spread(puzzles: list[str], most: int) -> list[str]:
    return puzzles[:: max(1, len(puzzles) // most)][:most]
