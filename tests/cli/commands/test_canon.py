"""`bullseye canon`: canonical forms of files."""

import random
from pathlib import Path

from bullseye import canonical
from tests.cli.conftest import ROOT, Bullseye
from tests.worker.symmetry.arrangements import equivalent_to

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12...4.....3..2."


def test_each_puzzle_has_a_line_with_its_form(bullseye: Bullseye, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    dressed = equivalent_to(PUZZLE, random.Random(1))
    file.write_text(f"{PUZZLE} first\n{dressed} second\n")
    form = canonical(PUZZLE)
    result = bullseye("canon", file, SMALL)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [form, form, canonical(SMALL)]
    assert bullseye("canon", "--distinct", file, SMALL).out.splitlines() == [form, canonical(SMALL)]
    assert bullseye("canon", PUZZLE, "-o", tmp_path / "forms.txt").out == ""
    assert (tmp_path / "forms.txt").read_text() == f"{form}\n"


def test_nothing_is_stored(bullseye: Bullseye, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert bullseye("canon", SMALL).code == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_what_has_no_form_is_named_with_its_place(bullseye: Bullseye, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{PUZZLE}\n{PUZZLE[:-1]}\n")
    output = tmp_path / "forms.txt"
    result = bullseye("canon", file, "-o", output)
    assert (result.code, output.exists()) == (65, False)
    assert f"{file} line 2: " in result.err
    full = bullseye("canon", "2" * 81)
    assert (full.code, full.out) == (65, "")
    assert "too many symmetries" in full.err
    cover = bullseye("canon", ROOT / "examples" / "cover.dlx")
    assert cover.code == 65
    assert "an exact cover has no canonical form" in cover.err
