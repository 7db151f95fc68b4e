"""Classes of puzzles up to symmetry are stored on request, and queried."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from bullseye import canonical
from storage.view import OF_CLASSES
from tests.cli.conftest import EASY, Bullseye
from tests.worker.symmetry import arrangements

OTHER = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NONE = "11" + "." * 79
FEW = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
#: the second and the last puzzle are the first two in another dress, the fourth is the first again
PUZZLES = [
    EASY,
    arrangements.equivalent_to(EASY, random.Random(1)),
    OTHER,
    EASY,
    arrangements.equivalent_to(OTHER, random.Random(2)),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "puzzles.txt"
    file.write_text("\n".join(PUZZLES))
    return file


def rows(bullseye: Bullseye, *arguments: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in bullseye(*arguments, "-f", "jsonl").out.splitlines()]


def test_puzzles_in_another_dress_have_one_class(bullseye: Bullseye, file: Path) -> None:
    found = rows(bullseye, "solve", "--classes", file)
    assert [one["canonical"] for one in found] == canonical(PUZZLES)
    assert len({one["class"] for one in found}) == 2
    assert len({one["grid_class"] for one in found}) == 2
    assert {one["automorphisms"] for one in found} == {1}
    query = (
        "SELECT count(*) AS n FROM answers a JOIN answers b ON a.class = b.class AND a.id < b.id"
    )
    assert bullseye("query", query, "-f", "csv").out == "n\n4\n"
    assert bullseye("check", file, "--classes").code == 2


def test_distinct_keeps_the_first_of_each_class(bullseye: Bullseye, file: Path) -> None:
    assert bullseye("solve", "--classes", file).code == 0
    ids = ("--columns", "id")

    def found(*options: str) -> list[int]:
        return [one["id"] for one in rows(bullseye, "results", "--distinct", *ids, *options)]

    assert found() == [1, 3]
    assert found("--where", "id > 1") == [2, 3]
    assert found("--where", "id > 3", "--sort", "-id") == [5, 4]
    assert found("--first", "1", "--offset", "1") == [3]
    assert bullseye("results", "--distinct", "--count").out == "2\n"
    assert bullseye("results", "1", "--distinct", "--status", "none", "--count").out == "0\n"


def test_stats_count_classes(bullseye: Bullseye, file: Path) -> None:
    assert bullseye("solve", "--classes", file).code == 0
    assert " · 2 classes\n" in bullseye("stats", "1").out
    assert json.loads(bullseye("stats", "1", "--json").out)["classes"] == 2
    assert bullseye("solve", file).code == 0
    assert "class" not in bullseye("stats", "2").out
    assert json.loads(bullseye("stats", "2", "--json").out)["classes"] is None


def test_distinct_needs_classes(bullseye: Bullseye, file: Path) -> None:
    assert bullseye("solve", file).code == 0
    for options in ((), ("--count",)):
        refused = bullseye("results", "1", "--distinct", *options)
        assert refused.code == 2
        assert refused.err == (
            "error: no answer of batch 1 has a class: solve or submit with --classes\n"
        )
    assert rows(bullseye, "results", "--first", "1")[0].keys() >= set(OF_CLASSES)


def test_archived_answers_keep_their_classes(bullseye: Bullseye, file: Path) -> None:
    before = rows(bullseye, "solve", "--classes", file)
    assert bullseye("archive", "1", "--parquet", file.parent / "archive").code == 0
    assert rows(bullseye, "results") == before
    assert bullseye("results", "--distinct", "--count").out == "2\n"
    (written,) = (file.parent / "archive").rglob("answers-*.parquet")
    assert parquet.read_table(written)["class"].to_pylist() == [one["class"] for one in before]


def test_reused_answers_have_the_classes_of_their_originals(bullseye: Bullseye, file: Path) -> None:
    assert bullseye("solve", file).code == 0
    first = rows(bullseye, "solve", "--classes", "--reuse", file)
    assert {one["detail"] for one in first} == {None}  # batch 1 has no classes
    again = rows(bullseye, "solve", "--classes", "--reuse", file)
    assert again[0]["detail"] == f"as puzzle {first[0]['id']}"
    for name in OF_CLASSES:
        assert [one[name] for one in again] == [one[name] for one in first]
    plain = rows(bullseye, "solve", "--reuse", file)
    assert {one["detail"] is None for one in plain} == {False}


def test_the_answer_of_an_equivalent_puzzle_is_reused(bullseye: Bullseye, file: Path) -> None:
    file.write_text(f"{OTHER}\n{NONE}\n{EASY}\n")
    first = rows(bullseye, "solve", "--classes", file)
    chance = random.Random(5)
    others = [arrangements.equivalent_to(one, chance) for one in (EASY, OTHER, NONE, FEW)]
    file.write_text("\n".join(others))
    again = rows(bullseye, "solve", "--classes", "--reuse", file)
    assert [one["puzzle"] for one in again] == others
    ids = [one["id"] for one in first]
    wanted = [f"as puzzle {id_}" for id_ in (ids[2], ids[0], ids[1])]
    assert [one["detail"] for one in again] == [*wanted, None]
    assert [one["solutions"] for one in again] == [2, 1, 0, 1]
    assert [one["class"] for one in again[:3]] == [first[at]["class"] for at in (2, 0, 1)]
    plain = rows(bullseye, "solve", others[1])
    assert again[1]["solution"] == plain[0]["solution"]
    assert again[1]["grid_class"] == first[0]["grid_class"]
    solved = zip(again[0]["puzzle"], again[0]["solution"], strict=True)
    assert all(clue in {".", cell} for clue, cell in solved)


@pytest.mark.parametrize("options", [("--keep", "2"), ("--target",)])
def test_where_several_solutions_or_scores_count_only_the_same_puzzle_is_reused(
    bullseye: Bullseye, file: Path, options: tuple[str, ...]
) -> None:
    file.write_text(EASY)
    assert bullseye("solve", "--classes", *options, file).code == 0
    file.write_text(f"{arrangements.equivalent_to(EASY, random.Random(5))}\n{EASY}\n")
    again = rows(bullseye, "solve", "--classes", "--reuse", *options, file)
    assert [one["detail"] for one in again] == [None, "as puzzle 1"]


def test_classes_are_deleted_with_their_batch(bullseye: Bullseye, file: Path) -> None:
    assert bullseye("solve", "--classes", file).code == 0
    assert bullseye("delete", "1", "--yes").code == 0
    assert bullseye("results", "--distinct").code == 2


def test_a_cover_has_no_canonical_form(bullseye: Bullseye, file: Path) -> None:
    file.write_text('{"items": 2, "secondary": 0, "options": [[1], [2]]}')
    refused = bullseye("solve", "--classes", file)
    assert (refused.code, refused.out) == (2, "")
    assert "--classes needs sudokus" in refused.err


def test_large_grids_have_classes(bullseye: Bullseye, file: Path) -> None:
    first = "12............34" + "." * 224 + "5..............6"
    file.write_text(f"{first}\n{arrangements.equivalent_to(first, random.Random(5))}\n")
    one, two = rows(bullseye, "solve", "--classes", file)
    assert one["canonical"] == two["canonical"] != None  # noqa: E711 # both, and known
    assert one["grid_class"] == two["grid_class"]
    assert bullseye("results", "--distinct", "--count").out == "1\n"


def test_a_target_has_the_symmetries_of_its_weights(bullseye: Bullseye, file: Path) -> None:
    turned = EASY[::-1]
    file.write_text(f"{EASY}\n{turned}\n{PUZZLES[1]}\n")
    one, two, other = rows(bullseye, "solve", "--classes", "--target", file)
    assert one["class"] == two["class"] != other["class"]
    square = [EASY[start : start + 9] for start in range(0, 81, 9)]
    images = []
    for rows_ in (square, list(map("".join, zip(*square, strict=True)))):
        for lines in (rows_, rows_[::-1]):
            images += ["".join(lines), "".join(line[::-1] for line in lines)]
    assert one["canonical"] == min(images)
    assert len(images) == 8
    assert one["score"] == two["score"]
    assert one["grid_class"] is None
