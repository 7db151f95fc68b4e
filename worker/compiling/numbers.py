"""The numbers, tables and records of compiled code."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.uint32]
Integers = NDArray[np.int64]
#: an integer of a width that numba infers
Int = Any
#: one structured scalar of numpy, read and written by attribute
Record = Any


class Fields(np.void):  # type: ignore[misc] # numpy lets it be subclassed, but not its types
    """A record whose fields are attributes; those of `np.record` take 2.4 times as long to read."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError as error:
            raise AttributeError(name) from error

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def record(*columns: tuple[str, Any]) -> Any:
    """Return the type of records that have these columns, a name and a type each.

    Raise ValueError for the name of an attribute of NumPy's records, which hides the column where
    functions are not compiled.
    """
    if hidden := [name for name, _ in columns if hasattr(np.void, name)]:
        raise ValueError(f"records cannot have the columns {hidden}")
    return np.dtype((Fields, np.dtype([*columns], align=True)))


#: The type of every count and index in compiled code. Signed indices cost a test for negative
#: values at each access, which doubles the time of a search; and numba turns a mixture of signed
#: and unsigned integers into a float, and compiles a function again for each mixture of widths.
Unsigned = np.uint64
ZERO: Any = Unsigned(0)
ONE: Any = Unsigned(1)
TWO: Any = Unsigned(2)
THREE: Any = Unsigned(3)
