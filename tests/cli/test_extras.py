"""What an input says of its puzzles is stored with them, and queried."""

import json
from pathlib import Path

from pyarrow import parquet

from tests.cli.conftest import Bullseye

PUZZLES = "puzzle,id,rating,source\n12...4.....3..2.,a,8.5,forum\n1...............,b,,book\n"


def test_further_columns_of_a_file_are_in_the_answers(bullseye: Bullseye, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(PUZZLES)
    solved = [json.loads(line) for line in bullseye("solve", file, "-f", "jsonl").out.splitlines()]
    assert [one["extra"] for one in solved] == [
        {"rating": 8.5, "source": "forum"},
        {"source": "book"},
    ]
    query = (
        "SELECT label, extra ->> '$.source' AS source FROM answers WHERE extra ->> '$.rating' > 8"
    )
    assert bullseye("query", query, "-f", "csv").out == "label,source\na,forum\n"
    assert bullseye("results", "--columns", "id,extra", "-f", "tsv").out == (
        'id\textra\n1\t"{""rating"":8.5,""source"":""forum""}"\n2\t"{""source"":""book""}"\n'
    )


def test_answers_that_are_reused_have_what_the_new_file_says(
    bullseye: Bullseye, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(PUZZLES)
    assert bullseye("solve", file).code == 0
    file.write_text(PUZZLES.replace("8.5", "9"))
    assert bullseye("solve", "--reuse", file).code == 0
    lines = bullseye("results", "last", "-f", "jsonl").out.splitlines()
    assert [json.loads(line)["extra"].get("rating") for line in lines] == [9, None]


def test_members_are_columns_of_their_own(bullseye: Bullseye, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(PUZZLES)
    assert bullseye("solve", file).code == 0
    shown = ("results", "--columns", "label,extra.rating,extra.source", "--sort", "extra.source")
    assert bullseye(*shown, "-f", "csv").out == (
        "label,extra.rating,extra.source\nb,,book\na,8.5,forum\n"
    )
    first, _ = bullseye(*shown, "-f", "jsonl").out.splitlines()
    assert json.loads(first) == {"label": "b", "extra.rating": None, "extra.source": "book"}
    assert bullseye(*shown, "-f", "table").out.split()[:3] == [
        "label",
        "extra.rating",
        "extra.source",
    ]
    assert bullseye("results", "--where", "extra.rating > 8", "--count").out == "1\n"
    assert bullseye("results", "--template", "{label}: {extra.rating}").out == "a: 8.5\nb: \n"
    assert bullseye(*shown, "-f", "parquet", "-o", tmp_path / "a.parquet").code == 0
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.column("extra.rating").to_pylist() == [None, 8.5]


def test_a_member_without_a_name_is_no_column(bullseye: Bullseye) -> None:
    result = bullseye("results", "--columns", "id,extra.")
    assert (result.code, "there is no column 'extra.'" in result.err) == (2, True)
