"""The tables in docs/ list exactly the formats, judges, columns, faults, codes and settings."""

import re
from dataclasses import fields

from cli.errors import Exit
from storage.view import COLUMNS
from tests.readme.reading import DOCS, ROOT, linked, quoted, section, table
from worker.formats.layout import FORMATS
from worker.formats.readers.judge import PROBLEMS
from worker.formats.source import open_source
from worker.settings import PREFIX, Settings

FORMATS_PAGE = (DOCS / "formats.md").read_text()
OPERATIONS = (DOCS / "operations.md").read_text()
RESULTS = (DOCS / "results.md").read_text()
GLOSSARY = (DOCS / "glossary.md").read_text()
JUDGES = ROOT / "tests" / "data" / "judge"


def test_the_format_table_lists_every_format() -> None:
    assert {quoted(name): reads for name, reads, _ in table(FORMATS_PAGE)} == FORMATS


def test_the_example_of_every_format_is_detected_as_that_format() -> None:
    for name, _, example in table(FORMATS_PAGE):
        (file,) = linked(example)
        requested = quoted(name) if quoted(name) in PROBLEMS else None
        with open_source(str(DOCS / file), requested) as source:
            assert source.layout.format == quoted(name)


def test_the_judge_table_lists_every_judge_that_has_a_sample() -> None:
    listed = re.sub(r"\W", "", section(FORMATS_PAGE, "Judge output").lower())
    for judge in {path.stem.partition("-")[0] for path in JUDGES.glob("*.in")}:
        assert judge in listed


def test_the_columns_of_the_view_are_listed_in_order() -> None:
    (line,) = (line for line in RESULTS.splitlines() if line.startswith("The columns are "))
    assert tuple(re.findall(r"`(\w+)`", line)) == COLUMNS


def test_the_exit_codes_are_those_of_the_program() -> None:
    assert [int(code) for code, _ in table(section(OPERATIONS, "Exit codes"))] == sorted(Exit)


def test_the_settings_are_listed_in_order_with_their_defaults() -> None:
    listed = {quoted(name): default for name, _, default in table(section(OPERATIONS, "Settings"))}
    assert list(listed) == [PREFIX + field.name.upper() for field in fields(Settings)]
    for field in fields(Settings):
        default = listed[PREFIX + field.name.upper()]
        if isinstance(field.default, int | float):
            assert float(default) == field.default
        elif isinstance(field.default, str) and field.default:
            assert default == f"`{field.default}`"


def test_every_fault_names_a_test_that_exists() -> None:
    rows = table(section(OPERATIONS, "Faults"))
    assert len(rows) > 15
    for _, _, test in rows:
        (file,) = linked(test)
        assert f"\ndef {quoted(test)}(" in (DOCS / file).read_text()


def test_every_test_file_of_faults_has_a_row() -> None:
    named = {
        (DOCS / linked(test)[0]).resolve() for _, _, test in table(section(OPERATIONS, "Faults"))
    }
    assert named >= set(ROOT.glob("tests/end_to_end/test_*faults.py"))


def test_no_table_is_broken_by_an_empty_line() -> None:
    for page in [ROOT / "README.md", *DOCS.glob("*.md"), *ROOT.glob("*/**/README.md")]:
        assert not re.search(r"\|\n\n\|(?![^\n]*\|\n\|-)", page.read_text()), page


def test_every_source_in_the_glossary_has_its_reference() -> None:
    references = section(GLOSSARY, "References")
    rows = re.findall(r"^\|[^|]+\|[^|]+\| ([^|]+?) \|$", GLOSSARY, re.MULTILINE)
    authors = {name for row in rows for name in re.split(r"[;,] | and ", row) if name != "source"}
    missing = {name for name in authors if name not in references}
    assert "Schulte" in authors
    assert not missing
