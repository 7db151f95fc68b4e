"""Facts of puzzles are stored on request, and queried."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from storage.view import OF_CLASSES, OF_FACTS
from tests.cli.conftest import Bullseye
from tests.worker.facts.test_facts import EASY, HARD, LOKI, MIDDLE

#: with one solution, which singles find; with several; with none
PUZZLES = [EASY, MIDDLE, HARD, LOKI, "1" + "." * 80, "11" + "." * 79]
DEPTHS = [0, 1, 2, 3, None, 0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "puzzles.txt"
    file.write_text("\n".join(PUZZLES))
    return file


def rows(bullseye: Bullseye, *arguments: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in bullseye(*arguments, "-f", "jsonl").out.splitlines()]


def test_facts_are_stored_on_request_and_select_answers(bullseye: Bullseye, file: Path) -> None:
    found = rows(bullseye, "solve", "--facts", file)
    assert [one["depth"] for one in found] == DEPTHS
    assert [one["minimal"] for one in found] == [0, 1, 1, 1, 1, 1]
    assert {one[name] for one in found for name in OF_CLASSES} == {None}
    assert bullseye("results", "--where", "depth > 1 AND backdoor = 2", "--count").out == "2\n"
    plain = rows(bullseye, "solve", file)
    assert {one[name] for one in plain for name in OF_FACTS} == {None}


def test_stats_show_the_distribution_of_facts(bullseye: Bullseye, file: Path) -> None:
    assert bullseye("solve", "--facts", file).code == 0
    line = "5 of 6 minimal · depth 0: 2, 1: 1, 2: 1, 3: 1 · backdoor 0: 1, 1: 1, 2: 2"
    assert line in bullseye("stats").out.splitlines()
    assert json.loads(bullseye("stats", "--json").out)["facts"] == {
        "minimal": {"0": 1, "1": 5},
        "depth": {"0": 2, "1": 1, "2": 1, "3": 1},
        "backdoor": {"0": 1, "1": 1, "2": 2},
    }
    assert bullseye("solve", file).code == 0
    assert "minimal" not in bullseye("stats", "2").out
    assert json.loads(bullseye("stats", "2", "--json").out)["facts"] == {}


def test_archived_and_reused_answers_keep_their_facts(bullseye: Bullseye, file: Path) -> None:
    before = rows(bullseye, "solve", "--facts", "--classes", file)
    again = rows(bullseye, "solve", "--facts", "--reuse", file)
    assert {one["detail"] for one in again} == {f"as puzzle {one['id']}" for one in before}
    for name in OF_FACTS:
        assert [one[name] for one in again] == [one[name] for one in before]
    assert {one["class"] for one in again} == {None}
    assert bullseye("archive", "1", "--parquet", file.parent / "archive").code == 0
    assert rows(bullseye, "results", "1") == before
    (written,) = (file.parent / "archive").rglob("answers-*.parquet")
    assert parquet.read_table(written)["depth"].to_pylist() == DEPTHS


def test_answers_of_equivalent_puzzles_are_not_reused_where_clues_are_named(
    bullseye: Bullseye, file: Path
) -> None:
    file.write_text(EASY)
    (first,) = rows(bullseye, "solve", "--facts", "--classes", file)
    file.write_text(EASY[::-1])
    (other,) = rows(bullseye, "solve", "--facts", "--classes", "--reuse", file)
    assert other["class"] == first["class"]
    assert other["detail"] is None
    assert other["redundant"] != first["redundant"]
    file.write_text(EASY[9:18] + EASY[:9] + EASY[18:])
    (other,) = rows(bullseye, "solve", "--classes", "--reuse", file)
    assert other["detail"] is not None
    assert {other[name] for name in OF_FACTS} == {None}


@pytest.mark.parametrize(
    "text",
    ["." * 256, '{"items": 2, "secondary": 0, "options": [[1], [2]]}'],
    ids=["16x16", "a cover"],
)
def test_what_has_no_facts_is_refused(bullseye: Bullseye, file: Path, text: str) -> None:
    file.write_text(text)
    for options in (("--facts",), ("--facts", "--target")):
        refused = bullseye("solve", *options, file)
        assert (refused.code, refused.out) == (2, "")
    refused = bullseye("solve", "--facts", file)
    assert "--facts needs sudokus of at most 81 cells" in refused.err


def test_targets_and_invalid_lines_have_the_facts_that_they_can_have(
    bullseye: Bullseye, file: Path
) -> None:
    file.write_text(f"{EASY}\n{EASY[:80]}\n")
    first, second = rows(bullseye, "solve", "--facts", "--target", "--skip-bad", file)
    assert (first["kind"], first["depth"], first["backdoor"]) == ("target", 0, 0)
    assert second["status"] == "invalid"
    assert {second[name] for name in OF_FACTS} == {None}
