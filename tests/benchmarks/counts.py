"""Counts of covers: from a table of states where it pays, and what a count costs where not."""

import importlib
import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.race import Solver, race
from tests.worker.counting.tilings import DOMINO, TETROMINOES, TROMINOES, shuffled, tilings
from tests.worker.exact_cover.problems import langford, pentominoes, queens
from worker.counting.count import count
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import solve

#: problems with many covers and few states
FEW_STATES: Mapping[str, Problem] = {
    "dominoes 8x8": tilings(8, 8, DOMINO),
    "dominoes 12x12": tilings(12, 12, DOMINO),
    "dominoes 16x16": tilings(16, 16, DOMINO),
    "trominoes 9x12": tilings(9, 12, TROMINOES),
    "the same, items shuffled": shuffled(tilings(9, 12, TROMINOES), seed=1),
    "one-sided tetrominoes 8x8": tilings(8, 8, TETROMINOES),
}
#: problems whose covers are visited in seconds
FEW_COVERS: Mapping[str, Problem] = {
    "9 queens": queens(9),
    "10 queens": queens(10),
    "11 queens": queens(11),
    "12 queens": queens(12),
    "Langford's pairs, 8": langford(8),
    "Langford's pairs, 11": langford(11),
    "3x20 pentominoes": pentominoes(3, 20, whole=True),
    "6x10 pentominoes, a quarter": pentominoes(6, 10),
}
#: problems that other packages count in seconds
FOR_PEERS: Mapping[str, Problem] = {
    "dominoes 8x8": tilings(8, 8, DOMINO),
    "trominoes 6x9": tilings(6, 9, TROMINOES),
    "Langford's pairs, 8": langford(8),
    "3x20 pentominoes": pentominoes(3, 20, whole=True),
}


def tables(_data: Path | None, rounds: int) -> Iterator[str]:
    """Yield CPU times of counts, and the ratios to visiting each cover and to other packages."""
    yield "| counted from a table | covers | s | nodes |"
    yield "|---|---|---|---|"
    for name, problem in FEW_STATES.items():
        ratio = race({"ours": _count(problem)}, [name], rounds)["ours"]
        found = count(problem)
        yield f"| {name} | {found.found:,} | {ratio.seconds:.3f} | {found.nodes:,} |"
    yield ""
    yield "| counted by visiting each | covers | s | ratio of a count |"
    yield "|---|---|---|---|"
    for name, problem in FEW_COVERS.items():
        solvers = {"visit": _visit(problem), "count": _count(problem)}
        ratios = race(solvers, [name], rounds)
        covers = solve(problem).found
        yield f"| {name} | {covers:,} | {ratios['visit'].seconds:.4f} | {ratios['count']} |"
    yield from _peers(rounds)


def _peers(rounds: int) -> Iterator[str]:
    """Yield the times of other packages; `xcover` identifies states by 32 bits, and miscounts."""
    peers = {name: make for name, make in PEERS.items() if importlib.util.find_spec(name)}
    if not peers:
        return
    yield ""
    yield " | ".join(["| times as long as Bullseye", *(f"`{name}`" for name in peers)]) + " |"
    yield "|---|" + "---|" * len(peers)
    for name, problem in FOR_PEERS.items():
        cells = [_peer(name, problem, peer, min(rounds, PEER_ROUNDS)) for peer in peers]
        yield f"| {name} | {' | '.join(cells)} |"


def _peer(name: str, problem: Problem, peer: str, rounds: int) -> str:
    if (name, peer) in TOO_SLOW:
        return "more than 40 s"
    solve_it, expected = PEERS[peer](importlib.import_module(peer), problem), count(problem).found
    found = solve_it(())
    ratio = race({"ours": _timed(_count(problem)), "peer": _timed(solve_it)}, [name], rounds)
    miscounted = "" if found == expected else f", counts {found:,} instead of {expected:,}"
    return f"{ratio['peer']}{miscounted}"


def _timed(solver: Solver) -> Solver:
    """The same solver, whose results are not compared."""
    return lambda puzzles: 0 * solver(puzzles)


def _count(problem: Problem) -> Solver:
    return lambda _: count(problem).found


def _visit(problem: Problem) -> Solver:
    return lambda _: solve(problem).found


def _matrix(problem: Problem) -> NDArray[np.bool_]:
    """A row per option, a column per item; no item is secondary."""
    first = problem.first.tolist()
    matrix = np.zeros((len(first) - 1, problem.items), np.bool_)
    for k in range(len(first) - 1):
        matrix[k, problem.members[first[k] : first[k + 1]] - 1] = True
    return matrix


def _zdd(peer: Any, problem: Problem) -> Solver:
    """The covers of the decision diagram that `xcover` builds, counted from its nodes."""
    matrix = _matrix(problem)

    def covers(_: object) -> int:
        below, last = {0: 0, 1: 1}, 0
        for node, _option, low, high in peer.covers_bool_zdd(matrix, use_memo_cache=True):
            below[node] = below[low] + below[high]
            last = node
        return below[last]

    return covers


def _visited(peer: Any, problem: Problem) -> Solver:
    """The covers that `exact_cover` visits to count them."""
    matrix = _matrix(problem).astype(np.int32)
    return lambda _: int(peer.get_solution_count(matrix))


#: package -> how it counts
PEERS = {"xcover": _zdd, "exact_cover": _visited}
PEER_ROUNDS = 2
#: what takes more than 40 seconds
TOO_SLOW = {("trominoes 6x9", "exact_cover")}
