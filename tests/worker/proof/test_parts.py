"""Parts of a divided search are accepted if they are those of the search, and their counts true."""

import gzip
import json
import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems
from tests.worker.exact_cover.parts.test_parts import part_search
from tests.worker.exact_cover.problems import langford, queens
from tests.worker.proof.oracle import refused, ways
from worker.exact_cover.parts.frontier import WHOLE
from worker.exact_cover.problem import Problem, number
from worker.proof.branches import count
from worker.proof.check import Problem as Stated
from worker.proof.check import WrongProof, check, cover, covers, main
from worker.proof.write import proof_of_parts

pytestmark = pytest.mark.usefixtures("warm", "warm_proofs")

ROOT = Path(__file__).parents[3]
COUNTERS = [covers, count]


class Part(NamedTuple):
    """A part as `proof_of_parts` takes it."""

    path: tuple[int, ...]
    solutions: int
    nodes: int


def divided(problem: Problem, seed: int) -> list[Part]:
    """Search a problem in parts that are divided at random."""
    chance, waiting = random.Random(seed), [WHOLE]
    counts: dict[tuple[int, ...], Part] = {(): Part((), 0, 0)}
    while waiting:
        one = waiting.pop(chance.randrange(len(waiting)))
        search = part_search(problem, one.levels)
        for _ in range(chance.randint(1, 20)):
            search.advance(0)
        if left := search.frontier():
            first, *others = left.split(chance.randint(1, 6))
            waiting += [first._replace(path=one.path), *others]
        _, solutions, nodes = counts.get(one.path, Part(one.path, 0, 0))
        state = search.search.state
        counts[one.path] = Part(one.path, solutions + int(state.found), nodes + int(state.nodes))
    return list(counts.values())


def options_of(problem: Problem) -> list[list[int]]:
    return [
        problem.members[start:end].tolist()
        for start, end in zip(problem.first[:-1], problem.first[1:], strict=True)
    ]


def text_of(problem: Problem) -> str:
    items, options = problem.primary, options_of(problem)
    return json.dumps({"items": items, "secondary": problem.items - items, "options": options})


def proof_of(problem: Problem, parts: Sequence[Part]) -> str:
    return proof_of_parts(text_of(problem), sum(part.solutions for part in parts), parts)


@cache
def covers_of(text: str) -> list[list[int]]:
    return list(ways(cover(text)))


def true_of(problem: Problem, parts: Sequence[Part]) -> bool:
    """Whether each part has its number of solutions, by brute force."""
    found = covers_of(text_of(problem))
    paths = [part.path for part in parts]
    return all(
        part.solutions
        == sum(
            set(part.path) <= set(cover)
            and not any(
                path != part.path
                and path[: len(part.path)] == part.path
                and set(path) <= set(cover)
                for path in paths
            )
            for cover in found
        )
        for part in parts
    )


@settings(max_examples=40)
@given(problems(), st.integers(0, 10**6), st.sampled_from(COUNTERS))
def test_the_parts_of_any_search_are_accepted(
    drawn: tuple[int, int, list[list[int]], list[int]],
    seed: int,
    counter: Callable[[Stated, int], int],
) -> None:
    problem = number(*drawn[:3])
    parts = divided(problem, seed)
    assert true_of(problem, parts)
    assert check(proof_of(problem, parts), counter=counter).startswith("proven: ")


@pytest.mark.parametrize("problem", [queens(6), langford(7)])
@settings(max_examples=5)
@given(st.integers(0, 10**6), st.data())
def test_a_part_that_is_missing_doubled_or_altered_is_refused(
    problem: Problem, seed: int, data: st.DataObject
) -> None:
    parts = divided(problem, seed)
    total = sum(part.solutions for part in parts)
    text = text_of(problem)
    assert check(proof_of_parts(text, total, parts)) == f"proven: {total} solutions"
    at = data.draw(st.integers(0, len(parts) - 1))
    part = parts[at]
    path = [*part.path, 0]
    path[data.draw(st.integers(0, len(part.path)))] = data.draw(st.integers(0, problem.cost.size))
    shorter = path[: data.draw(st.integers(0, len(path)))]
    fewer = [*parts[:at], *parts[at + 1 :]]
    moved = [
        part._replace(solutions=part.solutions + 1),
        parts[at - 1]._replace(solutions=parts[at - 1].solutions - 1),
    ]
    for edited in (
        fewer,
        [*parts, part],
        [*fewer, part._replace(solutions=part.solutions + 1)],
        [*fewer, part._replace(path=tuple(path))],
        [*fewer, part._replace(path=tuple(shorter))],
        [*(one for one in parts if one not in (part, parts[at - 1])), *moved],
    ):
        for claimed in (total, sum(one.solutions for one in edited)):
            proof = proof_of_parts(text, claimed, edited)
            assert refused(proof) or (claimed == total and true_of(problem, edited))


def test_a_sample_of_the_parts_is_counted_again() -> None:
    parts = divided(langford(7), 1)
    proof = proof_of(langford(7), parts)
    assert (
        check(proof, sample=2, seed=1)
        == f"52 solutions in {len(parts)} parts, 2 of them counted again"
    )
    wrong = [parts[0]._replace(solutions=parts[0].solutions + 1), *parts[1:-1]]
    wrong.append(parts[-1]._replace(solutions=parts[-1].solutions - 1))
    assert "0 of them counted" in check(proof_of(langford(7), wrong), sample=0)
    with pytest.raises(WrongProof, match=r"part \(.*\) has \d+ solutions, not"):
        check(proof_of(langford(7), wrong))


@pytest.mark.parametrize("counter", COUNTERS)
def test_the_count_stops_when_its_time_is_over(counter: Callable[[Stated, int], int]) -> None:
    proof = proof_of(queens(12), [Part((), 14200, 1)])
    shown = "14200 solutions in 1 parts, 0 of them counted again"
    assert check(proof, counting=0.0, counter=counter) == shown


def test_the_parts_in_the_documentation_are_accepted() -> None:
    page = (ROOT / "docs" / "proofs.md").read_text()
    proof = page.split("```text\n")[-1]
    assert check(proof[: proof.index("```")]) == "proven: 288 solutions"


def test_a_compressed_proof_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof, file = proof_of(queens(6), divided(queens(6), 1)), tmp_path / "queens.proof.gz"
    file.write_bytes(gzip.compress(proof.encode()))
    assert main([str(file)]) == 0
    file.write_bytes(gzip.compress(proof.encode())[:-9])
    assert main([str(file)]) == 65
    shown = capsys.readouterr()
    assert shown.out == f"{file}: proven: 4 solutions\n"
    assert shown.err.startswith(f"{file}: not proven: its compressed data ends too early")
