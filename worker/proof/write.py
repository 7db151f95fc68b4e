"""Proofs as text: of the number of solutions, and of the best score."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from math import gcd, isqrt

import numpy as np

from worker.compiling.numbers import Table
from worker.proof import check
from worker.proof.branches import ProofTooLong, Prover
from worker.proof.check import SYMBOLS
from worker.proof.guide import Guide
from worker.proof.tables import set_of

#: solutions from which on two orders of branches are tried
MANY = 100
#: seconds for the branches of a proof
LONGEST_SECONDS = 120
#: greatest sum of scores whose reduced costs surely fit into 64 bits
MAX_SUM = 2**57
#: per character: the symbol's place in SYMBOLS, or -1 for that of an empty cell
_PLACES = bytes(SYMBOLS.find(chr(code)) % 256 for code in range(256))


def proof_of_number(text: str, solutions: int, at_most: int | None = None) -> str:
    """Return a proof that a problem has `solutions` solutions, which cost no more than `at_most`.

    A problem is a grid, or a cover problem as JSON. Raises ValueError for one that the checker does
    not take, and ProofTooLong.
    """
    claim = f"solutions {solutions}"
    if not text.startswith("{"):
        return _text(text, [claim, _branches(*_grid(text), solutions)])
    problem = _read(text)
    if at_most is not None:
        return _text(text, [f"at_most {at_most}", claim, *_guided(problem, at_most)])
    if problem.is_exact:
        allowed = set_of(problem, problem.allowed)
        return _text(text, [claim, _branches(problem, Prover(problem), allowed, solutions)])
    if solutions == 0:
        return _text(text, [claim, *_guided(problem, None)])
    search = check.Search(problem)
    search.ask = transcript = Transcript(search.fewest)
    with _in_time():
        search.covers(problem.allowed)
    return _text(text, [claim, transcript.trace])


def proof_of_best(text: str, weights: Sequence[int] | None, score: int, solution: str) -> str:
    """Return a proof that no solution scores more than this one; raise as `proof_of_number`.

    Weights are those of a grid, for which they must be given.
    """
    problem = _read(text, weights)
    step = gcd(*problem.scores) or 1
    stated = [] if weights is None else [f"weights {_joined(weights)}"]
    stated += [f"best {score}", *[f"step {step}"] * (step > 1), f"solution {solution}"]
    return _text(text, [*stated, *_guided(problem, -score - step)])


def proof_of_several(text: str, solutions: Sequence[str], at_most: int | None = None) -> str:
    """Return a proof that a problem has at least these solutions, which cost up to `at_most`."""
    stated = [] if at_most is None else [f"at_most {at_most}"]
    stated += [f"solutions {len(solutions)} or more", f"solution {' '.join(solutions)}"]
    return _text(text, stated)


def proof_of_parts(
    text: str, solutions: int, parts: Iterable[tuple[Sequence[int], int, int]]
) -> str:
    """Return the numbers of solutions in the parts of a divided search, to be counted again.

    A part is the options of its path, from 0, its number of solutions and that of search nodes.
    """
    rows = ((found, nodes, *(option + 1 for option in path)) for path, found, nodes in parts)
    return _text(text, [f"solutions {solutions}", *(f"part {_joined(row)}" for row in rows)])


class Transcript:
    """Writes down what another function answers to a search of the checker."""

    def __init__(self, ask: Callable[[check.State], str]) -> None:
        self._ask = ask
        self._names: list[str] = []
        self._length = 0

    def __call__(self, state: check.State) -> str:
        """Return the next name; raise ProofTooLong."""
        name = self._ask(state)
        self._names.append(name)
        self._length += len(name) + 1
        if self._length > check.MAX_TEXT:
            raise ProofTooLong(f"its proof is longer than {check.MAX_TEXT >> 20} MB")
        return name

    @property
    def trace(self) -> str:
        """All names, as a line of the proof."""
        return " ".join(["trace", *self._names])


def warm_up() -> None:
    """Compile the search for proofs, or load it from the cache."""
    proof_of_number("." * 16, 0)
    proof_of_number('{"items":3,"options":[[1,2],[2,3],[3,1]],"set_cover":true}', 3, at_most=2)


def _guided(problem: check.Problem, budget: int | None) -> list[str]:
    """Return the multipliers and branches of all covers that cost no more than a budget.

    Without one, no option has a cost, and the problem has no cover.
    """
    if sum(map(abs, problem.scores)) > MAX_SUM:
        raise ValueError("its costs or weights are too large")
    with _in_time():
        try:
            guide = Guide(problem, budget)
        except check.NoCover:
            return ["multipliers 1", "trace"]
        transcript, parts = Transcript(guide), guide.parts
        cost = None if budget is None else [-parts * score for score in problem.scores]
        search = check.Search(problem, transcript, cost, parts * (budget or 0))
        search.covers(problem.allowed, guide.multipliers)
    return [f"multipliers {parts} {_joined(guide.multipliers.values())}", transcript.trace]


@contextmanager
def _in_time() -> Iterator[None]:
    try:
        yield
    except TimeoutError:
        raise ProofTooLong(f"finding it takes more than {LONGEST_SECONDS} s") from None


def _branches(problem: check.Problem, prover: Prover, allowed: Table, solutions: int) -> str:
    """Return the branches of all exact covers as a line of the proof."""
    items = _shortest(prover, allowed) if solutions >= MANY else prover.branches(allowed)
    return " ".join(["trace", *map(problem.items.__getitem__, items)])


def _shortest(prover: Prover, allowed: Table) -> list[int]:
    """Return the branches of all covers, by the better of two orders."""
    try:
        in_order = prover.branches(allowed, in_order=True)
    except ProofTooLong:
        return prover.branches(allowed)
    with suppress(ProofTooLong):
        return prover.branches(allowed, limit=len(in_order))
    return in_order


def _read(text: str, weights: Sequence[int] | None = None) -> check.Problem:
    """Return a problem as the checker reads it, to be searched for as long as a proof may take."""
    deadline = time.monotonic() + LONGEST_SECONDS
    if text.startswith("{"):
        return check.cover(text, deadline)
    given = {"sudoku": text} if weights is None else {"sudoku": text, "weights": _joined(weights)}
    return check.sudoku(given, deadline)


def _grid(text: str) -> tuple[check.Problem, Prover, Table]:
    """Return the empty grid, a prover for it, and which of its options agree with a grid."""
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


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
