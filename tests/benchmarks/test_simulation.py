"""The simulation does all the work of the tree, once, in no less than the least time."""

import pytest

from tests.benchmarks.simulation.model import Machines, Simulation
from tests.benchmarks.simulation.transactions import fixed
from tests.benchmarks.simulation.trees import NEVER, Enlarged, Tree, record
from tests.benchmarks.simulation.walk import time_left, walk
from tests.worker.exact_cover.problems import langford, queens
from worker.exact_cover.parts.frontier import WHOLE, decode
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import in_slices, part_of
from worker.stopwatch import Stopwatch

COSTS = fixed(0.0005, 0.0001, shared=True)
SECONDS = 100.0


@pytest.fixture(scope="module")
def tree() -> Tree:
    return record(langford(8), 50)


@pytest.mark.parametrize("problem", [langford(8), queens(8)])
def test_a_recorded_tree_has_the_search_nodes_of_the_search(problem: Problem) -> None:
    tree = record(problem, 50)
    found = next(found for found in in_slices(problem, watch=Stopwatch(60.0)) if found)
    part = part_of(problem, None, 1, found.setup.pairs_compared, ())
    part.advance(NEVER)
    assert tree.nodes[0] == part.search.state.nodes
    assert tree.leaves > 5


def test_turns_of_parts_take_as_long_as_the_whole_search(tree: Tree) -> None:
    enlarged, waiting, spent = Enlarged(tree, SECONDS), [WHOLE], 0.0
    while waiting:
        levels = decode(waiting.pop().levels)
        walked = walk(enlarged, levels, 1.0)
        spent += walked.seconds
        if walked.frontier:
            left = time_left(enlarged, walked.frontier.levels)
            parts = walked.frontier.split(3)
            assert sum(time_left(enlarged, decode(one.levels)) for one in parts) == (
                pytest.approx(left)
            )
            waiting += parts
    assert spent == pytest.approx(SECONDS)


@pytest.mark.parametrize("processes", [1, 10])
def test_the_processes_are_busy_for_as_long_as_the_search_takes(tree: Tree, processes: int) -> None:
    result = Simulation(Enlarged(tree, SECONDS), Machines(processes, COSTS)).run()
    assert result.busy == pytest.approx(SECONDS)
    assert SECONDS / processes < result.seconds < 1.5 * SECONDS / processes
    assert result.most_open <= result.parts <= result.messages + 1
