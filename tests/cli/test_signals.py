import os
import signal
import weakref
from collections.abc import Iterator

import pytest

from cli.signals import end_at_once, handle
from storage import signals


@pytest.fixture
def handled() -> Iterator[None]:
    """Handle signals as a command does, but without its limit of time."""
    handle(limit=3600.0)
    yield
    end_at_once()


class Referent:
    """An object that can have a weak reference."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("SIGINT", KeyboardInterrupt()), ("SIGTERM", SystemExit(143)), ("SIGHUP", SystemExit(129))],
)
def test_a_signal_in_a_callback_of_the_garbage_collection_is_not_lost(
    handled: None, name: str, expected: BaseException, capsys: pytest.CaptureFixture[str]
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


def test_a_signal_ends_what_runs(handled: None) -> None:
    with pytest.raises(SystemExit):
        os.kill(os.getpid(), signal.SIGTERM)
    signals.check()


def test_a_signal_waits_for_the_end_of_a_deferred_block(handled: None) -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), signals.deferred():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("the block")
    assert done == ["the block"]


def test_an_interruptible_part_of_a_deferred_block_is_interrupted(handled: None) -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), signals.deferred():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("before")
        with signals.interruptible():
            done.append("within")
    assert done == ["before"]
