"""Judge output, byte for byte."""

import io
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from cli.output.writers import write_judge
from storage.view import AnswerRow
from tests.cli.answers import BEST, COVER, NONE, PUZZLE, TARGET, UNIQUE
from worker.errors import BadUsage
from worker.formats.source import open_source


def source(home: Path, name: str, text: str, count: int) -> dict[str, Any]:
    """Return what a batch stores about an input."""
    (home / name).write_text(text)
    with open_source(str(home / name)) as opened:
        return {"name": name, "first": 1, "count": count, "layout": asdict(opened.layout)}


def judged(answers: list[AnswerRow], inputs: list[dict[str, Any]], target: bool = False) -> str:
    out = io.StringIO()
    write_judge(answers, out, options={"inputs": inputs, "target": target})
    return out.getvalue()


def spaced(grid: str) -> str:
    return "".join(" ".join(grid[i : i + 9]) + "\n" for i in range(0, 81, 9)).replace(".", "0")


def test_a_target_is_answered_with_its_score_or_minus_one(home: Path) -> None:
    inputs = [source(home, "p1074", spaced(PUZZLE), 1)]
    assert judged([TARGET], inputs, target=True) == "2870\n"
    assert judged([NONE._replace(kind="target")], inputs, target=True) == "-1\n"


def test_a_spaced_grid_is_answered_in_its_layout(home: Path) -> None:
    inputs = [source(home, "p1784", spaced(PUZZLE), 1)]
    assert judged([UNIQUE], inputs) == spaced(BEST)


def test_lines_up_to_end_are_answered_in_lines(home: Path) -> None:
    inputs = [source(home, "p10482", f"{PUZZLE}\n{PUZZLE}\nend\n", 2)]
    assert judged([UNIQUE, UNIQUE], inputs) == f"{BEST}\n{BEST}\n"


def test_a_matrix_is_answered_with_rows_or_no_solution(home: Path) -> None:
    inputs = [source(home, "p4929", "2 2\n1 0\n0 1\n", 1)]
    assert judged([COVER], inputs) == "1 2\n"
    assert judged([COVER._replace(status="none", solution=None)], inputs) == "No Solution!\n"


def test_every_input_is_answered_in_its_own_layout(home: Path) -> None:
    inputs = [
        source(home, "lines", f"{PUZZLE}\n{PUZZLE}\n", 2),
        source(home, "spaced", spaced(PUZZLE), 1),
    ]
    assert judged([UNIQUE] * 3, inputs) == f"{BEST}\n{BEST}\n{spaced(BEST)}"


def test_a_batch_without_a_stored_layout_has_no_judge_output() -> None:
    with pytest.raises(BadUsage, match="use -f lines"):
        judged([UNIQUE], [])
