"""What an input says of its puzzles is stored with them, and queried."""

import json
from pathlib import Path

from pyarrow import parquet

from storage.view import COLUMNS
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


def test_whole_csv_tsv_and_parquet_have_members_as_columns_at_the_end(
    bullseye: Bullseye, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(PUZZLES)
    table = tmp_path / "answers.parquet"
    assert bullseye("solve", file, "-f", "csv").out.startswith("id,batch,position,")
    for form, separator in [("csv", ","), ("tsv", "\t")]:
        header, *lines = bullseye("results", "-f", form).out.splitlines()
        assert header.split(separator)[-2:] == ["extra.rating", "extra.source"]
        assert [line.split(separator)[-2:] for line in lines] == [["8.5", "forum"], ["", "book"]]
    assert bullseye("results", "-f", "parquet", "-o", table).code == 0
    found = parquet.read_table(table)
    assert found.column_names[-3:] == [COLUMNS[-1], "extra.rating", "extra.source"]
    assert found.column("extra.rating").to_pylist() == [8.5, None]
    assert found.column("extra.source").to_pylist() == ["forum", "book"]
    assert bullseye("results", "-f", "jsonl").out.count('"extra.rating"') == 0


def test_a_member_with_values_of_several_types_is_text_in_parquet(
    bullseye: Bullseye, tmp_path: Path
) -> None:
    file, table = tmp_path / "puzzles.csv", tmp_path / "answers.parquet"
    file.write_text(PUZZLES.replace(",book", "7,book").replace("8.5", "hard"))
    assert bullseye("solve", file).code == 0
    export = ("results", "--columns", "extra.rating,extra.nothing", "-o", table)
    assert bullseye(*export).code == 0
    assert parquet.read_table(table).to_pydict() == {
        "extra.rating": ["hard", "7"],
        "extra.nothing": [None, None],
    }
