"""Problems made for the keys of a table: states that it would take for one another."""

import os
import random

import numpy as np
import pytest

from worker.counting.count import count
from worker.counting.from_diagram import FromDiagram
from worker.counting.table import random_keys
from worker.exact_cover.problem import Problem, number

#: options of which some have keys that cancel: one more than a key has bits
OPTIONS = 129
KEY_BYTES = 16
#: what a source of randomness gives that whoever wrote the problem knows
KNOWN = random.Random(1).randbytes(KEY_BYTES * 4 * OPTIONS)

pytestmark = [pytest.mark.usefixtures("warm"), pytest.mark.attack]


def cancelling() -> list[int]:
    """Some of the first options, whose known keys have the exclusive or 0.

    By Gaussian elimination: `kept` has for each leading bit a sum of keys, and which these are.
    """
    kept: dict[int, tuple[int, int]] = {}
    for option in range(OPTIONS):
        key = int.from_bytes(KNOWN[KEY_BYTES * option : KEY_BYTES * (option + 1)], "little")
        which = 1 << option
        while key and key.bit_length() in kept:
            other, those = kept[key.bit_length()]
            key, which = key ^ other, which ^ those
        if not key:
            return [k for k in range(OPTIONS) if which >> k & 1]
        kept[key.bit_length()] = key, which
    raise AssertionError("so many vectors of 128 bits are linearly dependent")


def crafted() -> tuple[Problem, int]:
    """A problem in which two states have one key, and how many items differ in them.

    Item 1 has two options. After the last one, each other item has three options. The one before it
    takes the third option, of which the known keys cancel, from each of them: by secondary items.
    """
    thirds = cancelling()
    size = len(thirds)
    third = {option: k for k, option in enumerate(thirds)}
    others = (k % size for k in range(2 * size))
    options, costs = [], []
    for option in range(3 * size):
        if option in third:
            k = third[option]
            options.append([2 + k, 2 + size + k])
        else:
            options.append([2 + next(others)])
        costs.append(0 if option in third else 1)
    options += [[1, *range(2 + size, 2 + 2 * size)], [1]]
    return number(size + 1, size, options, [*costs, 0, 1]), size


def least_cost(problem: Problem) -> int:
    search = FromDiagram(problem, keep=1, memory=1 << 24)
    while not search.advance(slice_ns=10**9):
        assert not search.failed
    return search.kept[0][1]


def test_whoever_writes_a_problem_cannot_make_its_count_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem, size = crafted()
    with monkeypatch.context() as known:
        known.setattr(os, "urandom", lambda size: KNOWN[:size])
        assert count(problem).found == 2 * 2**size  # the attack works if the keys are known
    assert count(problem).found == 3**size + 2**size


def test_whoever_writes_a_problem_cannot_make_the_cheapest_cover_of_a_diagram_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem, size = crafted()
    with monkeypatch.context() as known:
        known.setattr(os, "urandom", lambda size: KNOWN[:size])
        assert least_cost(problem) == size
    assert least_cost(problem) == 1


def test_each_table_has_keys_of_its_own() -> None:
    assert not np.array_equal(random_keys(4), random_keys(4))
