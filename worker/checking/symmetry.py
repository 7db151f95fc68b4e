"""Whether the canonical forms of grids are grids of the same classes."""

import numpy as np
from numpy.typing import NDArray


def are_images(
    grids: NDArray[np.int8], arrangements: NDArray[np.int8], forms: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Return for each grid whether its arrangement leads to its form.

    An arrangement is as in `worker.symmetry.forms.Forms`: rows, columns, labels of the digits, and
    whether it exchanges the axes first.
    """
    count, cells = grids.shape
    side = round(cells**0.5)
    rows, columns, labels = arrangements[:, :-1].reshape(count, 3, side).swapaxes(0, 1)
    square = grids.reshape(count, side, side)
    is_exchanged = arrangements[:, -1].astype(bool)
    source = np.where(is_exchanged[:, None, None], square.swapaxes(1, 2), square)
    each = np.arange(count)[:, None, None]
    digits = source[each, rows[:, :, None], columns[:, None, :]]
    named = np.concatenate([np.zeros((count, 1), np.int8), labels], axis=1)
    found = named[each, digits].reshape(count, cells)
    equal: NDArray[np.bool_] = (found == forms).all(axis=1)
    return equal
