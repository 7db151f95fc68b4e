"""Proofs as text: of the number of solutions, and of the best score."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from math import isqrt

import numpy as np

from worker.compiling.numbers import Integers, Table
from worker.exact_cover.costs.dual import new_dual, tighten
from worker.exact_cover.layout import general, links
from worker.exact_cover.problem import Problem
from worker.proof import check
from worker.proof.branches import ProofTooLong, Prover
from worker.proof.check import SYMBOLS
from worker.proof.tables import Tables, set_of

#: solutions from which on two orders of branches are tried
MANY = 100
#: sweeps over all items that improve the multipliers, and their time limit in nanoseconds
SWEEPS, IMPROVING_NS = 200, 10 * 10**9
#: greatest sum of scores whose reduced costs surely fit into 64 bits
MAX_SUM = 2**58
#: per character: the symbol's place in SYMBOLS, or -1 for that of an empty cell
_PLACES = bytes(SYMBOLS.find(chr(code)) % 256 for code in range(256))


def proof_of_number(text: str, solutions: int) -> str:
    """Return a proof that a grid, or a cover problem as JSON, has `solutions` solutions.

    Raises ValueError for a problem that the checker does not take, and ProofTooLong.
    """
    problem, prover, allowed = _prepared(text)
    items = _shortest(prover, allowed) if solutions >= MANY else prover.branches(allowed)
    return _text(text, [f"solutions {solutions}", _trace(problem, items)])


def proof_of_best(text: str, weights: Sequence[int] | None, score: int, solution: str) -> str:
    """Return a proof that no solution scores more than this one; raise as `proof_of_number`.

    Weights are those of a grid, for which they must be given.
    """
    problem, prover, allowed = _prepared(text)
    points, stated, t = problem.scores, [], prover.tables
    if weights is not None:
        points = [w * value for w in weights for value in range(1, isqrt(len(weights)) + 1)]
        stated = [f"weights {_joined(weights)}"]
    parts, of_item = multipliers(t, points, prover.root(allowed))
    secondary = len(problem.items) - len(problem.primary)
    of_every_item = np.append(of_item, np.zeros(secondary, np.int64))
    sums = np.concatenate([[0], np.cumsum(of_every_item[t.items])])
    cost = sums[t.first_item[1:]] - sums[t.first_item[:-1]] - parts * np.array(points)
    budget = int(of_item.sum()) - parts * (score + 1)
    numbers = f"multipliers {parts} {_joined(of_item.tolist())}"
    branches = _trace(problem, prover.branches(allowed, cost, budget))
    return _text(text, [*stated, f"best {score}", f"solution {solution}", numbers, branches])


def proof_of_several(text: str, solutions: Sequence[str]) -> str:
    """Return a proof that a grid, or a cover problem as JSON, has at least these solutions."""
    return _text(text, [f"solutions {len(solutions)} or more", f"solution {' '.join(solutions)}"])


def proof_of_parts(
    text: str, solutions: int, parts: Iterable[tuple[Sequence[int], int, int]]
) -> str:
    """Return the numbers of solutions in the parts of a divided search, to be counted again.

    A part is the options of its path, from 0, its number of solutions and that of search nodes.
    """
    rows = ((found, nodes, *(option + 1 for option in path)) for path, found, nodes in parts)
    return _text(text, [f"solutions {solutions}", *(f"part {_joined(row)}" for row in rows)])


def multipliers(t: Tables, points: Sequence[int], left: Table) -> tuple[int, Integers]:
    """Return the parts of a point, and in these a multiplier for each primary item.

    `points` are the scores of all options, and `left` the options that can still be chosen; items
    that none of them has get 0. None of these options has a negative reduced cost. Raises
    ValueError if scores are too large.
    """
    primary = int(t.primary)
    if primary * max(map(abs, points), default=0) > MAX_SUM:
        raise ValueError("its costs or weights are too large")
    option = np.repeat(np.arange(len(points)), np.diff(t.first_item))
    counts = np.isin(option, left) & (t.items < primary)
    items, scores = t.items[counts], np.array(points, np.int64)[left]
    first = np.unique(option[counts], return_index=True)[1]  # each of `left` has a primary item
    most = np.zeros(primary, np.int64)  # per item: a start that leaves no option a negative cost
    np.maximum.at(most, items[first], scores)
    used, number = np.unique(items, return_inverse=True)
    given = Problem(
        used.size,
        used.size,
        (number + 1).astype(np.uint32),
        np.append(first, items.size).astype(np.uint32),
        np.add.reduceat(most[items], first) - scores,
    )
    parts = given.unit
    found = parts * most
    if used.size:
        tables = general(links(given._replace(cost=given.cost * parts)))
        dual = new_dual(given.items, given.cost.size, given.members.size)
        tighten(tables, dual, SWEEPS, 0.0, IMPROVING_NS)
        found[used] += dual.multiplier[1:]
    return parts, found


def warm_up() -> None:
    """Compile the search for proofs, or load it from the cache."""
    proof_of_number("." * 16, 0)


def _shortest(prover: Prover, allowed: Table) -> list[int]:
    """Return the branches of all covers, by the better of two orders."""
    try:
        in_order = prover.branches(allowed, in_order=True)
    except ProofTooLong:
        return prover.branches(allowed)
    with suppress(ProofTooLong):
        return prover.branches(allowed, limit=len(in_order))
    return in_order


def _prepared(text: str) -> tuple[check.Problem, Prover, Table]:
    """Return a problem, a prover for it, and which of its options are allowed."""
    if text.startswith("{"):
        problem = check.exact_cover(text)
        return problem, Prover(problem), set_of(problem, problem.allowed)
    problem, prover = _empty_grid(len(text))
    places = np.frombuffer(text.encode().translate(_PLACES), np.int8)
    return problem, prover, _agreeing(isqrt(len(text))).take(places, 0).ravel()


@lru_cache
def _agreeing(side: int) -> Table:
    """Return which options of a cell agree with each symbol and, in the last row, with none."""
    return np.vstack([np.eye(side, dtype=np.uint32), np.ones((1, side), np.uint32)])


@lru_cache
def _empty_grid(cells: int) -> tuple[check.Problem, Prover]:
    problem = check.sudoku({"sudoku": "." * cells})
    return problem, Prover(problem)


def _text(text: str, lines: Iterable[str]) -> str:
    name = "cover" if text.startswith("{") else "sudoku"
    proof = "\n".join(["bullseye proof 1", f"{name} {text}", *lines, ""])
    if len(proof.encode()) > check.MAX_TEXT:
        raise ProofTooLong(f"its proof is longer than {check.MAX_TEXT >> 20} MB")
    return proof


def _trace(problem: check.Problem, items: Iterable[int]) -> str:
    return " ".join(["trace", *map(problem.items.__getitem__, items)])


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
