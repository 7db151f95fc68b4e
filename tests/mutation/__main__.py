"""Prints which mutants of the solver no test notices: `python -m tests.mutation search branch`.

The tests run without compilation, so that a mutant takes a second; a mutant that no test notices
takes ten.  No file is changed.
"""

import argparse
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before the solver is imported

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.trial import start

KERNEL = Path("worker/exact_cover")
TESTS = Path("tests/worker/exact_cover")
SEARCH = (
    f"{TESTS}/test_search.py::test_the_search_finds_the_covers_that_brute_force_finds",
    f"{TESTS}/test_search.py::test_the_cheapest_covers_are_kept_with_or_without_pruning",
    f"{TESTS}/test_search.py::test_the_search_stops_at_the_limit",
    f"{TESTS}/test_search.py::test_every_table_is_as_before_after_every_search",
    f"{TESTS}/test_search.py::test_items_with_more_options_than_a_word_holds_are_covered_alike",
    f"{TESTS}/test_search.py::test_a_planted_cover_is_found",
    f"{TESTS}/test_search.py::test_the_trees_of_known_problems_do_not_grow",
    f"{TESTS}/test_search.py::test_restoring_masks_from_snapshots_and_from_the_trail_visits_the_same_nodes[queens]",
    "tests/worker/covers/test_colours.py::test_exact_covers_are_those_whose_colours_agree",
    "tests/worker/covers/test_colours.py::test_the_cheapest_covers_are_among_them",
    f"{TESTS}/costs/test_cheapest.py::test_the_cheapest_covers_are_those_of_brute_force",
    f"{TESTS}/parts/test_parts.py::test_parts_of_any_search_find_what_brute_force_finds",
)
DUAL = (
    f"{TESTS}/costs/test_dual.py",
    f"{TESTS}/costs/test_cheapest.py::test_the_cheapest_covers_are_those_of_brute_force",
    f"{TESTS}/costs/test_cheapest.py::test_large_costs_are_added_exactly",
)


class Subject(NamedTuple):
    """A module, and tests that should notice a fault in it."""

    path: Path
    tests: Sequence[str]


SUBJECTS: Mapping[str, Subject] = {
    "search": Subject(KERNEL / "search.py", SEARCH),
    "branch": Subject(KERNEL / "branch.py", SEARCH),
    "cover": Subject(KERNEL / "cover.py", SEARCH),
    "exclude": Subject(KERNEL / "exclude.py", SEARCH),
    "dual": Subject(KERNEL / "costs" / "dual.py", DUAL),
}


def main() -> None:
    """Print the mutants that survive, and how many there were of each module."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", choices=[*SUBJECTS, []], help="default: all of them")
    parser.add_argument("--mutants", type=int, default=60, help="of each module; default: 60")
    parser.add_argument("--seed", type=int, default=1, help="of the sample; default: 1")
    parser.add_argument("--processes", type=int, default=2, help="at a time; default: 2")
    asked = parser.parse_args()
    for name in asked.modules or SUBJECTS:
        subject = SUBJECTS[name]
        every = list(mutants(subject.path))
        some = random.Random(asked.seed).sample(every, min(asked.mutants, len(every)))
        noticed = len(some)
        for one in _survivors(subject, some, asked.processes):
            print(f"{subject.path}:{one.line}: {one.change}", flush=True)
            noticed -= 1
        print(f"{name}: {noticed} of {len(some)} noticed, {len(every)} mutants in all", flush=True)


def _survivors(subject: Subject, some: Sequence[Mutant], processes: int) -> Iterator[Mutant]:
    """Yield the mutants with which every test passes."""
    if os.waitpid(start(subject.path, None, subject.tests), 0)[1] != 0:
        raise SystemExit(f"tests of {subject.path} fail without a mutant")
    running: dict[int, Mutant] = {}
    waiting = list(some)
    while waiting or running:
        while waiting and len(running) < processes:
            mutant = waiting.pop()
            running[start(subject.path, mutant.code, subject.tests)] = mutant
        child, status = os.wait()
        survivor = running.pop(child)
        if status == 0:
            yield survivor


if __name__ == "__main__":
    main()
