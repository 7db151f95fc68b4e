"""Solve random puzzles, compare each with what an independent solver finds, and report."""

import random
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tests.differential.families import FAMILIES
from tests.differential.judging import NotCompared, faults
from tests.worker.solving import kind_of
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search

#: seconds of a slice of the search; very short ones make it pause often
SLICES = (0.25, 0.25, 1e-5)


#: the time limit of a puzzle
SECONDS = 5.0


class Judgement(NamedTuple):
    """What was found about one puzzle."""

    family: str
    oracle: str
    faults: Sequence[str]  #: each with the puzzle and its options
    is_left_out: bool  #: it has too many solutions, or was not solved in time
    ours: float  #: seconds of CPU time
    theirs: float


def judge(seed: int, oracles: Collection[str]) -> Judgement:
    """Solve the puzzle of this number, and compare with one of these independent solvers."""
    chance = random.Random(seed)
    some = {name: one for name, one in FAMILIES.items() if not set(one.oracles).isdisjoint(oracles)}
    (name,) = chance.choices(list(some), [family.share for family in some.values()])
    oracle = chance.choice([one for one in some[name].oracles if one in oracles])
    text, options = some[name].draw(chance)
    began = time.thread_time()
    outcome = _solved(text, replace(options, timeout=SECONDS), chance.choice(SLICES))
    solved = time.thread_time()
    wrong, is_left_out = list[str](), False
    try:
        wrong += faults(text, options, outcome, oracle)
    except NotCompared:
        is_left_out = True
    told = [f"{what} (seed {seed}, {oracle}): {text} {options}" for what in wrong]
    return Judgement(name, oracle, told, is_left_out, solved - began, time.thread_time() - solved)


def report(seeds: range, oracles: Collection[str]) -> Iterator[str]:
    """Yield what is wrong, and a table with a row for each family and solver."""
    found = defaultdict[tuple[str, str], list[Judgement]](list)
    for seed in seeds:
        one = judge(seed, oracles)
        found[one.family, one.oracle].append(one)
        yield from one.faults
    yield "| puzzles | compared with | compared | left out | different | ms | its ms |"
    yield "|---|---|---|---|---|---|---|"
    for (family, oracle), some in sorted(found.items()):
        yield _row(f"| {family} | {oracle} |", some)
    yield _row("| all | |", [one for some in found.values() for one in some])


def _row(names: str, some: Sequence[Judgement]) -> str:
    left_out, wrong = sum(one.is_left_out for one in some), sum(bool(one.faults) for one in some)
    ours, theirs = (
        1e3 * sum(times) / len(some) for times in zip(*(one[4:] for one in some), strict=True)
    )
    return f"{names} {len(some) - left_out:,} | {left_out} | {wrong} | {ours:.2f} | {theirs:.2f} |"


def _solved(text: str, options: Options, slice_seconds: float) -> Outcome:
    slices = search(kind_of(text), [text], options, slice_seconds)
    (outcome,) = (outcome for outcomes in slices for outcome in outcomes.rows())
    return outcome
