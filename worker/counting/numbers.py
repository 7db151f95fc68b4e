"""Natural numbers of several 64-bit words, the lowest word first."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned

#: one number, or several of equal size one after the other
Words = NDArray[np.uint64]
#: the bits of half a word, and a word that has them
BITS: Any = Unsigned(32)
HALF: Any = Unsigned(0xFFFFFFFF)


def to_int(words: Words) -> int:
    """Return the value of a number.

    >>> to_int(np.array([3, 1], np.uint64)) == 2**64 + 3
    True
    """
    return int.from_bytes(words.astype("<u8").tobytes(), "little")


def to_words(number: int, size: int) -> Words:
    """Return a number in `size` words; raise OverflowError if it has no room."""
    return np.frombuffer(number.to_bytes(8 * size, "little"), "<u8").astype(np.uint64)


def widened(words: Words, before: int, after: int) -> Words:
    """Return numbers of `before` words in `after` words each, which are not fewer."""
    rows = np.zeros((words.size // before, after), np.uint64)
    rows[:, :before] = words.reshape(-1, before)
    return rows.ravel()


@inlined
def set_small(words: Words, number: Int) -> None:
    """Let `words` be a number below 2^64."""
    words[0] = number
    for k in range(ONE, Unsigned(words.size)):
        words[k] = ZERO


@inlined
def add_modulo(total: Words, at: Int, numbers: Words, begin: Int, size: Int) -> None:
    """Add the number at `numbers[begin:]` to that at `total[at:]`, modulo 2^(64·size)."""
    carry = ZERO
    for k in range(size):
        low = total[at + k] + carry
        word = low + numbers[begin + k]
        carry = Unsigned(low < carry) | Unsigned(word < low)
        total[at + k] = word


@compiled
def add(total: Words, begin: Int, number: Words) -> bool:
    """Add a number to the one that begins at `total[begin]`.

    Return False, and change nothing, if the sum has no room.
    """
    size, carry = Unsigned(number.size), ZERO
    for k in range(size):
        low = total[begin + k] + carry
        carry = Unsigned(low < carry) | Unsigned(low + number[k] < low)
    if carry != ZERO:
        return False
    add_modulo(total, begin, number, ZERO, size)
    return True


@compiled
def subtract(total: Words, numbers: Words, begin: Int) -> bool:
    """Subtract the number that begins at `numbers[begin]` from `total`.

    Return False, and change nothing, if it is larger.
    """
    size = Unsigned(total.size)
    at = size
    while at != ZERO and total[at - ONE] == numbers[begin + at - ONE]:
        at -= ONE
    if at != ZERO and total[at - ONE] < numbers[begin + at - ONE]:
        return False
    borrow = ZERO
    for k in range(size):
        word, less = total[k], numbers[begin + k]
        total[k] = word - less - borrow
        borrow = Unsigned(word < less) | (borrow & Unsigned(word == less))
    return True


@compiled
def add_product(
    total: Words, at: Int, left: Words, begin: Int, right: Words, start: Int, size: Int
) -> None:
    """Add `left[begin:]` times `right[start:]` to `total[at:]`, modulo 2^(64·size)."""
    for i in range(size):
        carry = ZERO
        for j in range(size - i):
            one, two = left[begin + i], right[start + j]
            low, high = one & HALF, one >> BITS
            middle = high * (two & HALF) + (low * (two & HALF) >> BITS)
            rest = low * (two >> BITS) + (middle & HALF)
            high = high * (two >> BITS) + (middle >> BITS) + (rest >> BITS)  # of the product
            word = total[at + i + j] + carry
            high += Unsigned(word < carry)
            word += one * two
            carry = high + Unsigned(word < one * two)
            total[at + i + j] = word
