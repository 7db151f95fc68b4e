"""Problems without colours, against the definition of coloured covers."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems
from worker.exact_cover.colour import without_colours
from worker.exact_cover.problem import number
from worker.exact_cover.solve import solve

Coloured = tuple[int, int, list[list[int]], list[dict[int, str]]]


@st.composite
def coloured(draw: st.DrawFn) -> Coloured:
    """A small problem, whose secondary items have a colour here and there."""
    primary, secondary, options, _ = draw(problems())
    hue = st.sampled_from(["", "A", "B", "C"])
    drawn = [{item: draw(hue) for item in option if item > primary} for option in options]
    colours = [{item: hue for item, hue in some.items() if hue} for some in drawn]
    return primary, secondary, options, colours


def allowed(drawn: Coloured, chosen: tuple[int, ...]) -> bool:
    """Every primary item once; a secondary one twice only in one and the same colour."""
    primary, _, options, colours = drawn
    covered = sorted(item for k in chosen for item in options[k] if item <= primary)
    return covered == list(range(1, primary + 1)) and all(
        colours[one].get(item) == colours[two].get(item) is not None
        for one, two in combinations(chosen, 2)
        for item in set(options[one]) & set(options[two])
        if item > primary
    )


@given(coloured())
def test_the_covers_are_those_whose_colours_agree(drawn: Coloured) -> None:
    primary, secondary, options, colours = drawn
    useful = [k for k, option in enumerate(options) if any(item <= primary for item in option)]
    wanted = {
        chosen
        for size in range(primary + 1)
        for chosen in combinations(useful, size)
        if allowed(drawn, chosen)
    }
    count, made = without_colours(
        primary, secondary, options, [list(some.items()) for some in colours]
    )
    found = {chosen for chosen, _ in solve(number(primary, count, made), keep=5000).kept}
    assert found == wanted


def test_a_problem_without_colours_is_unchanged() -> None:
    assert without_colours(1, 1, [[1, 2], [2]], [[], []]) == (1, [[1, 2], [2]])


def test_colours_that_would_add_too_many_nodes_are_rejected() -> None:
    options = [[1, 3], [2, 3], [2, 3]]
    colours = [[(3, "A")], [(3, "A")], [(3, "B")]]
    assert without_colours(2, 1, options, colours, max_added=6)
    with pytest.raises(ValueError, match="its colours would add more than 5 items to options"):
        without_colours(2, 1, options, colours, max_added=5)
