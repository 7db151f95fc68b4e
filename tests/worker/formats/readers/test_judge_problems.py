"""Judge problems that become covers: one problem for each case, and errors with their lines."""

import json

import pytest

from storage.values import Kind
from tests.worker.formats.reading import DATA, JUDGE_FORMATS, errors, judge_format, read, texts
from tests.worker.solving import one
from worker.formats.judge import JudgeAnswer, judge
from worker.formats.readers.judge_problems import CASES
from worker.options import Options

SAMPLES = sorted(path.stem for path in (DATA / "judge").glob("*.in") if judge_format(path.stem))


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
        answers.append(JudgeAnswer(best and best.text, best.score if best else None))
    output = "".join(line + "\n" for line in judge(layout, answers, target))
    assert output == (DATA / "judge" / f"{name}.out").read_text()


def test_every_such_format_has_a_sample() -> None:
    assert sorted(JUDGE_FORMATS.values()) == sorted(CASES)


def test_loops_and_repeated_edges_of_a_graph_change_nothing() -> None:
    assert texts("3 4\n1 1\n1 2\n2 1\n1 2\n", "domination") == [
        '{"items":3,"secondary":0,"options":[[1,2],[1,2],[3]],"set_cover":true}'
    ]


def test_a_grid_without_a_1_needs_no_window() -> None:
    layout, (entry,) = read("2 2\n0 0\n0 0\n1 1\n", "windows")
    assert json.loads(entry.text)["options"] == []
    (best,) = one(entry.text, Options()).kept
    assert list(judge(layout, [JudgeAnswer(best.text, best.score)], target=False)) == ["0"]


@pytest.mark.parametrize(
    ("name", "answer", "line"),
    [
        ("domination", JudgeAnswer(None, None), "-1"),
        ("airports", JudgeAnswer(None, None), "Case #1: -1"),
        ("radar", JudgeAnswer(None, None), "-1"),
        ("radar", JudgeAnswer("1", -2), "1.414214"),
        ("sparse", JudgeAnswer(None, None), "NO"),
        ("sparse", JudgeAnswer("", None), "0"),
    ],
)
def test_answers_without_a_cover_have_the_words_of_the_judge(
    name: str, answer: JudgeAnswer, line: str
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
