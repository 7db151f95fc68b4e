"""Numbers of several words: as Python's integers."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.counting.numbers import (
    add,
    add_modulo,
    add_product,
    subtract,
    to_int,
    to_words,
    widened,
)

#: a function as it is called without being compiled
PLAIN = "py_func"
WORD = 64
numbers = st.integers(0, 2 ** (3 * WORD) - 1) | st.sampled_from(
    [0, 1, 2**64 - 1, 2**64, 2**128 - 1, 2**128, 2**192 - 1]
)


@given(numbers, numbers)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_sums_and_differences_are_exact_or_refused(a: int, b: int) -> None:
    total = to_words(a, 3)
    uncompiled: Any = getattr(add, PLAIN, add)
    has_room = a + b < 2 ** (3 * WORD)
    assert uncompiled(total, np.uint64(0), to_words(b, 3)) == has_room
    assert to_int(total) == (a + b if has_room else a)
    total = to_words(a, 3)
    uncompiled = getattr(subtract, PLAIN, subtract)
    assert uncompiled(total, to_words(b, 3), np.uint64(0)) == (b <= a)
    assert to_int(total) == (a - b if b <= a else a)


@given(numbers)
def test_a_number_is_the_same_in_more_words(a: int) -> None:
    assert to_int(widened(to_words(a, 3), 3, 6)) == a
    with pytest.raises(OverflowError):
        to_words(2 ** (3 * WORD) + a, 3)


@given(numbers, numbers, numbers)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_sums_and_products_are_exact_modulo_a_power_of_two(a: int, b: int, c: int) -> None:
    zero, size = np.uint64(0), np.uint64(3)
    total = to_words(a, 3)
    uncompiled: Any = getattr(add_product, PLAIN, add_product)
    uncompiled(total, zero, to_words(b, 3), zero, to_words(c, 3), zero, size)
    assert to_int(total) == (a + b * c) % 2 ** (3 * WORD)
    uncompiled = getattr(add_modulo, PLAIN, add_modulo)
    uncompiled(total, zero, to_words(b, 3), zero, size)
    assert to_int(total) == (a + b * c + b) % 2 ** (3 * WORD)
