"""Whether the canonical forms of grids are grids of the same classes."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
#: bits of a line or label in the numbers of an arrangement, and of whether it exchanges the axes
FIELD_BITS, EXCHANGED = 4, 48


def are_images(
    grids: NDArray[np.int8], arrangements: Integers, forms: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Return for each grid whether its arrangement leads to its form.

    An arrangement is three numbers, as in `worker.symmetry.forms.Forms`: columns, labels and rows.
    """
    count, cells = grids.shape
    side = round(cells**0.5)
    columns, labels, rows = (_fields(arrangements[:, at], side) for at in range(3))
    square = grids.reshape(count, side, side)
    is_exchanged = (arrangements[:, 0] >> EXCHANGED & 1).astype(bool)
    source = np.where(is_exchanged[:, None, None], square.swapaxes(1, 2), square)
    each = np.arange(count)[:, None, None]
    digits = source[each, rows[:, :, None], columns[:, None, :]]
    named = np.concatenate([np.zeros((count, 1), np.int64), labels], axis=1)
    found = named[each, digits].reshape(count, cells)
    equal: NDArray[np.bool_] = (found == forms).all(axis=1)
    return equal


def _fields(numbers: Integers, side: int) -> Integers:
    fields: Integers = numbers[:, None] >> FIELD_BITS * np.arange(side) & (1 << FIELD_BITS) - 1
    return fields
