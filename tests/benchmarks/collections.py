"""Where the puzzles of a race come from: the user's folder, or the examples."""

import csv
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "sudoku.txt"
#: the files that are looked for in the folder, and what they are called
FILES = {
    "17clue.txt": "17-clue",
    "magictour-top1465.txt": "magictour",
    "hardest-1905-10k.txt": "hardest 2019",
    "hardest-1106.txt": "hardest 2011",
}


class Collection(NamedTuple):
    """Puzzles of one kind."""

    name: str
    puzzles: list[str]


def collections(data: Path | None, most: int) -> list[Collection]:
    """Up to so many puzzles of each file, spread over it; of the examples without a folder."""
    if data is None:
        return [Collection("examples", _spread(_grids(EXAMPLES), most))]
    there = {name: data / file for file, name in FILES.items() if (data / file).exists()}
    return [Collection(name, _spread(_grids(path), most)) for name, path in there.items()]


def table(data: Path | None, file: str) -> list[dict[str, str]]:
    """The lines of a CSV file of the folder; none if it is not there."""
    if data is None or not (data / file).exists():
        return []
    with (data / file).open(newline="") as lines:
        return list(csv.DictReader(lines))


def _grids(path: Path) -> list[str]:
    lines = (line.split() for line in path.read_text().splitlines())
    return [words[0] for words in lines if words and len(words[0]) == 81]


def _spread(puzzles: list[str], most: int) -> list[str]:
    return puzzles[:: max(1, len(puzzles) // most)][:most]
