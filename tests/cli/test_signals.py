import os
import signal
import sys
import weakref
from collections.abc import Iterator

import pytest

from cli.signals import NAMES, Signals


@pytest.fixture
def signals() -> Iterator[Signals]:
    numbers = [getattr(signal, name) for name in NAMES]
    handlers = [signal.getsignal(number) for number in numbers]
    hook = sys.unraisablehook
    yield Signals()
    sys.unraisablehook = hook
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


class Referent:
    """An object that can have a weak reference."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("SIGINT", KeyboardInterrupt()), ("SIGTERM", SystemExit(143)), ("SIGHUP", SystemExit(129))],
)
def test_a_signal_in_a_callback_of_the_garbage_collection_is_not_lost(
    signals: Signals, name: str, expected: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    signals.check()
    referent = Referent()
    number = getattr(signal, name)
    reference = weakref.ref(referent, lambda _: os.kill(os.getpid(), number))
    del referent
    assert reference() is None
    with pytest.raises(type(expected)) as raised:
        signals.check()
    assert raised.value.args == expected.args
    assert capsys.readouterr().err == ""


def test_a_signal_ends_what_runs(signals: Signals) -> None:
    with pytest.raises(SystemExit):
        os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(SystemExit):
        signals.check()
