"""The sizes of proofs, and the CPU times to make and to check them."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from storage.values import Kind
from tests.benchmarks import ours
from tests.benchmarks.collections import collections, table
from tests.benchmarks.league import problems
from worker.options import Options
from worker.outcome import Outcome
from worker.proof.check import check
from worker.proof.write import proof_of_best, proof_of_number
from worker.solve import search
from worker.sudoku.symbols import ring_weights

#: proofs of each collection that are checked, per round
CHECKED = 20
#: published covers whose cheapest cover is proven
COVERS = ("scp41", "scp61", "scpa1", "scpd1", "sppkl01", "sppnw18", "sppus02")
#: puzzles of each collection
MOST = 100_000
TARGET = Options(target=True)


class Proof(NamedTuple):
    """A proof and what it took, in seconds of CPU time."""

    text: str
    solving: float
    making: float


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a table of the proofs of each collection, and of target sudokus."""
    yield "| puzzles | number | median B | longest B | solved in | made in | ratio | checked in |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, puzzles in collections(data, MOST):
        _unique(puzzles[:100])  # compiles
        yield _row(name, _unique(puzzles), rounds)
    targets = [row["puzzle"] for row in table(data, "target-known-best.csv")]
    if targets:
        _best(targets[0])
        yield _row("targets", [_best(grid) for grid in targets if grid != "." * 81], rounds)
    yield _row("empty target", [_best("." * 81)], rounds)
    if data is not None and (data / "league").is_dir():
        found = [(name, text) for name, text in problems(data / "league") if name in COVERS]
        _cheapest(found[0][1])
        yield from (_row(name, [_cheapest(text)], rounds) for name, text in found)


def _unique(puzzles: list[str]) -> list[Proof]:
    """Return the proofs of unique sudokus; each gets its share of the time to solve them all."""
    began = time.thread_time()
    found = [row for some in search(Kind.SUDOKU, puzzles, Options()) for row in some.rows()]
    share = (time.thread_time() - began) / len(puzzles)
    return [_made(puzzle, row, share) for puzzle, row in zip(puzzles, found, strict=True)]


def _best(grid: str) -> Proof:
    began = time.thread_time()
    (found,) = (row for some in search(Kind.SUDOKU, [grid], TARGET) for row in some.rows())
    return _made(grid, found, time.thread_time() - began)


def _cheapest(text: str) -> Proof:
    began = time.thread_time()
    (found,) = ours.outcomes([text], TARGET)
    solving = time.thread_time() - began
    began = time.thread_time()
    proof = proof_of_best(text, None, found.kept[0].score or 0, found.kept[0].text)
    return Proof(proof, solving, time.thread_time() - began)


def _made(puzzle: str, found: Outcome, solving: float) -> Proof:
    began = time.thread_time()
    if found.bound is None:
        text = proof_of_number(puzzle, found.solutions or 0)
    else:
        text = proof_of_best(puzzle, ring_weights(9), found.bound, found.kept[0].text)
    return Proof(text, solving, time.thread_time() - began)


def _row(name: str, proofs: list[Proof], rounds: int) -> str:
    sizes = [len(proof.text) for proof in proofs]
    solving, making = (
        mean(times) for times in ([p.solving for p in proofs], [p.making for p in proofs])
    )
    some = proofs[:: max(1, len(proofs) // (CHECKED * rounds))]
    checking = median(_time_of(check, proof.text) for proof in some)
    return (
        f"| {name} | {len(proofs):,} | {median(sizes):,.0f} | {max(sizes):,} | {_ms(solving)} "
        f"| {_ms(making)} | {making / solving:.1f} | {_ms(checking)} |"
    )


def _time_of(function: Callable[[str], str], text: str) -> float:
    began = time.thread_time()
    function(text)
    return time.thread_time() - began


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms"
