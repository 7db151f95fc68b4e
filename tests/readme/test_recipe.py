"""The loop of docs/testing.md finds the fault of a program, and none in one that has none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme.reading import CHINESE, DOCS, ROOT, blocks
from tests.readme.session import session

#: a program for Luogu P1074 that shares nothing with ours; the weight of the centre is inserted
PROGRAM = """\
#!{python}
import sys

cells = [int(word) for word in sys.stdin.read().split()]
weights = [{centre} if cell == 40 else 10 - max(abs(cell // 9 - 4), abs(cell % 9 - 4))
           for cell in range(81)]
peers = [[other for other in range(81) if other != cell and (
    other // 9 == cell // 9 or other % 9 == cell % 9
    or (other // 27, other % 9 // 3) == (cell // 27, cell % 9 // 3))] for cell in range(81)]

def best():
    empty = [cell for cell in range(81) if not cells[cell]]
    if not empty:
        return sum(weight * digit for weight, digit in zip(weights, cells))
    left = {{cell: set(range(1, 10)) - {{cells[peer] for peer in peers[cell]}} for cell in empty}}
    cell, found = min(empty, key=lambda one: len(left[one])), -1
    for cells[cell] in left[cell]:
        found = max(found, best())
    cells[cell] = 0
    return found

print(best())
"""


def loop(document: Path) -> str:
    """Return the recipe of a document."""
    (lines,) = (block.lines for block in blocks(document.read_text()) if block.language == "bash")
    return "\n".join(lines)


def compare(centre: int) -> tuple[str, bool]:
    """Compare a program with Bullseye on two puzzles; return what is shown, and whether both ran.

    `centre` is the weight that the program gives the cell in the centre, which is 10.
    """
    recipe = loop(DOCS / "testing.md")
    assert "seq 1 100" in recipe
    with session() as terminal:
        program = terminal.folder / "program"
        program.write_text(PROGRAM.format(python=sys.executable, centre=centre))
        program.chmod(0o755)
        terminal.program("python3", sys.executable)
        command = recipe.replace("seq 1 100", "seq 1 2") + '\necho "seed $seed" >&2'
        env = {**terminal.env, "PATH": f"{terminal.folder / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=terminal.folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        assert len((terminal.folder / "problem.in").read_text().split()) == 81
    return done.stdout, done.stderr == "seed 2\n"


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_the_loop_ends_at_the_first_puzzle_whose_score_is_wrong() -> None:
    assert compare(10) == ("", True)
    shown, both_ran = compare(9)
    assert not both_ran
    assert [line[:2] for line in shown.splitlines()] == ["1c", "< ", "--", "> "]


def test_both_languages_have_the_same_loop() -> None:
    assert loop(CHINESE) == loop(DOCS / "testing.md")


def test_random_puzzles_have_their_clues_and_differ_by_seed() -> None:
    made = {
        subprocess.check_output(
            [sys.executable, ROOT / "examples" / "random_target.py", str(seed), "30"], text=True
        )
        for seed in range(3)
    }
    assert len(made) == 3
    assert all(len(one.split()) - one.split().count("0") == 30 for one in made)
