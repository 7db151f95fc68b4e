"""Coloured secondary items: every search finds the covers whose colours agree."""

from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems
from tests.worker.exact_cover.searching import asked, constant_tables, run, same, search_for
from tests.worker.multiplicity import oracle as brute_force
from worker.counting.order import Piece, pieces, whole
from worker.counting.ways import Remembering, States
from worker.exact_cover.costs.cheapest import cheapest
from worker.exact_cover.layout import links
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import solve
from worker.multiplicity.solve import solve as solve_multiplicities
from worker.set_cover.layout import Multiplicity
from worker.set_cover.solve import within

pytestmark = pytest.mark.usefixtures("warm", "warm_set_cover", "warm_multiplicity")

DATA = Path(__file__).parents[2] / "data"
Pairs = list[list[tuple[int, str]]]
#: primary items, secondary items, options, costs, colours
Drawn = tuple[int, int, list[list[int]], list[int], Pairs]
#: bytes of a table of states
MEMORY = 1 << 20


@st.composite
def coloured(draw: st.DrawFn) -> Drawn:
    """A small problem, whose secondary items have a colour here and there."""
    primary, secondary, options, costs = draw(problems())
    hue = st.sampled_from(["", "A", "B", "C"])
    drawn = [[(item, draw(hue)) for item in option if item > primary] for option in options]
    colours = [[pair for pair in pairs if pair[1]] for pairs in drawn]
    return primary, secondary, options, costs, colours


def covers(drawn: Drawn, bounds: Sequence[Multiplicity]) -> list[tuple[int, ...]]:
    """All covers by brute force, with the multiplicities of the primary items."""
    primary, secondary, options, _, colours = drawn
    return brute_force.covers(primary, secondary, options, bounds, colours)


def problem_of(drawn: Drawn) -> Problem:
    return number(*drawn)


@given(coloured(), st.booleans())
@example((3, 1, [[1, 4], [2, 4], [3]], [0, 0, 0], [[(4, "A")], [(4, "A")], []]), True)
def test_exact_covers_are_those_whose_colours_agree(drawn: Drawn, snapshots: bool) -> None:
    problem = problem_of(drawn)
    tables, search = links(problem, snapshots), search_for(problem, 5000)
    before = constant_tables(tables)
    found = run(tables, search, asked(keep=5000))
    assert {chosen for chosen, _ in found.kept} == set(covers(drawn, [(1, 1)] * drawn[0]))
    assert same(before, constant_tables(tables))


def counted(piece: Piece, by_size: bool) -> int:
    """The covers of a piece, counted with a table."""
    way = Remembering(piece, States(piece, MEMORY), by_size=by_size)
    assert way.advance(10**9)
    return way.covers


@given(coloured(), st.booleans())
def test_a_table_of_states_counts_them(drawn: Drawn, by_size: bool) -> None:
    problem, expected = problem_of(drawn), len(covers(drawn, [(1, 1)] * drawn[0]))
    assert counted(whole(problem), by_size) == expected
    if set(range(1, problem.primary + 1)) <= set(problem.members.tolist()):
        assert prod(counted(piece, by_size) for piece in pieces(problem)) == expected


@given(coloured(), st.integers(1, 3))
def test_the_cheapest_covers_are_among_them(drawn: Drawn, keep: int) -> None:
    _, _, _, costs, _ = drawn
    *_, result = cheapest(problem_of(drawn), keep=keep)
    assert result is not None
    totals = sorted(sum(costs[k] for k in one) for one in covers(drawn, [(1, 1)] * drawn[0]))
    assert [cost for _, cost in result.kept] == totals[:keep]


@given(coloured(), st.lists(st.sampled_from([(0, 1), (1, 1), (1, 3), (2, 2)]), min_size=5))
def test_covers_with_multiplicities_are_those_whose_colours_agree(
    drawn: Drawn, bounds: list[Multiplicity]
) -> None:
    times = bounds[: drawn[0]]
    found = solve_multiplicities(problem_of(drawn), times, keep=5000)
    assert {chosen for chosen, _ in found.kept} == set(covers(drawn, times))


@given(coloured())
def test_set_covers_are_those_whose_colours_agree(drawn: Drawn) -> None:
    primary, _, options, costs, _ = drawn
    every = covers(drawn, [(1, len(options))] * primary)
    expected = [one for one in every if not any(set(less) < set(one) for less in every)]
    *_, result = within(problem_of(drawn), sum(costs), limit=None, keep=5000)
    assert result is not None
    assert {chosen for chosen, _ in result.kept} == set(expected)


#: words of three letters
WORDS = (DATA / "words.txt").read_text().split()


def rectangles(least: int, most: int) -> int:
    """The squares of three words down and across in which so many rows have an e, by trying."""
    starts = {word[:2] for word in WORDS}
    pairs = [pair for pair in product(WORDS, repeat=2) if starts >= columns(pair)]
    squares = ((*pair, last) for pair, last in product(pairs, WORDS))
    return sum(
        columns(rows) <= set(WORDS) and least <= sum("e" in word for word in rows) <= most
        for rows in squares
    )


def columns(rows: tuple[str, ...]) -> set[str]:
    return set(map("".join, zip(*rows, strict=True)))


def slots() -> tuple[list[list[int]], Pairs]:
    """A word in each row and column; the letters are the colours of the cells, 8 to 16.

    Item 7 is covered by each row that has an e.
    """
    options, colours = [], []
    for slot, word in product(range(6), WORDS):
        cells = [8 + (3 * slot + k if slot < 3 else 3 * k + slot - 3) for k in range(3)]
        options.append([1 + slot, *([7] if slot < 3 and "e" in word else []), *cells])
        colours.append(list(zip(cells, word, strict=True)))
    return options, colours


@pytest.mark.parametrize(("least", "most"), [(0, 3), (1, 1), (2, 3)])
def test_word_rectangles_are_as_many_as_by_trying_all_words(least: int, most: int) -> None:
    options, colours = slots()
    problem = number(7, 9, options, colours=colours)  # each slot has options of three words
    bounds = [(1, 1)] * 6 + [(least, most)]
    assert solve_multiplicities(problem, bounds).found == rectangles(least, most) > 0


def test_word_rectangles_are_exact_covers() -> None:
    options, colours = slots()
    exact = [[item - (item > 7) for item in option if item != 7] for option in options]
    shifted = [[(item - 1, letter) for item, letter in pairs] for pairs in colours]
    assert solve(number(6, 9, exact, colours=shifted)).found == rectangles(0, 3)
