"""A worker whose messages come back after `python -m tests.end_to_end.impatient SECONDS -c N`."""

import os
import sys

# As `worker.serve` has it; Celery reads this while it is imported.
os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")

from worker import app
from worker.serve import serve
from worker.settings import Settings


def main(seconds: float, processes: int) -> None:
    """Serve what `BULLSEYE_*` say."""
    usual = app._conf

    def impatient(queue: str) -> dict[str, object]:
        conf = usual(queue)
        conf["broker_transport_options"]["visibility_timeout"] = seconds
        return conf

    app._conf = impatient
    serve(Settings.from_env(), processes)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[3]))
