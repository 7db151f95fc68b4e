"""Another user for a moment: root may do everything, and would see no refusal."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

#: the user that owns nothing
NOBODY = 65534


@contextmanager
def an_ordinary_user() -> Iterator[None]:
    """As root, give up root's rights until the end of the block."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
