"""Proofs as text: of the number of solutions, and of the best score."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache

import numpy as np

from worker.compiling.jit import Table
from worker.proof import check
from worker.proof.branches import MAX_BRANCHES, ProofTooLong, Prover
from worker.proof.check import SYMBOLS, Problem
from worker.proof.multipliers import multipliers
from worker.proof.tables import set_of

#: solutions from which on two orders of branches are tried
MANY = 100
#: per character: the symbol's place in SYMBOLS, or -1 for that of an empty cell
_PLACES = bytes(SYMBOLS.find(chr(code)) % 256 for code in range(256))


def proof_of_number(text: str, solutions: int) -> str:
    """Return a proof that a grid, or a cover problem as JSON, has `solutions` solutions.

    Raises ValueError for a problem that the checker does not take, and ProofTooLong.
    """
    problem, prover, allowed = _prepared(text)
    items = _shortest(prover, allowed, many=solutions >= MANY)
    return _text(text, [f"solutions {solutions}", _trace(problem, items)])


def proof_of_best(text: str, weights: Sequence[int] | None, score: int, solution: str) -> str:
    """Return a proof that no solution scores more than this one; raise as `proof_of_number`.

    Weights are those of a grid, for which they must be given.
    """
    problem, prover, allowed = _prepared(text)
    points, stated = problem.scores, []
    if weights is not None:
        points = [w * value for w in weights for value in range(1, round(len(weights) ** 0.5) + 1)]
        stated = [f"weights {_joined(weights)}"]
    left = prover.root(allowed)
    parts, of_item = multipliers(problem, points, left)
    secondary = len(problem.items) - len(problem.primary)
    of_every_item = np.append(of_item, np.zeros(secondary, np.int64))
    t = prover.tables
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


def warm_up() -> None:
    """Compile the search for proofs, or load it from the cache."""
    proof_of_number("." * 16, 0)


def _shortest(prover: Prover, allowed: Table, *, many: bool) -> list[int]:
    """Return the branches of all covers; if there are many, by the better of two orders."""
    if not many:
        return prover.branches(allowed)
    found = None
    for in_order in (True, False):
        limit = MAX_BRANCHES if found is None else len(found)
        with suppress(ProofTooLong):
            found = prover.branches(allowed, in_order=in_order, limit=limit)
    if found is None:
        raise ProofTooLong(f"its proof has more than {MAX_BRANCHES:,} branches")
    return found


def _prepared(text: str) -> tuple[Problem, Prover, Table]:
    """Return a problem, a prover for it, and which of its options are allowed."""
    if text.startswith("{"):
        problem = check.exact_cover(text)
        return problem, Prover(problem), set_of(problem, problem.allowed)
    problem, prover = _empty_grid(len(text))
    places = np.frombuffer(text.encode().translate(_PLACES), np.int8)
    return problem, prover, _agreeing(round(len(text) ** 0.5)).take(places, 0).ravel()


@lru_cache
def _agreeing(side: int) -> Table:
    """Return which options of a cell agree with each symbol and, in the last row, with none."""
    return np.vstack([np.eye(side, dtype=np.uint32), np.ones((1, side), np.uint32)])


@lru_cache
def _empty_grid(cells: int) -> tuple[Problem, Prover]:
    problem = check.sudoku({"sudoku": "." * cells})
    return problem, Prover(problem)


def _text(text: str, lines: Iterable[str]) -> str:
    name = "cover" if text.startswith("{") else "sudoku"
    proof = "\n".join(["bullseye proof 1", f"{name} {text}", *lines, ""])
    if len(proof.encode()) > check.MAX_TEXT:
        raise ProofTooLong(f"its proof is longer than {check.MAX_TEXT >> 20} MB")
    return proof


def _trace(problem: Problem, items: Iterable[int]) -> str:
    return " ".join(["trace", *map(problem.items.__getitem__, items)])


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
