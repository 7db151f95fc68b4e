"""Counts covers again for the checker of proofs: compiled, and without the solver."""

from functools import lru_cache

from worker.proof.branches import Prover
from worker.proof.check import Problem
from worker.proof.tables import set_of


def count(problem: Problem, options: int) -> int:
    """Return the number of covers by these options; raise TimeoutError after the deadline."""
    return _prover(problem).count(set_of(problem, options), problem.deadline)


@lru_cache(1)
def _prover(problem: Problem) -> Prover:
    return Prover(problem)
