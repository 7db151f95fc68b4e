"""A worker with a fault in its main process: `-m tests.end_to_end.stalled_worker FAULT -c N`.

once     it consumes nothing from the moment when it is ready; a new connection helps
always   no new connection helps
hung     its event loop hangs
"""

import sys
import time
from collections.abc import Callable
from typing import Any

from celery import signals

from worker.serve import serve
from worker.settings import Settings


def once(hub: Any) -> None:
    hub.on_tick -= {one for one in hub.on_tick if one.__module__.startswith("kombu")}  # sends BRPOP


def always(hub: Any) -> None:
    hub.on_tick.clear()  # also what sends tasks to the pool


def hung(hub: Any) -> None:
    hub.call_later(0.5, time.sleep, 3600)


FAULTS: dict[str, Callable[[Any], None]] = {"once": once, "always": always, "hung": hung}


def main(fault: str, processes: int) -> None:
    """Serve the database and Redis that `BULLSEYE_*` name."""
    cause = FAULTS[fault]
    happened: list[None] = []

    def on_ready(sender: Any, **_: object) -> None:
        if not happened:  # Celery sends the signal after each new connection
            happened.append(None)
            cause(sender.hub)

    signals.worker_ready.connect(on_ready)
    serve(Settings.from_env(), processes)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[3]))
