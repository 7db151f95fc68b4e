"""Arrays of numbers as bytes, little-endian on every machine."""

import sys
from array import array
from typing import Any


def to_bytes(values: "array[Any]") -> bytes:
    """Return the numbers as bytes."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def from_bytes(type_: str, data: bytes) -> "array[Any]":
    """Return the numbers of bytes; `type_` is their type code as of `array`."""
    values = array(type_)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
