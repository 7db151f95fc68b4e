"""Colours said without colours, against the law that they stand for."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems
from worker.exact_cover import colour
from worker.exact_cover.colour import plain
from worker.exact_cover.dlx import solve
from worker.exact_cover.problem import number

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
    count, made = plain(primary, secondary, options, [list(some.items()) for some in colours])
    found = {chosen for chosen, _ in solve(number(primary, count, made), keep=5000).kept}
    assert found == wanted


def test_what_has_no_colours_stays_as_it_is() -> None:
    assert plain(1, 1, [[1, 2], [2]], [[], []]) == (1, [[1, 2], [2]])


def test_colours_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colour, "LARGEST", 5)
    with pytest.raises(ValueError, match="its colours would take more than 5 items in options"):
        plain(2, 1, [[1, 3], [2, 3], [2, 3]], [[(3, "A")], [(3, "A")], [(3, "B")]])
