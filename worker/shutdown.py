"""One shared byte tells the pool's processes that their worker is going down.

Celery tells only its main process.  A process of the pool that is deep in a chunk looks
here between two slices, stores what it has and gives the rest back.
"""

import mmap

_flag = mmap.mmap(-1, 1)  # anonymous and shared: the same byte in every forked process


def begin() -> None:
    """The worker goes down: chunks are to be given back."""
    _flag[0] = 1


def begun() -> bool:
    """Is the worker going down?"""
    return _flag[0] == 1


def forget() -> None:
    """Start anew; for tests."""
    _flag[0] = 0
