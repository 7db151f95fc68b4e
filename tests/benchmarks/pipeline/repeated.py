"""Large files, made of the puzzles of a small one."""

import random
from pathlib import Path

from storage.values import Kind
from worker.options import Options
from worker.solve import search

#: repetitions of a file
REPEATS = 10
#: clues of an easy puzzle, most of which singles solve
EASY_CLUES = 30


def repeated(file: Path, folder: Path, lines: int | None = None) -> Path:
    """Write the puzzles of `file` repeatedly: REPEATS times, or up to `lines` lines."""
    puzzles = file.read_text().split()
    copy = folder / f"repeated-{file.name}"
    count = len(puzzles)
    with copy.open("w") as out:
        for written in range(0, lines or REPEATS * count, count):
            left = (lines - written) if lines else count
            out.writelines([line + "\n" for line in puzzles[:left]])
    return copy


def with_more_clues(file: Path, folder: Path, seed: int = 1) -> Path:
    """Write the puzzles of `file`, each with EASY_CLUES clues: more cells of its solution."""
    puzzles, chance = file.read_text().split(), random.Random(seed)
    outcomes = [one for some in search(Kind.SUDOKU, puzzles, Options()) for one in some.rows()]
    copy = folder / f"easy-{file.name}"
    with copy.open("w") as out:
        for puzzle, outcome in zip(puzzles, outcomes, strict=True):
            is_open = [cell for cell, symbol in enumerate(puzzle) if symbol in ".0"]
            more = set(chance.sample(is_open, EASY_CLUES - (len(puzzle) - len(is_open))))
            solution = outcome.kept[0].text
            cells = [solution[at] if at in more else symbol for at, symbol in enumerate(puzzle)]
            print("".join(cells), file=out)
    return copy
