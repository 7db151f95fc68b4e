"""Summaries equal what a plain program counts, whole or merged from parts."""

from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from storage.summaries import details
from storage.summaries.summary import (
    Measured,
    Summary,
    SummaryKey,
    at,
    by_key,
    differences,
    merge,
    summarise,
)

nodes = st.none() | st.integers(0, 2**62)
rows = st.tuples(
    st.sampled_from(["sudoku", "target", "cover"]),
    st.none() | st.sampled_from([4, 9]),
    st.none() | st.integers(0, 81),
    st.sampled_from(["solved", "none", "timeout", "failed", "invalid"]),
    st.sampled_from([0, 1]),
    st.none() | st.integers(0, 2**70),
    st.none() | st.integers(-(2**63), 2**63 - 1),
    nodes,
    st.none() | st.floats(0, 1e9),
    st.sampled_from(["2026-11-22T12:00:00.000Z", "2026-11-22T12:00:00.001Z"]),
)
answers = st.lists(rows, min_size=1, max_size=40).map(
    lambda some: Measured(*zip(*((id_, *row) for id_, row in enumerate(some, 1)), strict=True))
)


def part(found: Measured, some: slice) -> Measured:
    return Measured._make(column[some] for column in found)


@given(answers)
def test_every_answer_is_in_the_group_of_its_outcome(found: Measured) -> None:
    groups = dict(by_key(found))
    assert sorted(chain.from_iterable(groups.values())) == list(range(len(found.id)))
    for outcome, places in groups.items():
        some = at(found, places)
        for status, complete, number, score, kind, size in zip(
            *(some.status, some.complete, some.solutions, some.score, some.kind, some.size),
            strict=True,
        ):
            several = None if number is None else min(number, 2)
            assert outcome == SummaryKey(status, complete, several, score is not None, kind, size)


@given(answers, st.integers(0, 40))
def test_a_summary_can_be_merged_from_those_of_parts(found: Measured, cut: int) -> None:
    found = found._replace(status=("solved",) * len(found.id))
    parts = [part(found, slice(cut)), part(found, slice(cut, None))]
    whole = merge(summarise(some) for some in parts if some.id)
    assert differences(whole, summarise(found)) == []


@given(answers)
def test_a_summary_equals_a_plain_count(found: Measured) -> None:
    found = found._replace(status=("solved",) * len(found.id))
    made = summarise(found)
    lines = list(zip(*found, strict=True))
    assert made.answers == len(lines)
    times = [line[9] for line in lines if line[9] is not None]
    assert (made.timed, made.max_ms) == (len(times), max(times, default=None))
    assert made.max_nodes == max((n for n in found.nodes if n is not None), default=None)
    assert made.scores == Counter(score for score in found.score if score is not None)
    guessed = [line[8] for line in lines if line[1] != "cover" and line[8] is not None]
    assert (made.grids, made.unguessed) == (len(guessed), guessed.count(0))
    hardest = sorted((-line[8], -line[9], line[0]) for line in lines if None not in line[8:10])
    expected = [(-n, -ms, -id_) for n, ms, id_ in hardest[:5]]
    assert [tuple(one) for one in made.hardest] == expected
    assert {clues: group.puzzles for clues, group in made.clues.items()} == Counter(
        line[3] for line in lines if line[3] is not None and line[9] is not None
    )


@given(answers)
def test_distributions_are_read_as_they_were_written(found: Measured) -> None:
    made = summarise(found)
    read: dict[str, Any] = details.unpack(details.pack(made))
    assert replace(made, **read) == made


def test_the_summary_of_nothing_is_empty() -> None:
    assert merge([]) == Summary()
