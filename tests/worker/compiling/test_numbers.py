"""Records of compiled code that also run uncompiled."""

import numpy as np
import pytest

from worker.compiling.numbers import record


def test_a_column_is_read_and_written_as_an_attribute() -> None:
    one = np.zeros(1, record(("level", np.int64), ("spent", np.int64)))[0]
    one.level = 3
    assert (one.level, one.spent) == (3, 0)
    with pytest.raises(AttributeError, match="depth"):
        _ = one.depth


def test_a_column_that_an_attribute_of_numpy_would_hide_is_refused() -> None:
    with pytest.raises(ValueError, match=r"cannot have the columns \['item'\]"):
        record(("item", np.int64), ("level", np.int64))
