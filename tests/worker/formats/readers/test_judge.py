"""Judge problems that become covers: one problem for each case, and errors with their lines.

The output equals the sample output of each judge's problem, byte for byte.
"""

import json
from dataclasses import asdict
from pathlib import Path
from time import process_time

import pytest

from storage.values import Kind
from storage.view import AnswerRow
from tests.cli.answers import UNIQUE
from tests.worker.formats.reading import (
    DATA,
    JUDGE_FORMATS,
    errors,
    flags,
    judge_format,
    read,
    texts,
)
from tests.worker.solving import one
from worker.formats.errors import FormatError
from worker.formats.layout import Layout
from worker.formats.readers.judge import PROBLEMS, judge
from worker.formats.source import open_source
from worker.options import Options

SAMPLES = sorted(path.stem for path in (DATA / "judge").glob("*.in") if judge_format(path.stem))


def answered(solution: str | None, score: int | None) -> AnswerRow:
    return UNIQUE._replace(solution=solution, score=score)


@pytest.mark.usefixtures("warm_set_cover")
@pytest.mark.parametrize("name", SAMPLES)
def test_the_answers_are_written_as_the_judge_expects(name: str) -> None:
    problem = (DATA / "judge" / f"{name}.in").read_text()
    target = name == "zoj3209"
    layout, entries = read(problem, judge_format(name))
    assert (layout.format, layout.kind) == (judge_format(name), "cover")
    assert {entry.kind for entry in entries} == {Kind.COVER}
    answers = []
    for entry in entries:
        (best,) = one(entry.text, Options(target=target)).kept[:1] or [None]
        answers.append(answered(best and best.text, best.score if best else None))
    output = "".join(line + "\n" for line in judge(layout, answers, target))
    assert output == (DATA / "judge" / f"{name}.out").read_text()


@pytest.mark.parametrize("name", [one for one in SAMPLES if "fzu1686" not in one])
def test_without_a_format_the_error_names_the_problem(name: str) -> None:
    with pytest.raises(FormatError) as raised:
        read((DATA / "judge" / f"{name}.in").read_text())
    assert flags(raised.value) == (judge_format(name),)


def test_every_such_format_has_a_sample() -> None:
    assert sorted(JUDGE_FORMATS.values()) == sorted(PROBLEMS)


def test_loops_and_repeated_edges_of_a_graph_change_nothing() -> None:
    assert texts("3 4\n1 1\n1 2\n2 1\n1 2\n", "domination") == [
        '{"items":3,"secondary":0,"options":[[1,2],[1,2],[3]],"set_cover":true}'
    ]


def test_a_grid_without_a_1_needs_no_window() -> None:
    layout, (entry,) = read("2 2\n0 0\n0 0\n1 1\n", "windows")
    assert json.loads(entry.text)["options"] == []
    (best,) = one(entry.text, Options()).kept
    assert list(judge(layout, [answered(best.text, best.score)], target=False)) == ["0"]


@pytest.mark.parametrize(
    ("name", "answer", "line"),
    [
        ("domination", answered(None, None), "-1"),
        ("airports", answered(None, None), "Case #1: -1"),
        ("radar", answered(None, None), "-1"),
        ("radar", answered("1", -2), "1.414214"),
        ("sparse", answered(None, None), "NO"),
        ("sparse", answered("", None), "0"),
    ],
)
def test_answers_without_a_cover_have_the_words_of_the_judge(
    name: str, answer: AnswerRow, line: str
) -> None:
    layout, _ = read("1 1\n", name)
    assert list(judge(layout, [answer], target=False)) == [line]


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("domination", "3 2\n1 2\n", (2, "line 2: the input ends within a case")),
        ("domination", "3 1\n1 4\n", (2, "line 2: 4 is not between 1 and 3")),
        ("domination", "0 1\n", (1, "line 1: 0 is not between 1 and 1,000,000")),
        ("windows", "1 2\n0 2\n1 1\n", (2, "line 2: 2 is not between 0 and 1")),
        ("windows", "1 1\n1\n2 1\n", (3, "line 3: 2 is not between 1 and 1")),
        ("windows", "9999 9999\n", (1, "line 1: the grid has more than 1,000,000 cells")),
        ("radar", "1\n1 1 1\n1 x\n1 1\n", (3, "line 3: `x` is not a whole number of at most")),
        ("airports", "1\n5000 1\n", (2, "line 2: more than 1,000,000 distances")),
        ("airports", "1\n1 1\n0 0\n7\n", (4, "line 4: more numbers after the last case")),
        ("rectangles", "1\n2 2 1\n1 0 0 2\n", (3, "line 3: 0 is not between 1 and 2")),
        ("rectangles", "1\n9999 9999 0\n", (2, "line 2: the map has more than 1,000,000 cells")),
        ("sparse", "1 3\n2 1 1\n", (2, "line 2: a row has a column twice")),
        ("sparse", "1 3\n4 1 1\n", (2, "line 2: 4 is not between 0 and 3")),
        ("sparse", "1 3\n12345678901 1\n", (2, "line 2: `12345678901` is not a whole number")),
    ],
)
def test_an_invalid_case_is_an_error_with_its_line(
    name: str, content: str, error: tuple[int, str]
) -> None:
    ((line, message),) = errors(content, name)
    assert (line, message[: len(error[1])]) == error


def _output(layout: Layout, answers: list[AnswerRow], *, target: bool = False) -> str:
    return "".join(line + "\n" for line in judge(layout, answers, target))


def _case(name: str) -> tuple[Layout, str]:
    with open_source(str(DATA / "judge" / f"{name}.in")) as source:
        return source.layout, Path(DATA / "judge" / f"{name}.out").read_text()


def _solutions(output: str, size: int) -> list[AnswerRow]:
    """The grids of an output."""
    cells = "".join(output.split())
    grids = [cells[i : i + size * size] for i in range(0, len(cells), size * size)]
    return [answered(grid, None) for grid in grids]


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
    assert _output(layout, [answered(None, score)], target=True) == output


def test_the_rows_of_a_cover_are_written_in_ascending_order() -> None:
    layout, output = _case("p4929")
    assert _output(layout, [answered("12 5 11 8", None)]) == output


def test_a_matrix_without_a_cover_is_answered_in_the_words_of_its_judge() -> None:
    layout, output = _case("p4929-none")
    assert _output(layout, [answered(None, None)]) == output


def test_other_puzzles_without_a_solution_are_answered_by_minus_one() -> None:
    for name in ("p1784", "poj2676", "poj3074", "sp1110"):
        assert _output(_case(name)[0], [answered(None, None)]) == "-1\n"
    assert _output(Layout("dlx", "cover"), [answered(None, None)]) == "-1\n"


def test_a_layout_is_restored_from_json() -> None:
    layout = _case("sp1110")[0]
    assert Layout.from_json({**asdict(layout), "later": 1}) == layout


def test_grids_of_several_sizes_are_written_in_their_own_size() -> None:
    with open_source(str(DATA / "formats" / "lines-sizes.txt")) as source:
        puzzles = [entry.text for entry in source]
        answers = [answered(text, None) for text in puzzles]
        assert list(judge(source.layout, answers, target=False)) == puzzles


@pytest.mark.attack
def test_windows_over_a_grid_that_is_almost_empty_take_no_time_for_its_zeros() -> None:
    rows = [["0"] * 400 for _ in range(400)]
    rows[200][200] = "1"
    text = "400 400\n" + "\n".join(map(" ".join, rows)) + "\n200 200\n"
    began = process_time()
    _, (entry,) = read(text, "windows")
    assert process_time() - began < 20  # each cell of each window: minutes
    assert entry.text.count("[1]") == 200 * 200
