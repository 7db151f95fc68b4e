"""Twelve recorded searches of one to ten minutes: what was shown while they went on.

The mark: when a fifth of the time has passed, the time left is within a factor of two of the truth
in ten of them, and the bar never stands still for a tenth of the time. One of the twelve, for the
cheapest cover, shows no time left; the others are recorded (see `docs/estimates.md`).
"""

import json
from pathlib import Path
from typing import Any

import pytest

import tests
from cli.formatting import percent
from cli.progress.searches import SearchTimes
from storage.database import read
from storage.queries.progress import Progress, read_progress
from tests.cli.conftest import Database
from tests.storage.searching.harness import SearchHarness
from worker.estimate.ranges import Range
from worker.estimate.remaining import progress

#: per search: seconds, nodes and the share that was done, fifty times
SEARCHES: list[dict[str, Any]] = json.loads(
    (Path(tests.__file__).parent / "data" / "searches.json").read_text()
)


@pytest.fixture
def begun(database: Database) -> Progress:
    """The progress of a batch with one search in parts."""
    harness = SearchHarness(database.engine)
    batch = harness.begin([("[[1,2,3]]", 0.5, None, ())], timeout=1e6)
    with read(harness.engine) as connection:
        return read_progress(connection, batch.id)


def time_left(
    begun: Progress, recorded: dict[str, Any], share_of_time: float
) -> tuple[float, Range]:
    """Replay a search; return the seconds that passed, and the range of those left."""
    times, (search,) = SearchTimes(), begun.open_searches
    for seconds, nodes, share in recorded["curve"]:
        now = search._replace(
            nodes=nodes,
            share=share,
            elapsed=seconds,
            estimate=Range(*recorded["estimate"]).encode(),
        )
        left = times.update(seconds, begun._replace(open_searches=[now]))
        if seconds >= share_of_time * recorded["seconds"]:
            return seconds, left[search.id]
    raise AssertionError("the last point is near the end")


def test_the_time_left_at_a_fifth_of_the_time_is_within_a_factor_of_two(begun: Progress) -> None:
    ratios = []
    for one in SEARCHES:
        seconds, left = time_left(begun, one, 0.2)
        ratios.append(left.likely / (one["seconds"] - seconds))
    assert sum(0.5 <= ratio <= 2 for ratio in ratios) >= 10


@pytest.mark.parametrize("recorded", SEARCHES, ids=lambda one: str(one["search"]))
def test_the_bar_does_not_stand_still_for_a_tenth_of_the_time(recorded: dict[str, Any]) -> None:
    estimate, shown, since, longest = Range(*recorded["estimate"]).encode(), "0 %", 0.0, 0.0
    for seconds, nodes, share in recorded["curve"]:
        now = percent(progress(nodes, share, estimate), 1)
        if now != shown:
            longest, shown, since = max(longest, seconds - since), now, seconds
    longest = max(longest, recorded["seconds"] - since)
    assert longest <= 0.1 * recorded["seconds"]
