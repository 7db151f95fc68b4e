"""The large files of benchmarks have the puzzles of the small ones."""

from pathlib import Path

from tests.benchmarks.pipeline.repeated import EASY_CLUES, repeated, with_more_clues
from tests.sudoku import grids
from tests.worker.solving import one
from worker.options import Options


def test_a_file_is_repeated_up_to_a_number_of_lines(tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("a\nb\n")
    assert repeated(tmp_path / "few.txt", tmp_path, 5).read_text().split() == list("ababa")
    assert len(repeated(tmp_path / "few.txt", tmp_path).read_text().split()) == 20


def test_puzzles_with_more_clues_keep_theirs_and_a_solution(tmp_path: Path) -> None:
    puzzles = [next(grids(seed, 20)) for seed in range(20)]
    (tmp_path / "few.txt").write_text("\n".join(puzzles))
    written = with_more_clues(tmp_path / "few.txt", tmp_path).read_text().split()
    for puzzle, easy in zip(puzzles, written, strict=True):
        assert len(easy.replace(".", "")) == EASY_CLUES
        assert all(symbol in (".", clue) for symbol, clue in zip(puzzle, easy, strict=True))
        assert one(easy, Options()).solutions
