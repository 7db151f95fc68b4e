"""Counts: against brute force, published numbers and the search that visits every cover."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.counting.tilings import DOMINO, TETROMINOES, TROMINOES, shuffled, tilings
from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import langford, pentominoes, queens
from tests.worker.solving import longer
from worker.counting.count import count, in_slices
from worker.counting.order import Piece, pieces, whole
from worker.counting.table import FIRST_ENTRIES
from worker.counting.ways import Plain, Remembering, States, Way
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.stopwatch import Stopwatch

Drawn = tuple[int, int, list[list[int]], list[int]]
MEMORY = 1 << 26
pytestmark = pytest.mark.usefixtures("warm")


def counted(way: Way, slice_ns: int = 10**9) -> int:
    while not way.advance(slice_ns):
        pass
    return way.covers


def remembering(piece: Piece, *, by_size: bool, memory: int = MEMORY) -> Remembering:
    return Remembering(piece, States(piece, memory), by_size=by_size)


def last(problem: Problem, timeout: float = 60.0, budget: float = 60.0) -> Found:
    watch = Stopwatch(timeout, budget, slice_seconds=0.01)
    results = in_slices(problem, memory=MEMORY, watch=watch)
    return next(found for found in results if found)


def kasteleyn(rows: int, columns: int) -> int:
    """The domino tilings of a board: the square root of the determinant of Kasteleyn's matrix."""
    cells = [cell for cell in product(range(rows), range(columns)) if sum(cell) % 2 == 0]
    others = [cell for cell in product(range(rows), range(columns)) if sum(cell) % 2]
    matrix = [[Fraction(_sign(a, b)) for b in others] for a in cells]
    return abs(int(_determinant(matrix)))


def _sign(a: tuple[int, int], b: tuple[int, int]) -> int:
    """0 if two cells are no neighbours; -1 between neighbours in a row with an odd number.

    So the edges around each square of four cells have an odd number of minus signs.
    """
    (r, c), (s, d) = a, b
    if abs(r - s) + abs(c - d) != 1:
        return 0
    return 1 if r != s else (-1) ** r


def _determinant(matrix: list[list[Fraction]]) -> Fraction:
    value = Fraction(1)
    for k in range(len(matrix)):
        pivot = next((r for r in range(k, len(matrix)) if matrix[r][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            matrix[k], matrix[pivot], value = matrix[pivot], matrix[k], -value
        value *= matrix[k][k]
        for row in matrix[k + 1 :]:
            factor = row[k] / matrix[k][k]
            if factor:
                row[k:] = [x - factor * y for x, y in zip(row[k:], matrix[k][k:], strict=True)]
    return value


@given(problems(), st.booleans(), st.sampled_from([0, 2000, MEMORY]), st.sampled_from([1, 10**9]))
def test_every_way_counts_the_covers_that_brute_force_finds(
    drawn: Drawn, by_size: bool, memory: int, slice_ns: int
) -> None:
    primary, secondary, options, _ = drawn
    problem, expected = number(primary, secondary, options), covers(primary, secondary, options)
    counts, parts = 1, list(pieces(problem))
    for piece in parts:
        way = remembering(piece, by_size=by_size, memory=memory)
        found = counted(way, slice_ns)
        assert found == counted(Plain(piece), slice_ns)
        assert (way.path is not None) == (found > 0)
        counts *= found
    assert counts == len(expected)
    result = count(problem)
    assert (result.found, result.status) == (len(expected), stops.EXHAUSTED)
    assert [chosen for chosen, _ in result.kept] == [] or result.kept[0][0] in expected


@given(problems(), st.booleans(), st.sampled_from([0, MEMORY]), st.sampled_from([1, 10**9]))
def test_every_cover_is_found_by_its_number(
    drawn: Drawn, by_size: bool, memory: int, slice_ns: int
) -> None:
    primary, secondary, options, _ = drawn
    (piece,) = [whole(number(primary, secondary, options))]
    way = remembering(piece, by_size=by_size, memory=memory)
    total, found = counted(way, slice_ns), []
    way = way.again()
    for rank in range(total):
        way.look_for(rank)
        counted(way, slice_ns)
        assert way.path is not None
        found.append(tuple(sorted(way.path)))
    assert sorted(found) == sorted(covers(primary, secondary, options))


@pytest.mark.parametrize(
    ("problem", "covers"),
    [
        (tilings(8, 8, DOMINO), 12_988_816),
        (tilings(9, 12, TROMINOES), 20_574_308_184_277_971),
        (shuffled(tilings(9, 12, TROMINOES), seed=1), 20_574_308_184_277_971),
        (tilings(8, 8, TETROMINOES), 19_077_209_438),
        (queens(11), 2680),
        (langford(8), 300),
        (pentominoes(3, 20, whole=True), 8),
    ],
)
def test_counts_are_those_that_are_published(problem: Problem, covers: int) -> None:
    found = count(problem, memory=MEMORY)
    assert (found.found, found.status) == (covers, stops.EXHAUSTED)
    ((chosen, _),) = found.kept
    members = [problem.members[problem.first[k] : problem.first[k + 1]].tolist() for k in chosen]
    covered = [item for option in members for item in option if item <= problem.primary]
    assert sorted(covered) == list(range(1, problem.primary + 1))


@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (7, 8), (12, 12), (16, 16)])
def test_domino_tilings_are_counted_beyond_64_bits(rows: int, columns: int) -> None:
    assert count(tilings(rows, columns, DOMINO)).found == kasteleyn(rows, columns)


def test_a_count_of_many_words_is_exact() -> None:
    # Domino tilings of a 2 x n board are counted by Fibonacci numbers.
    a, b = 1, 1
    for _ in range(799):
        a, b = b, a + b
    assert count(tilings(2, 800, DOMINO)).found == b
    assert b > 2**512


@pytest.mark.parametrize("by_size", [False, True])
def test_a_table_without_room_costs_time_but_no_cover(by_size: bool) -> None:
    (piece,) = pieces(tilings(10, 10, DOMINO))
    small = remembering(piece, by_size=by_size, memory=1 << 15)
    large = remembering(piece, by_size=by_size)
    assert counted(small) == counted(large) == 258_584_046_368
    assert small.nodes > 10 * large.nodes


def test_a_table_takes_no_more_memory_than_it_may() -> None:
    (piece,) = pieces(tilings(12, 12, DOMINO))
    used = []
    for memory in (1 << 19, MEMORY):
        states = States(piece, memory)
        assert counted(Remembering(piece, states, by_size=False)) == kasteleyn(12, 12)
        assert states.table.words.nbytes <= memory
        used.append(states.table.state.entries)
    assert FIRST_ENTRIES < used[0] < used[1]


def test_pieces_are_counted_one_by_one() -> None:
    # Three boards, which share no item; their items alternate.
    board = tilings(8, 8, DOMINO)
    options = [
        [3 * (item - 1) + 1 + copy for item in board.members[at : at + 2].tolist()]
        for copy in range(3)
        for at in board.first[:-1]
    ]
    problem = number(3 * 64, 0, options)
    assert len(list(pieces(problem))) == 3
    found = count(problem)
    assert found.found == 12_988_816**3
    assert len(found.kept[0][0]) == 96


def test_a_piece_without_covers_ends_the_count() -> None:
    odd = tilings(9, 9, DOMINO)
    options = [odd.members[at : at + 2].tolist() for at in odd.first[:-1]]
    large = tilings(30, 30, DOMINO)
    options += [[81 + int(item) for item in large.members[at : at + 2]] for at in large.first[:-1]]
    found = last(number(81 + 900, 0, options), timeout=20)
    assert (found.status, found.found, found.kept) == (stops.EXHAUSTED, 0, [])


def test_covers_counted_until_the_time_limit_are_a_lower_bound() -> None:
    tried = (last(tilings(30, 30, DOMINO), timeout=limit) for limit in longer(0.3))
    found = next(one for one in tried if one.found > 10**6)
    assert found.status == stops.TIMED_OUT
    assert len(found.kept[0][0]) == 450


def test_a_count_that_only_the_plain_search_can_end_is_left_to_parts() -> None:
    found = last(queens(15), budget=0.3)
    assert found.status == stops.PAUSED
    assert found.frontier is not None
    assert found.frontier.share < 1
    assert found.setup.pairs_compared > 0


def test_a_count_from_a_table_is_not_left_to_parts() -> None:
    found = last(tilings(12, 12, DOMINO), budget=0.2)
    assert (found.status, found.found) == (stops.EXHAUSTED, kasteleyn(12, 12))


def test_the_order_of_items_is_good_whatever_their_numbers_are() -> None:
    board = tilings(9, 12, DOMINO)
    (given_order,), (found_order,) = pieces(board), pieces(shuffled(board, seed=3))
    ours, theirs = (remembering(piece, by_size=False) for piece in (given_order, found_order))
    assert counted(ours) == counted(theirs)
    assert theirs.nodes < 3 * ours.nodes


def test_options_without_a_primary_item_connect_nothing() -> None:
    problem = number(2, 2, [[1, 3], [2, 4], [3, 4]])
    parts = list(pieces(problem))
    assert [part.options.tolist() for part in parts] == [[0], [1]]
    assert count(problem).found == 1


def test_items_of_a_piece_keep_their_options() -> None:
    chance = random.Random(5)
    options = [chance.sample(range(1, 31), 3) for _ in range(60)]
    problem = number(20, 10, options)
    seen = [k for piece in pieces(problem) for k in piece.options.tolist()]
    assert sorted(seen) == [k for k, option in enumerate(options) if min(option) <= 20]
    assert whole(problem).problem is problem
