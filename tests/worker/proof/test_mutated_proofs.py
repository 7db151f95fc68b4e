"""Mutations of real proofs are refused, or what they claim is true; and none takes long."""

import random
import re
import time
from collections.abc import Callable
from functools import cache

import pytest

from tests.worker.exact_cover.problems import queens
from tests.worker.proof.oracle import true_of
from tests.worker.proof.test_covers import proofs_of_covers
from tests.worker.proof.test_parts import divided, proof_of
from tests.worker.proof.test_proofs import proofs
from tests.worker.solving import one
from worker.options import Options
from worker.proof.branches import count
from worker.proof.check import WrongProof, check
from worker.proof.write import proof_of_best, proof_of_number
from worker.sudoku.symbols import ring_weights

pytestmark = [pytest.mark.attack, pytest.mark.usefixtures("warm", "warm_proofs")]

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
TARGET = "." * 40 + "9" + "." * 40
NUMBERS = ["0", "-1", "99999999999", "1", "2", "", "1e9", "0_0", "+1", "9" * 5000, "[1]", "null"]
WORDS = ["part 0 1", "trace", "solution 1", "solutions 1 or more", "weights 1", "best 1", "\x1b[2K"]
WORDS += ["at_most 3", "step 2", "step -1", "multipliers 1", "trace x1 1:5,2:-3 x2"]
#: seconds that a check may take, and what a busy machine adds
LIMIT, GRACE = 2.0, 8.0


@cache
def real() -> list[str]:
    """Proofs of all kinds."""
    best = one(TARGET, Options(target=True))
    assert best.bound is not None
    return [
        *proofs(),
        *proofs_of_covers(),
        proof_of_number(HARD, 1),
        proof_of_best(TARGET, ring_weights(9), best.bound, best.kept[0].text),
        proof_of(queens(6), divided(queens(6), 1)),
        proof_of(queens(5), divided(queens(5), 2)),
    ]


def mutated(chance: random.Random) -> str:
    """A proof with one to three edits: of bytes, slices, numbers, words or lines."""
    proof = chance.choice(real())
    for _ in range(chance.randint(1, 3)):
        proof = chance.choice(EDITS)(chance, proof) or "\n"
    return proof


def byte(chance: random.Random, proof: str) -> str:
    at = chance.randrange(len(proof))
    return proof[:at] + chr(chance.choice([*range(10, 127), 233])) + proof[at + 1 :]


def removed(chance: random.Random, proof: str) -> str:
    start, end = bounds(chance, proof)
    return proof[:start] + proof[end:]


def doubled(chance: random.Random, proof: str) -> str:
    start, end = bounds(chance, proof)
    return proof[:end] + proof[start:]


def renumbered(chance: random.Random, proof: str) -> str:
    found = list(re.finditer("[0-9]+", proof))
    if not found:
        return proof
    start, end = chance.choice(found).span()
    near = [str(int(proof[start:end][:9]) + step) for step in (-1, 1)]
    return proof[:start] + chance.choice([*NUMBERS, *near]) + proof[end:]


def spliced(chance: random.Random, proof: str) -> str:
    """The proof with a line of another one in place of a line, or before it."""
    others = chance.choice([WORDS, real()])
    lines, other = proof.split("\n"), chance.choice(chance.choice(others).split("\n"))
    at = chance.randrange(len(lines))
    lines[at : at + chance.randint(0, 1)] = [other]
    return "\n".join(lines)


def bounds(chance: random.Random, proof: str) -> tuple[int, int]:
    start = chance.randrange(len(proof))
    return start, min(len(proof), start + chance.choice([1, 2, 10, 100]))


EDITS: list[Callable[[random.Random, str], str]] = [byte, removed, doubled, renumbered, spliced]


def is_true(proof: str) -> bool:
    """Whether the claim is true, by brute force or, for large grids, by the solver."""
    lines = {key: value for key, _, value in (line.partition(" ") for line in proof.split("\n"))}
    if len(grid := lines.get("sudoku", "")) < 81:
        return true_of(proof)
    if "best" in lines:
        weights = tuple(map(int, lines["weights"].split()))
        return one(grid, Options(target=True, weights=weights)).bound == int(lines["best"])
    number, *or_more = lines["solutions"].split()
    found = one(grid, Options(limit=int(number) + 1)).solutions or 0
    return found >= int(number) if or_more else found == int(number)


def assert_safe(seed: int, mutations: int) -> int:
    """Check so many mutations; return how many were accepted."""
    chance, accepted = random.Random(seed), 0
    for number in range(mutations):
        proof = mutated(chance)
        counter = {"counter": count} if chance.random() < 0.1 else {}
        began = time.monotonic()
        try:
            proven = check(proof, seconds=LIMIT, **counter)
        except (WrongProof, ValueError):
            continue
        finally:
            assert time.monotonic() - began < LIMIT + GRACE, (number, proof)
        accepted += 1
        assert "counted again" in proven or is_true(proof), (number, proof)
    return accepted


def test_no_mutation_of_a_proof_proves_what_is_false() -> None:
    assert_safe(seed=1, mutations=300)


@pytest.mark.soak
def test_20000_mutations_of_proofs_prove_nothing_that_is_false() -> None:
    assert 0 < assert_safe(seed=2, mutations=20_000) < 10_000
