"""The bound by cliques and conflicts is one, and a search with it misses no cover or packing."""

import random
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.multiplicity.oracle import covers
from tests.worker.set_cover.oracle import assert_cheapest, set_covers
from tests.worker.set_cover.test_part import least, search_in_parts
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNBOUNDED, terms
from worker.set_cover.layout import Multiplicity, new_search, step_of, tables_of, unit_of
from worker.set_cover.run import Run
from worker.set_cover.strategy import Strategy
from worker.set_cover.vertex_cover.conflicts import see_edges, tighten_graph
from worker.set_cover.vertex_cover.edges import lay_out
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_set_cover")

Edges = list[tuple[int, int]]
#: no graph is solved before it is known to be one
STRATEGY = Strategy(first_visits=0, early_visits=0)
PENTAGON = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
PETERSEN = [
    *PENTAGON,
    *((k, k + 5) for k in range(5)),
    *((5 + k, 5 + (k + 2) % 5) for k in range(5)),
]


def options_of(vertices: int, edges: Edges) -> list[list[int]]:
    """An option for each vertex, with an item for each of its edges."""
    return [[k for k, edge in enumerate(edges, start=1) if v in edge] for v in range(vertices)]


def problem_of(vertices: int, edges: Edges, costs: list[int] | None = None) -> Problem:
    return number(len(edges), 0, options_of(vertices, edges), costs or [1] * vertices)


def search(
    problem: Problem,
    keep: int = 1,
    bounds: list[Multiplicity] | None = None,
    *,
    swept: bool = False,
) -> Run:
    """A search that has ended; if its root is not `swept`, it relies on cliques alone."""
    asked = terms(limit=None, keep=keep, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), STRATEGY, bounds)
    if not swept:
        run._root._sweeps = UNBOUNDED
        run._local = None
    for _ in run.slices():
        pass
    return run


def bound_of(problem: Problem) -> int:
    """The bound at the root by cliques and conflicts."""
    tables = tables_of(problem)
    at_root = new_search(problem, tables, room=1)
    at_root.state.minimal = at_root.state.reduced = 1
    see_edges(tables, at_root)
    return int(at_root.state.lowest) // unit_of(problem)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges, list[int]]:
    """Graphs of up to nine vertices, their edges, and costs."""
    vertices = draw(st.integers(2, 9))
    every = list(combinations(range(vertices), 2))
    edges = draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    costs = draw(st.lists(st.integers(0, 9), min_size=vertices, max_size=vertices))
    return vertices, edges, draw(st.sampled_from([costs, [1] * vertices]))


@given(graphs(), st.sampled_from([1, 1, 3]), st.booleans())
def test_the_cheapest_vertex_covers_are_those_of_brute_force(
    drawn: tuple[int, Edges, list[int]], keep: int, swept: bool
) -> None:
    vertices, edges, costs = drawn
    every = set_covers(len(edges), 0, options_of(vertices, edges))
    found: Found = search(problem_of(vertices, edges, costs), keep, swept=swept).result()
    assert_cheapest(found, every, costs, keep)


@given(graphs(), st.sampled_from([1, 3]), st.integers(0, 2**32))
def test_parts_find_the_cheapest_vertex_covers(
    drawn: tuple[int, Edges, list[int]], keep: int, seed: int
) -> None:
    vertices, edges, costs = drawn
    every = set_covers(len(edges), 0, options_of(vertices, edges))
    found = search_in_parts(problem_of(vertices, edges, costs), None, keep, seed)
    assert found == least(every, costs, keep)


@st.composite
def packings(draw: st.DrawFn) -> tuple[int, list[list[int]], list[int]]:
    """Items that may be covered once, the options that have them, and their costs, below 0."""
    items, options = draw(st.integers(1, 9)), draw(st.integers(1, 8))
    has = st.lists(st.integers(1, items), min_size=1, max_size=3, unique=True).map(sorted)
    costs = st.lists(st.integers(-9, -1), min_size=options, max_size=options)
    return items, draw(st.lists(has, min_size=options, max_size=options)), draw(costs)


@given(packings(), st.sampled_from([1, 1, 3]), st.booleans(), st.integers(0, 2**32))
def test_the_packings_of_the_greatest_profit_are_those_of_brute_force(
    drawn: tuple[int, list[list[int]], list[int]], keep: int, swept: bool, seed: int
) -> None:
    items, options, costs = drawn
    problem, bounds = number(items, 0, options, costs), [(0, 1)] * items
    every = covers(items, 0, options, bounds)
    found = search(problem, keep, bounds, swept=swept)
    assert_cheapest(found.result(), every, costs, keep)
    assert search_in_parts(problem, bounds, keep, seed) == least(every, costs, keep)


def test_an_independent_set_is_found_as_a_packing() -> None:
    problem, bounds = problem_of(10, PETERSEN, [-1] * 10), [(0, 1)] * len(PETERSEN)
    run = search(problem, 1, bounds)
    assert run._state.joined > run._state.swept
    assert run.result().kept[0][1] == -4


@pytest.mark.parametrize(
    ("vertices", "edges", "costs", "cheapest"),
    [
        (5, PENTAGON, [1] * 5, 3),
        (5, PENTAGON, [7, 5, 6, 5, 7], 17),
        (5, list(combinations(range(5), 2)), [3, 1, 4, 1, 5], 9),
        (10, PETERSEN, [1] * 10, 6),
    ],
    ids=["a cycle of five", "the same with costs", "a clique of five", "Petersen"],
)
def test_conflicts_prove_what_half_of_each_option_does_not(
    vertices: int, edges: Edges, costs: list[int], cheapest: int
) -> None:
    """Half of each option covers all edges, so that no bound of multipliers exceeds that cost."""
    problem = problem_of(vertices, edges, costs)
    assert sum(costs) / 2 < bound_of(problem) == cheapest


def test_after_the_deadline_the_bound_is_what_is_spent() -> None:
    problem = problem_of(10, PETERSEN)
    tables = tables_of(problem)
    at_root = new_search(problem, tables, room=1)
    at_root.state.minimal = 1
    assert lay_out(tables, at_root)
    tighten_graph(tables, at_root, -1)
    assert at_root.state.lowest == at_root.state.spent == 0


def test_the_bound_is_never_more_than_the_cheapest_cover() -> None:
    chance = random.Random(4)
    for _ in range(100):
        edges = [pair for pair in combinations(range(14), 2) if chance.random() < 0.4]
        problem = problem_of(14, edges, [chance.randint(1, 30) for _ in range(14)])
        assert bound_of(problem) <= search(problem).result().kept[0][1]


def test_without_need_of_a_second_cover_no_option_of_one_edge_is_chosen() -> None:
    """Trees need no guess."""
    edges = [(0, 1), (1, 2), (1, 3), (3, 4), (4, 5), (4, 6), (6, 7)]
    found = search(problem_of(8, edges)).result()
    assert (found.nodes, [cost for _, cost in found.kept]) == (0, [3])


def test_options_that_others_replace_do_not_hide_a_graph() -> None:
    """Dominating sets of a graph whose edges have a vertex of their own are its vertex covers."""
    ends = list(combinations(range(7), 2))
    inner = [{v, *(7 + k for k, e in enumerate(ends) if v in e), *range(7)} for v in range(7)]
    outer = [{7 + k, *edge} for k, edge in enumerate(ends)]
    options = [sorted(1 + other for other in near) for near in inner + outer]
    run = search(number(len(options), 0, options, [1] * len(options)))
    assert run._state.joined > run._state.swept
    assert run.result().kept[0][1] == 6


@pytest.mark.parametrize(("length", "most"), [(5, 6), (6, 10), (7, 16)])
def test_codes_that_correct_a_lost_bit_are_as_large_as_is_known(length: int, most: int) -> None:
    """Words that share what is left of them without a bit are not in one code.

    Sloane, *On single-deletion-correcting codes* (2002): 2, 2, 4, 6, 10, 16, 30 for lengths to 8.
    """
    words = list(product("01", repeat=length))
    shorter = [{word[:k] + word[k + 1 :] for k in range(length)} for word in words]
    edges = [(a, b) for a, b in combinations(range(len(words)), 2) if shorter[a] & shorter[b]]
    found = search(problem_of(len(words), edges), swept=True).result()
    assert len(words) - found.kept[0][1] == most
    assert found.bound == found.kept[0][1]


def test_few_nodes_prove_a_vertex_cover_of_a_random_graph() -> None:
    # With the multipliers' bound, it takes more than 400,000 nodes.
    chance = random.Random(9)
    edges = sorted({(min(e), max(e)) for e in (chance.sample(range(110), 2) for _ in range(480))})
    found = search(problem_of(110, edges), swept=True).result()
    assert found.bound == found.kept[0][1]
    assert found.nodes < 10_000


def test_a_formula_is_satisfied_in_few_nodes_where_nothing_may_be_lost() -> None:
    """A vertex cover of n + 2 m options satisfies n variables and m clauses (Karp, 1972).

    Without decisions on cliques that must not lose their weights, it takes 100,000 nodes.
    """
    chance, variables, clauses = random.Random(1), 80, 350
    truth = [chance.random() < 0.5 for _ in range(variables)]
    edges, vertices = [(2 * k, 2 * k + 1) for k in range(variables)], 2 * variables
    while vertices < 2 * variables + 3 * clauses:
        literals = [(k, chance.random() < 0.5) for k in chance.sample(range(variables), 3)]
        if any(truth[k] == sign for k, sign in literals):
            clause = range(vertices, vertices + 3)
            edges += combinations(clause, 2)
            edges += [(one, 2 * k + sign) for one, (k, sign) in zip(clause, literals, strict=True)]
            vertices += 3
    found = search(problem_of(vertices, edges), swept=True).result()
    assert [cost for _, cost in found.kept] == [found.bound] == [variables + 2 * clauses]
    assert found.nodes < 10_000
