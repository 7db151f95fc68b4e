"""Signals take effect between two transactions, not inside one.

An exception in the middle of a driver's call may leave a lock that nobody releases, and one between
two statements may leave half of what belongs together.  So the handlers of signals use `interrupt`
or `call`, which act at once, or where a `deferred` block allows it.
"""

import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial


class _State:
    """What waits in the main thread, where Python handles signals."""

    def __init__(self) -> None:
        self.depth = 0  #: of `deferred` blocks
        self.pending: Callable[[], object] | None = None
        self.raised: BaseException | None = None  #: the last that was raised


_state = _State()


def call(action: Callable[[], object]) -> None:
    """Call `action` now, or in a deferred block at its end or at its next `check`."""
    _state.pending = action
    if not _state.depth:
        check()


def interrupt(error: BaseException) -> None:
    """Raise an exception when `call` would call."""

    call(partial(_raise, error))


def check() -> None:
    """Do what a signal that waits asks for, if there is one."""
    action, _state.pending = _state.pending, None
    if action is not None:
        action()


def wait_again(dropped: BaseException | None) -> bool:
    """Let an exception wait that Python dropped; return False if it is not that of a signal.

    Python drops what is raised in a callback of its garbage collection, where a signal may arrive:
    SQLAlchemy has one that runs after every transaction.
    """
    if dropped is None or dropped is not _state.raised:
        return False
    _state.pending = partial(_raise, dropped)
    return True


def _raise(error: BaseException) -> None:
    _state.raised = error
    raise error


class _Block:
    """A block in which signals wait if its depth is not 0."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def __enter__(self) -> None:
        self._before = _state.depth
        # Nothing is called after this: where Python calls, it handles signals.
        _state.depth = self._depth

    def __exit__(self, *_: object) -> None:
        _state.depth = self._before
        if not _state.depth:
            check()


def deferred() -> AbstractContextManager[None]:
    """Let signals wait until the end of the block, or until `check` is called in it."""
    if threading.current_thread() is not threading.main_thread():
        return nullcontext()
    if not _state.depth and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # In a Python program: it does the same, but waits.
        signal.signal(signal.SIGINT, lambda *_: interrupt(KeyboardInterrupt()))
    return _Block(_state.depth + 1)


def interruptible() -> AbstractContextManager[None]:
    """Let signals interrupt the block, which is in a deferred one, except for its transactions."""
    if threading.current_thread() is not threading.main_thread():
        return nullcontext()
    check()
    return _Block(0)
