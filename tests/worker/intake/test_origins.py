"""Runs of lines say where every puzzle of a batch stands."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from hypothesis import given
from hypothesis import strategies as st

from worker.formats.entry import Origin
from worker.intake.origins import Origins

#: places of the puzzles of an input, cut into blocks
GAPS = st.lists(st.sampled_from([1, 1, 1, 2, 10]), min_size=1, max_size=30)
INPUTS = st.lists(st.tuples(GAPS, st.integers(1, 9)), min_size=1, max_size=4)


def places_of(gaps: Sequence[int]) -> list[int]:
    return [1 + sum(gaps[:at]) for at in range(len(gaps))]


def found(inputs: Sequence[Sequence[Sequence[int]]]) -> list[Origin]:
    """Return the runs of inputs, each of which is a list of blocks of places."""
    origins, first, runs = Origins(), 1, list[Origin]()
    for blocks in inputs:
        origins.begin()
        for places in blocks:
            runs += origins.add(first, places)
            first += len(places)
    return runs


@given(INPUTS)
def test_runs_tell_the_input_and_the_line_of_every_puzzle(
    inputs: list[tuple[list[int], int]],
) -> None:
    lines = [(places_of(gaps), size) for gaps, size in inputs]
    runs = found([[of[at : at + size] for at in range(0, len(of), size)] for of, size in lines])
    wanted = [(number, line) for number, (of, _) in enumerate(lines) for line in of]
    for position, place in enumerate(wanted, 1):
        run = runs[bisect_right(runs, position, key=attrgetter("position")) - 1]
        assert place == (run.input, run.line + (position - run.position) * run.step)


def test_lines_that_follow_each_other_are_one_run_over_all_blocks() -> None:
    blocks = [range(3, 4099), range(4099, 4100), [4100, 4101], [4102]]
    assert found([blocks, [[1]]]) == [Origin(1, 0, 3, 1), Origin(4101, 1, 1, 1)]


def test_grids_of_nine_rows_and_a_gap_are_one_run() -> None:
    assert found([[[1, 11, 21], [31], [41, 51]]]) == [Origin(1, 0, 1, 10)]
