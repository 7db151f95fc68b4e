"""Problems with distances: the least radius, as by brute force."""

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.solving import one
from worker.covers.decoding import decode
from worker.covers.text import encode
from worker.options import Options

pytestmark = pytest.mark.usefixtures("warm_set_cover")

points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=6)


def text(distances: list[list[int]], at_most: object, /, **more: object) -> str:
    items = len(distances[0])
    options = [list(range(1, items + 1)) for _ in distances]
    given = {"distances": distances, "at_most": at_most, "set_cover": True, **more}
    return json.dumps({"items": items, "options": options, **given})


@given(points, points, st.integers(0, 4))
def test_the_least_radius_is_that_of_brute_force(
    towns: list[tuple[int, int]], places: list[tuple[int, int]], most: int
) -> None:
    distances = [[abs(x - a) + abs(y - b) for x, y in towns] for a, b in places]
    chosen = [
        some
        for size in range(1, most + 1)
        for some in combinations(range(len(places)), min(size, len(places)))
    ]
    radii = [
        max(min(distances[k][town] for k in some) for town in range(len(towns))) for some in chosen
    ]
    outcome = one(text(distances, most), Options())
    assert outcome.complete
    if not radii:
        assert (outcome.kept, outcome.solutions, outcome.bound) == ((), 0, None)
        return
    (kept,) = outcome.kept
    assert (kept.score, outcome.bound) == (-min(radii), -min(radii))
    found = [int(option) - 1 for option in kept.text.split()]
    assert len(found) <= most
    reached = [min(distances[k][town] for k in found) for town in range(len(towns))]
    assert max(reached) == min(radii)


def test_a_timeout_leaves_a_bound() -> None:
    distances = [[abs(a - b) for a in range(40)] for b in range(40)]
    outcome = one(text(distances, 4), Options(timeout=1e-9))
    assert (outcome.timed_out, outcome.complete, outcome.bound) == (True, False, 0)


def test_the_text_keeps_distances() -> None:
    cover = decode(text([[1, 2], [3, 4]], 1))
    assert (cover.distances, cover.at_most) == ([[1, 2], [3, 4]], 1)
    assert decode(encode(cover)) == cover


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (text([[1, 2]], "1"), "`at_most` must be"),
        (text([[1, 2]], -1), "`at_most` must be"),
        (text([[1, 2]], 1, set_cover=False), "need `set_cover`"),
        (text([[1, 2]], 1, secondary=1), "need `set_cover`"),
        (text([[1, 2]], 1, costs=[1]), "need `set_cover`"),
        (text([[1, 2]], 1, distances=None), "`distances` must be a list"),
        (text([[1, 2]], 1, distances=[]), "`distances` must be a list"),
        (text([[1, 2]], 1, distances=[[1]]), "option 1 needs a distance for each item"),
        (text([[1, -2]], 1), "option 1 needs a distance for each item"),
    ],
)
def test_what_does_not_suit_distances_is_rejected(problem: str, why: str) -> None:
    outcome = one(problem, Options())
    assert why in (outcome.detail or "")
