"""Says that the solver is being compiled, which delays its first start by several seconds."""

from typing import Any

from numba.core import event

from worker.compiling.log import TEXT, logger

#: the package whose functions are the solver; a program may compile others
PACKAGE = __name__.partition(".")[0]


class Announcer(event.Listener):
    """Logs TEXT, once, when numba compiles the solver, but not when it loads it from its cache.

    This is a warning, so that it is seen in programs that configure no logging.
    """

    def __init__(self) -> None:
        self._announced = False

    def on_start(self, compilation: Any) -> None:
        """Log, unless another program's function is compiled; the event is `numba:compile`."""
        module: str = compilation.data["dispatcher"].py_func.__module__
        if not self._announced and module.partition(".")[0] == PACKAGE:
            self._announced = True
            logger.warning(TEXT, extra={"reason": TEXT})

    def on_end(self, compilation: Any) -> None:
        """Do nothing: numba compiles several functions in turn."""


def announce_compilation() -> None:
    """Let this process say when it compiles the solver."""
    register: Any = event.register  # it has no types
    register("numba:compile", Announcer())
