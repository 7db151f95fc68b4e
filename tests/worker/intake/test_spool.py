from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from storage.values import Kind
from tests.sudoku import grids
from tests.worker.conftest import add_file
from worker.formats.entry import Entry, blocks_of
from worker.formats.source import open_source
from worker.intake.spool import Spool

GRID = next(grids(1, 30))
COVER = '{"items":1,"secondary":0,"options":[[1]],"names":["ä"]}'


def grid(label: str | None, text: str) -> Entry:
    return Entry(1, label, text, kind=Kind.SUDOKU)


def cover(label: str | None = None) -> Entry:
    return Entry(1, label, COVER, kind=Kind.COVER)


def fault(label: str | None, text: str, error: str) -> Entry:
    return Entry(1, label, text, error)


LABELS = st.none() | st.text()
ENTRIES = st.one_of(
    st.builds(grid, LABELS, st.sampled_from([GRID, "." * 16])),
    st.builds(cover, LABELS),
    st.builds(fault, LABELS, st.text("aä?"), st.text(min_size=1)),
)


def spooled(spool: Spool, entries: Sequence[Entry]) -> list[list[Entry]]:
    """Spool these entries, and read them back in portions."""
    with open_source(GRID) as source:
        spool.add(source, blocks_of(entries))
    return [
        [entry for block in portion for entry in block.entries()] for portion in spool.portions()
    ]


@given(st.lists(ENTRIES, max_size=9))
def test_puzzles_are_read_back_unchanged_at_their_positions(entries: list[Entry]) -> None:
    with Spool() as spool:
        found = [entry for portion in spooled(spool, entries) for entry in portion]
        assert found == [entry._replace(line=n) for n, entry in enumerate(entries, start=1)]
        assert spool.puzzles == len(entries)


def test_a_portion_ends_with_the_block_that_reaches_its_number_of_puzzles() -> None:
    plain = grid(None, GRID)
    with Spool(portion_puzzles=3) as spool:
        found = spooled(spool, [plain, plain, cover(), cover(), plain])
    assert [len(portion) for portion in found] == [4, 1]


def test_the_first_fault_is_kept_and_all_are_counted() -> None:
    faults = [Entry(7 + n, None, "bad", f"fault {n}") for n in range(5)]
    with Spool() as spool:
        spooled(spool, [*faults[:3], grid(None, GRID), *faults[3:]])
        assert spool.first_fault == (spool.source, faults[0])
        assert spool.fault_count == len(faults)


def test_the_kind_of_inputs_of_both_kinds_is_mixed(tmp_path: Path) -> None:
    with Spool() as spool:
        add_file(spool, GRID, tmp_path)
        assert spool.kind == "sudoku"
        add_file(spool, COVER, tmp_path)
        assert spool.kind == "mixed"
        assert [(given.first, given.count) for given in spool.inputs] == [(1, 1), (2, 1)]
