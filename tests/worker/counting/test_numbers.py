"""Numbers of several words: as Python's integers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker import counting
from worker.compiling.entry import entry
from worker.compiling.numbers import ZERO, Unsigned
from worker.counting.numbers import (
    Words,
    add,
    add_modulo,
    add_product,
    subtract,
    to_int,
    to_words,
    widened,
)

WORD = 64
#: words of each number
SIZE = Unsigned(3)
numbers = st.integers(0, 2 ** (3 * WORD) - 1) | st.sampled_from(
    [0, 1, 2**64 - 1, 2**64, 2**128 - 1, 2**128, 2**192 - 1]
)


@entry(counting.__file__)
def added(total: Words, number: Words) -> bool:
    return add(total, ZERO, number)


@entry(counting.__file__)
def subtracted(total: Words, number: Words) -> bool:
    return subtract(total, number, ZERO)


@entry(counting.__file__)
def add_product_and_number(total: Words, left: Words, right: Words) -> None:
    add_product(total, ZERO, left, ZERO, right, ZERO, SIZE)
    add_modulo(total, ZERO, left, ZERO, SIZE)


@given(numbers, numbers)
def test_sums_and_differences_are_exact_or_refused(a: int, b: int) -> None:
    total = to_words(a, 3)
    has_room = a + b < 2 ** (3 * WORD)
    assert added(total, to_words(b, 3)) == has_room
    assert to_int(total) == (a + b if has_room else a)
    total = to_words(a, 3)
    assert subtracted(total, to_words(b, 3)) == (b <= a)
    assert to_int(total) == (a - b if b <= a else a)


@given(numbers)
def test_a_number_is_the_same_in_more_words(a: int) -> None:
    assert to_int(widened(to_words(a, 3), 3, 6)) == a
    with pytest.raises(OverflowError):
        to_words(2 ** (3 * WORD) + a, 3)


@given(numbers, numbers, numbers)
def test_sums_and_products_are_exact_modulo_a_power_of_two(a: int, b: int, c: int) -> None:
    total = to_words(a, 3)
    add_product_and_number(total, to_words(b, 3), to_words(c, 3))
    assert to_int(total) == (a + b * c + b) % 2 ** (3 * WORD)
