"""A worker with a short visibility timeout.

`python -m tests.end_to_end.short_visibility_worker SECONDS -c N`: Redis redelivers each message
that was not acknowledged within SECONDS.
"""

import os
import sys

# Celery reads this while it is imported; `worker.serve` sets it in the same way.
os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")

from worker.app import worker_app
from worker.serve import worker_arguments
from worker.settings import Settings


def main(seconds: float, processes: int) -> None:
    """Serve the database and Redis that `BULLSEYE_*` name."""
    app = worker_app(Settings.from_env())
    app.conf.broker_transport_options["visibility_timeout"] = seconds
    app.worker_main(worker_arguments(processes))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[3]))
