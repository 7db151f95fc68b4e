"""Answers as rows, numbers, pictures and tables."""

import sys
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bullseye import Answer, Answers, solve
from tests.readme.reading import ROOT

TARGET = (ROOT / "examples" / "target.txt").read_text()
MIXED = ["1234341221434321", "." * 16, "11" + "." * 14]


@pytest.fixture(scope="module")
def answers() -> Answers:
    return solve(MIXED)


def test_answers_are_a_sequence_of_rows(answers: Answers) -> None:
    rows = list(answers)
    assert len(answers) == len(rows) == 3
    assert [answers[k] for k in range(3)] == rows
    assert answers[-1] == rows[-1]
    assert list(answers[1:]) == rows[1:]
    assert all(isinstance(row, Answer) for row in rows)
    with pytest.raises(IndexError):
        answers[3]


def test_a_row_cannot_be_changed(answers: Answers) -> None:
    with pytest.raises(AttributeError):
        answers[0].score = 1  # type: ignore[misc] # on purpose


def test_the_text_of_answers_counts_them_by_status(answers: Answers) -> None:
    assert repr(answers) == "<Answers: 2 solved · 1 none>"


def test_the_grid_has_the_numbers_of_the_solution(answers: Answers) -> None:
    unique, multiple, none = answers
    assert unique.grid is not None
    assert unique.grid.tolist() == [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
    assert none.grid is None
    assert (unique.unique, multiple.unique, none.unique) == (True, False, False)


@pytest.mark.parametrize("text", ["." * 16, "11" + "." * 14, "." * 256])
def test_a_notebook_shows_the_grid(text: str) -> None:
    answers = solve(text)
    picture = answers._repr_svg_()
    assert picture == answers[0]._repr_svg_()
    root = ElementTree.fromstring(picture or "")
    assert root.tag.endswith("svg")
    shown = [one.text for one in root.iter() if one.get("font-size") == "20"]
    assert "".join(str(symbol) for symbol in shown) == (answers[0].solution or "11")


def test_rings_are_coloured_if_the_score_is_that_of_the_rings() -> None:
    best = solve(TARGET, target=True)[0]
    same = solve(best.puzzle, target=True, weights=[2] * 81)[0]
    assert "#ffe45c" in (best._repr_svg_() or "")
    assert "#ffe45c" not in (same._repr_svg_() or "")


def test_a_cover_has_no_picture_and_many_answers_have_none() -> None:
    assert solve([{1}])._repr_svg_() is None
    assert solve(["." * 16] * 2)._repr_svg_() is None


def test_a_data_frame_has_a_row_for_each_answer_and_whole_numbers(answers: Answers) -> None:
    frame = answers.to_pandas()
    assert frame["puzzle"].tolist() == MIXED
    assert frame["solutions"].tolist() == [1, 2, 0]
    assert frame["solution"].isna().tolist() == [False, False, True]
    assert str(frame["nodes"].dtype) == "Int64"
    assert pd.api.types.is_float_dtype(frame["ms"])


def test_arrow_has_the_same_columns_with_their_types(answers: Answers) -> None:
    table = answers.to_arrow()
    assert table.column_names == list(answers.to_pandas())
    assert table.schema.field("score").type == pa.int64()
    assert table["solution"].to_pylist() == [answer.solution for answer in answers]
    assert pa.table(answers) == table


def test_no_answers_make_empty_tables() -> None:
    assert len(solve([]).to_pandas()) == 0
    assert solve([]).to_arrow().num_rows == 0


def test_a_missing_package_is_named_with_its_extra(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"needs pandas: pip install 'bullseye\[pandas\]'"):
        answers.to_pandas()


def test_the_numbers_of_a_16x16_grid_go_to_16() -> None:
    grid = solve("." * 256)[0].grid
    assert grid is not None
    assert sorted(np.unique(grid).tolist()) == list(range(1, 17))
