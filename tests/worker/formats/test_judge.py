"""The output equals the sample output of each judge's problem, byte for byte."""

from dataclasses import asdict
from pathlib import Path

import pytest

from tests.worker.formats.reading import DATA
from worker.formats.judge import JudgeAnswer, judge
from worker.formats.layout import Layout
from worker.formats.source import open_source


def _output(layout: Layout, answers: list[JudgeAnswer], *, target: bool = False) -> str:
    return "".join(line + "\n" for line in judge(layout, answers, target))


def _case(name: str) -> tuple[Layout, str]:
    with open_source(str(DATA / "judge" / f"{name}.in")) as source:
        return source.layout, Path(DATA / "judge" / f"{name}.out").read_text()


def _solutions(output: str, size: int) -> list[JudgeAnswer]:
    """The grids of an output."""
    cells = "".join(output.split())
    grids = [cells[i : i + size * size] for i in range(0, len(cells), size * size)]
    return [JudgeAnswer(grid, None) for grid in grids]


@pytest.mark.parametrize(
    "name", ["p1784", "p10482", "poj3074", "poj2676", "sp1110", "uva1309", "poj3076"]
)
def test_solved_grids_are_written_as_the_judge_expects(name: str) -> None:
    layout, output = _case(name)
    assert layout.size is not None
    answers = _solutions(output, layout.size)
    assert _output(layout, answers) == output


@pytest.mark.parametrize(
    ("name", "score"), [("p1074-1", 2829), ("p1074-2", 2852), ("p1074-none", None)]
)
def test_a_target_is_answered_by_its_score_or_minus_one(name: str, score: int | None) -> None:
    layout, output = _case(name)
    assert _output(layout, [JudgeAnswer(None, score)], target=True) == output


def test_the_rows_of_a_cover_are_written_in_ascending_order() -> None:
    layout, output = _case("p4929")
    assert _output(layout, [JudgeAnswer("12 5 11 8", None)]) == output


def test_a_matrix_without_a_cover_is_answered_in_the_words_of_its_judge() -> None:
    layout, output = _case("p4929-none")
    assert _output(layout, [JudgeAnswer(None, None)]) == output


def test_other_puzzles_without_a_solution_are_answered_by_minus_one() -> None:
    for name in ("p1784", "poj2676", "poj3074", "sp1110"):
        assert _output(_case(name)[0], [JudgeAnswer(None, None)]) == "-1\n"
    assert _output(Layout("dlx", "cover"), [JudgeAnswer(None, None)]) == "-1\n"


def test_a_layout_is_restored_from_json() -> None:
    layout = _case("sp1110")[0]
    assert Layout.from_json({**asdict(layout), "later": 1}) == layout


def test_grids_of_several_sizes_are_written_in_their_own_size() -> None:
    with open_source(str(DATA / "formats" / "lines-sizes.txt")) as source:
        puzzles = [entry.text for entry in source]
        answers = [JudgeAnswer(text, None) for text in puzzles]
        assert list(judge(source.layout, answers, target=False)) == puzzles
