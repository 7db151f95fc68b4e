"""Set covers: the proof of the best, compared with plain h(), OR-tools' CP-SAT and HiGHS."""

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from tests.benchmarks import mip
from tests.benchmarks.mip import Proof, installed
from tests.benchmarks.race import Disagreement
from tests.worker.set_cover.oracle import grid, queens
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNLIMITED
from worker.set_cover.layout import numbers_of
from worker.set_cover.solve import cheapest, warm_up
from worker.set_cover.strategy import DEFAULT, Strategy
from worker.stopwatch import Stopwatch

#: the time limit of each solver for a problem, in seconds
SECONDS = 5.0
#: what takes at most so many times the least time counts as fastest, too
NEARLY = 1.05
#: a solver solves a problem again until it took so many seconds
REPEATED_SECONDS = 0.05
#: items, options, share of the items in an option, in the style of the OR-Library
SIZES = ((50, 500, 0.2), (50, 500, 0.1), (100, 500, 0.05), (200, 1000, 0.02), (200, 1000, 0.05))


#: a solver of set covers
Solver = Callable[[Problem], Proof]


def tables(_data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a table with the time to each proof, the ratios of all and how often each is first."""
    others = {name: _of(solve) for name, solve in installed().items()}
    solvers = {"Bullseye": ours, "plain h()": plain, **others}
    warm_up()
    yield f"| set cover | cost | {' | '.join(solvers)} | nodes | nodes of plain h() |"
    yield "|---" * (len(solvers) + 4) + "|"
    ratios: dict[str, list[float]] = {name: [] for name in solvers}
    first, proven = dict.fromkeys(solvers, 0), 0
    for name, problem in problems().items():
        turns = [
            {key: repeated(solve, problem) for key, solve in solvers.items()} for _ in range(rounds)
        ]
        best = {
            key: min((turn[key] for turn in turns), key=lambda one: one.seconds) for key in solvers
        }
        costs = {proof.cost for proof in best.values() if proof.proven}
        if len(costs) > 1:
            raise Disagreement(f"the cost of {name}: {costs}")
        mine = best["Bullseye"]
        fastest = min((proof.seconds for proof in best.values() if proof.proven), default=0.0)
        proven += bool(costs)
        for key, proof in best.items():
            ratios[key].append(proof.seconds / mine.seconds)
            first[key] += proof.proven and proof.seconds <= fastest * NEARLY
        nodes = f"{mine.nodes:,} | {best['plain h()'].nodes:,}"
        yield f"| {name} | {mine.cost} | {' | '.join(map(str, best.values()))} | {nodes} |"
    means = [f"{math.exp(np.mean(np.log(ratio))):.1f} x" for ratio in ratios.values()]
    yield f"| geometric mean | | {' | '.join(means)} | | |"
    yield f"| fastest, of {proven} | | {' | '.join(map(str, first.values()))} | | |"


def _of(solve: mip.Solver) -> Solver:
    return lambda problem: solve(problem, *numbers_of(problem, None), SECONDS)


def repeated(solve: Solver, problem: Problem) -> Proof:
    """The fastest of as many proofs as take REPEATED_SECONDS; the first finds cold caches."""
    best = solve(problem)
    spent = best.seconds
    while spent < REPEATED_SECONDS:
        proof = solve(problem)
        spent += proof.seconds
        best = min(best, proof, key=lambda one: one.seconds)
    return best


def problems() -> Mapping[str, Problem]:
    """Random problems with costs of 1 and of 1 to 100, queens on boards, and grid graphs."""
    found = {}
    for items, options, density in SIZES:
        for most in (1, 100):
            costs = "costs 1" if most == 1 else "costs 1 to 100"
            found[f"{items}x{options}, {density:.0%}, {costs}"] = scattered(
                items, options, density, most
            )
    for side in range(5, 12):
        found[f"queens dominate {side}x{side}"] = _unit(queens(side))
    for rows, columns in ((7, 7), (8, 8), (9, 9), (10, 10), (6, 14)):
        found[f"dominating set of a {rows}x{columns} grid"] = _unit(grid(rows, columns))
    return found


def scattered(items: int, options: int, density: float, most: int, seed: int = 1) -> Problem:
    """A random problem: every item in two options or more, every option with an item or more."""
    chance = random.Random(seed)
    chosen: list[set[int]] = [set() for _ in range(options)]
    for item in range(1, items + 1):
        for at in chance.sample(range(options), 2):
            chosen[at].add(item)
    for option in chosen:
        option.add(chance.randint(1, items))
    left = round(items * options * density) - sum(map(len, chosen))
    while left > 0:
        option, item = chance.choice(chosen), chance.randint(1, items)
        left -= item not in option
        option.add(item)
    costs = [chance.randint(1, most) for _ in chosen]
    return number(items, 0, [sorted(option) for option in chosen], costs)


def _unit(options: list[list[int]]) -> Problem:
    return number(len(options), 0, options, [1] * len(options))


def ours(problem: Problem, strategy: Strategy = DEFAULT) -> Proof:
    """Our search, the layout of its tables included."""
    began = time.process_time()
    result = _last(problem, strategy)
    seconds = time.process_time() - began
    cost = result.kept[0][1] if result.kept else None
    return Proof(cost, result.status == stops.EXHAUSTED, seconds, result.nodes)


def _last(problem: Problem, strategy: Strategy) -> Found:
    results = cheapest(problem, strategy=strategy, watch=Stopwatch(SECONDS))
    return next(result for result in results if result)


def plain(problem: Problem) -> Proof:
    """Dancing links with the estimate h() and nothing else."""
    return ours(problem, Strategy(first_visits=UNLIMITED))
