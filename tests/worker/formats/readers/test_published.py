"""Published covers are read by their content or the name of their file, and refused by a line."""

from pathlib import Path

import pytest

from storage.values import Kind, Status
from tests.worker.formats.readers.test_judge import answered
from tests.worker.formats.reading import DATA, errors, flags, read
from tests.worker.solving import one
from worker.covers.decoding import decode
from worker.covers.text import MAX_COST
from worker.formats.errors import FormatError
from worker.formats.readers.judge import judge
from worker.formats.source import open_source
from worker.options import Options

FORMATS = DATA / "formats"
MPS = (FORMATS / "mps.mps").read_text()


def test_numbers_alone_need_the_name_of_a_file_or_of_a_format(tmp_path: Path) -> None:
    text = (FORMATS / "rail.txt").read_text()
    with pytest.raises(FormatError) as raised:
        read(text)
    assert set(flags(raised.value)) >= {"rail", "spp"}
    file = tmp_path / "sppnw99.TXT"
    file.write_text(text)
    with open_source(str(file)) as source:
        assert source.layout.format == "spp"
        assert [entry.costs for entry in source] == [True]
    file = tmp_path / "scp.txt"
    file.write_text("1..." * 4)
    with open_source(str(file)) as source:
        assert source.layout.format == "lines"


@pytest.mark.usefixtures("warm_set_cover")
@pytest.mark.parametrize(
    ("name", "target", "score"),
    [
        ("scp.txt", False, -2),
        ("rail.txt", False, -2),
        ("spp.txt", True, -3),
        ("pace.hgr", False, -2),
    ],
)
def test_the_best_cover_is_found(name: str, target: bool, score: int) -> None:
    with open_source(str(FORMATS / name)) as source:
        (entry,) = source
    assert entry.kind is Kind.COVER
    assert one(entry.text, Options(target=target)).kept[0].score == score


def test_a_hitting_set_is_written_as_pace_expects() -> None:
    layout, _ = read((FORMATS / "pace.hgr").read_text())
    assert "\n".join(judge(layout, [answered("4 2", -2)], target=False)) == "2\n2\n4"
    assert list(judge(layout, [answered(None, None)], target=False)) == ["-1"]


@pytest.mark.parametrize(
    ("format_name", "text", "line", "why"),
    [
        ("scp", "2 2\n1 1\n1 1\n", 3, "the input ends within a case"),
        ("scp", "1 2\n1 1\n2 1 1\n", 3, "a column occurs twice"),
        ("scp", "1 1\n1\n1 1\n7\n", 4, "more numbers after the problem"),
        ("rail", "2 1\n1 1 3\n", 2, "3 is not between 1 and 2"),
        ("spp", "2 1\n-1 1 1\n", 2, "-1 is not between 0 and 1,000,000,000"),
        ("spp", "2 1\nx 1 1\n", 2, "`x` is not a whole number of at most 10 digits"),
        (None, "p ec 3\ns 1\n4\n", 3, "expected `s` and items, not `4`"),
        (None, "p ec 3\ns 1 4\n", 2, "4 is not between 1 and 3"),
        (None, "p hs 2 2\n1 2\n", 2, "1 edge, but 2 are announced"),
        (None, "p hs 2 1\n1 b\n", 2, "`b` is not a number from 1"),
        (None, "p ds 2 1\n1\n", 2, "1 number, expected two vertices"),
        (None, "c a\nc\np ds 2\n1 2\n", 3, "expected 2 numbers after `p ds`"),
        (None, "p ec 9999999999\n", 1, "`9999999999` is not a number from 0"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(
    format_name: str | None, text: str, line: int, why: str
) -> None:
    assert errors(text, format_name) == [(line, f"line {line}: {why}")]


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        (" E  R1", " X  R1", 5, "`X` is no type of a row: E, G, L or N"),
        (" L  R2", " L  R1", 6, "row R1 occurs twice"),
        ("R3               1.\n    X2", "R3               2.\n    X2", 13,
         "row R3 has the coefficient 2; only 1 can be read"),
        ("R3               1.\n    X2", "R9               1.\n    X2", 13, "there is no row R9"),
        ("    X1        R2  ", "    X1        R1  ", 12, "row R1 occurs twice in a column"),
        ("    X3        R4", "    X1        R4", 16, "column X1 occurs twice"),
        ("3.   R3", "x   R3", 13, "`x` is not a number"),
        ("3.   R3", "3.5   R3", 13, "3.5 is not a whole number"),
        ("3.   R3", "-1e10   R3", 13, f"the cost -1e10 is not from {-MAX_COST:,} to {MAX_COST:,}"),
        ("R2               1.\n    RHS", "R2               -2.\n    RHS", 27,
         "row R2 has the right-hand side -2, which is not from 1 to 1,000,000"),
        ("R4               2.", "R4               0.", 27,
         "row R4 has the right-hand side 0, which is not from 1 to 1,000,000"),
        ("RHS       R3               1.   R4               2.", "RHS", 20,
         "`RHS` is no line of RHS"),
        ("R3               1.   R4               2.", "COST             1.", 20,
         "the objective has a constant"),
        (" UP BND       X1               1.", " UP BND       X1               2.", 22,
         "column X1 is not binary"),
        (" BV BND       X2", " FR BND       X2", 23, "`FR BND X2` is no bound of a binary column"),
        ("BOUNDS", "RANGES", 21, "ranges cannot be read"),
        ("ROWS", "OBJSENSE MAX\nROWS", 3, "only a minimum can be found; negate the objective"),
        ("ENDATA", "", 25, "the file ends before ENDATA"),
        ("    M0        'MARKER'                 'INTORG'\n", "", 23,
         "column X1 is not an integer"),
    ],
)  # fmt: skip
def test_mps_that_is_no_set_problem_is_refused_with_the_reason(
    old: str, new: str, line: int, why: str
) -> None:
    assert MPS.count(old) == 1
    ((_, found),) = errors(MPS.replace(old, new), "mps" if "ROWS" in old else None)
    assert found.endswith(why)
    assert found.startswith(f"line {line}") or "ENDATA" in why or "right-hand" in why


def test_rows_of_coverings_are_set_covers_and_binary_columns_need_no_marker() -> None:
    lines = [line for line in MPS.splitlines() if "MARKER" not in line and " UP " not in line]
    bounds = [f" BV BND X{column}" for column in (1, 2, 3)]
    at = lines.index("BOUNDS") + 1
    text = "\n".join([*lines[:at], *bounds, "ENDATA"])
    text = text.replace(" E  ", " G  ").replace(" L  ", " G  ").replace("2.\nBOUNDS", "1.\nBOUNDS")
    _, (entry,) = read(text)
    assert entry.error is None
    assert entry.label == "CREWS"
    assert entry.text == (
        '{"items":4,"secondary":0,"options":[[1,2],[3,4],[1,3,4]],"costs":[5,3,0],'
        '"option_names":["X1","X2","X3"],"set_cover":true}'
    )


@pytest.mark.parametrize(
    ("old", "new", "sign"),
    [
        ("3.   R3", "-3   R3", -1),
        ("R2               1.\n    RHS", "R2               2.\n    RHS", 1),
    ],
)
def test_rows_of_a_packing_are_multiplicities_from_0(old: str, new: str, sign: int) -> None:
    _, (entry,) = read(MPS.replace(old, new))
    problem = decode(entry.text)
    most = 1 if sign < 0 else 2
    assert (problem.costs, problem.secondary) == ([5, sign * 3, 0], 0)
    assert problem.multiplicities == [(1, 1), (1, 1), (2, 2), (0, most)]


def test_a_column_that_earns_without_a_row_is_refused() -> None:
    text = MPS.replace("    M1  ", "    X4        COST             -1.\n    M1  ")
    assert [why for _, why in errors(text)] == ["line 18: column X4 has a negative cost and no row"]


def test_a_solution_of_mps_is_its_objective_and_the_names_of_its_columns() -> None:
    layout, (entry,) = read(MPS)
    answer = answered("1 2", -8)._replace(puzzle=entry.text)
    assert list(judge(layout, [answer], target=True)) == ["=obj= 8", "X1 1", "X2 1"]


@pytest.mark.parametrize(
    ("status", "line"),
    [(Status.NONE, "=infeas="), (Status.TIMEOUT, "=unkn="), (Status.FAILED, "=unkn=")],
)
def test_mps_without_a_solution_says_whether_there_is_none(status: Status, line: str) -> None:
    layout, _ = read(MPS)
    answer = answered(None, None)._replace(status=status)
    assert list(judge(layout, [answer], target=True)) == [line]
