"""Runs a block as an ordinary user, because root ignores file permissions."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

#: the user id of `nobody`
NOBODY = 65534


@contextmanager
def an_ordinary_user() -> Iterator[None]:
    """Give up root's permissions for the block; does nothing for other users."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
