"""Published numbers of ways in which MacMahon's coloured tiles fit together."""

import pytest

from tests.worker.exact_cover.macmahon import cubes, squares, triangles
from worker.exact_cover.solve import solve
from worker.multiplicity.solve import solve as solve_with_multiplicities

pytestmark = pytest.mark.usefixtures("warm")


def test_eight_of_30_cubes_make_a_larger_one_in_two_ways() -> None:
    # J. H. Conway: the eight are determined, and fit in two ways.
    assert [solve(cubes(model)).found for model in (0, 13, 29)] == [2, 2, 2]


@pytest.mark.soak
def test_24_triangles_fill_a_hexagon_in_11853792_ways() -> None:
    # The Art of Computer Programming 7.2.2.1, answer 126.
    assert solve(triangles()).found == 11_853_792


@pytest.mark.soak
def test_24_squares_fill_a_rectangle_in_as_many_ways_by_both_searches() -> None:
    # 13,328 ways with a border of one colour, each in eight forms: turned and reflected, and with
    # the two other colours exchanged. The count of 1964 that is often quoted, 12,261, is too low.
    problem = squares(4, 6)
    assert solve(problem).found == 8 * 13_328
    found = solve_with_multiplicities(problem, [(1, 1)] * problem.primary).found
    assert found == 8 * 13_328
