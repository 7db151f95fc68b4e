"""Print a random target sudoku as online judges give it: `python random_target.py SEED CLUES`.

It has at least one solution: a full grid is shuffled, and all cells but the clues are emptied.
"""

import random
import sys


def shuffled(chance: random.Random) -> list[int]:
    """Return three bands in random order, each with its three lines in random order."""
    bands = chance.sample(range(3), 3)
    return [3 * band + line for band in bands for line in chance.sample(range(3), 3)]


def target(seed: int, clues: int) -> str:
    """Return nine rows of nine numbers; 0 is an empty cell."""
    chance = random.Random(seed)  # noqa: S311 # no secret
    rows, columns = shuffled(chance), shuffled(chance)
    digits = chance.sample(range(1, 10), 9)
    # Each row of this grid is the one above it, moved by three; each band is moved by one more.
    grid = [digits[(3 * row + row // 3 + column) % 9] for row in rows for column in columns]
    kept = set(chance.sample(range(81), clues))
    cells = [str(digit) if cell in kept else "0" for cell, digit in enumerate(grid)]
    return "\n".join(" ".join(cells[start : start + 9]) for start in range(0, 81, 9))


if __name__ == "__main__":
    print(target(int(sys.argv[1]), int(sys.argv[2])))
