"""Data for training and tests is exported in parts that share no class."""

from pathlib import Path

from pyarrow import parquet

from bullseye import canonical
from tests.cli.conftest import EASY, Bullseye
from tests.cli.test_classes import PUZZLES


def test_parts_with_equivalents(bullseye: Bullseye, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("\n".join(PUZZLES))
    assert bullseye("solve", "--classes", file).code == 0
    made = bullseye("export", "1", "--parquet", "data", "--split", "1,1", "--augment", "2")
    assert (made.code, made.out) == (0, "")
    assert "data/batch-1-parts/part-1.parquet: " in made.err
    tables = [parquet.read_table(f"data/batch-1-parts/part-{part}.parquet") for part in (1, 2)]
    found = [set(table["canonical"].to_pylist()) for table in tables]
    assert found[0].isdisjoint(found[1])
    rows = [row for table in tables for row in table.to_pylist()]
    assert len(rows) == 3 * len(PUZZLES)
    assert canonical([row["puzzle"] for row in rows]) == [row["canonical"] for row in rows]
    for row in rows:
        assert (row["copy"] == 0) == (row["arrangement"] is None)
        assert all(
            clue in {".", cell} for clue, cell in zip(row["puzzle"], row["solution"], strict=True)
        )
    again = bullseye("export", "1", "--parquet", "more", "--split", "1,1", "--augment", "2")
    assert again.code == 0
    same = [parquet.read_table(f"more/batch-1-parts/part-{part}.parquet") for part in (1, 2)]
    assert [one.to_pylist() for one in same] == [one.to_pylist() for one in tables]


def test_targets_have_no_equivalents(bullseye: Bullseye, tmp_path: Path) -> None:
    assert bullseye("solve", "--classes", "--target", EASY).code == 0
    assert bullseye("export", "1", "--parquet", "data", "--augment", "3").code == 0
    table = parquet.read_table("data/batch-1-parts/part-1.parquet")
    assert table["copy"].to_pylist() == [0]


def test_what_cannot_be_split_has_a_clear_error(bullseye: Bullseye, tmp_path: Path) -> None:
    assert bullseye("solve", EASY).code == 0
    refused = bullseye("export", "1", "--parquet", "data", "--split", "8,2")
    assert refused.code != 0
    assert "no puzzle of batch 1 has a class: solve it with --classes" in refused.err
    assert not Path("data").exists()
    for options in (["--by", "grid"], ["--split", "1"], ["--split", "a,b"], ["--augment", "0"]):
        assert bullseye("export", "1", "--parquet", "data", *options).code == 2
