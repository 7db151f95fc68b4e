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

#: solutions from which on two orders of branches are tried
MANY = 100
#: the symbol of an empty cell, and those of the values
_VALUES = bytes(SYMBOLS.find(chr(code)) % 256 for code in range(256))
_EMPTY = 255


def proof_of_number(text: str, solutions: int) -> str:
    """Return a proof that a grid, or a cover problem as JSON, has so many solutions.

    Raises ValueError for a problem that the checker does not take, and ProofTooLong.
    """
    problem, prover, allowed = _prepared(text)
    items = _shortest(prover, allowed, many=solutions >= MANY)
    return _text(text, [f"solutions {solutions}"], (problem.items[item] for item in items))


def proof_of_best(text: str, weights: Sequence[int] | None, score: int, solution: str) -> str:
    """Return a proof that no solution scores more than this one; raise as `proof_of_number`.

    Weights are those of a grid, for which they must be given.
    """
    problem, prover, allowed = _prepared(text)
    stated = []
    if weights is not None:
        points = [w * value for w in weights for value in range(1, round(len(weights) ** 0.5) + 1)]
        problem, stated = problem._replace(scores=points), [f"weights {_joined(weights)}"]
    _, left = prover.root(allowed)
    parts, of_item = multipliers(problem, left)
    of_every_item = np.append(of_item, np.zeros(len(problem.items) - problem.primary, np.int64))
    t = prover.tables
    sums = np.concatenate([[0], np.cumsum(of_every_item[t.items])])
    cost = sums[t.first_item[1:]] - sums[t.first_item[:-1]] - parts * np.array(problem.scores)
    budget = int(of_item.sum()) - parts * (score + 1)
    names = (problem.items[item] for item in prover.branches(allowed, cost, budget))
    numbers = f"multipliers {parts} {_joined(of_item.tolist())}"
    return _text(text, [*stated, f"best {score}", f"solution {solution}", numbers], names)


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
        return (
            problem,
            Prover(problem),
            np.array([bool(some) for some in problem.options], np.uint32),
        )
    problem, prover = _empty_grid(len(text))
    values = np.frombuffer(text.encode().translate(_VALUES), np.uint8)
    side = round(len(text) ** 0.5)
    is_open = (values == _EMPTY)[:, None]
    allowed = is_open | (values[:, None] == np.arange(side, dtype=np.uint8))
    return problem, prover, allowed.astype(np.uint32).ravel()


@lru_cache
def _empty_grid(cells: int) -> tuple[Problem, Prover]:
    problem = check.sudoku({"sudoku": "." * cells})
    return problem, Prover(problem)


def _text(text: str, claim: Sequence[str], branches: Iterable[str]) -> str:
    name = "cover" if text.startswith("{") else "sudoku"
    lines = ["bullseye proof 1", f"{name} {text}", *claim, " ".join(["trace", *branches])]
    return "\n".join([*lines, ""])


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
