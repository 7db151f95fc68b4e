"""Which workers Redis has heard of, and what keeps it from hearing of others."""

from typing import NamedTuple

from worker.errors import RedisRefused, RedisUnreachable
from worker.queue.carrier import Carrier


class Presence(NamedTuple):
    """The answer of Redis, or why there is none."""

    workers: list[str]
    stalled: list[str]  #: those that do not consume although messages wait
    fault: RedisUnreachable | None  #: why Redis does not answer, or takes no heartbeats

    @property
    def absence(self) -> str | None:
        """What to say if no worker is known; None if one is."""
        if self.workers:
            return None
        if self.fault:
            return f"no worker is known: {self.fault}"
        return "no worker is running; start one with: bullseye worker"

    @property
    def redis(self) -> str:
        """The state of Redis, in a few words."""
        if isinstance(self.fault, RedisRefused):
            return self.fault.problem
        return "not reachable" if self.fault else "reachable"


def presence(carrier: Carrier) -> Presence:
    """Return which workers are known, or why none may be; never raises RedisUnreachable."""
    workers, stalled = list[str](), list[str]()
    try:
        workers = carrier.workers()
        stalled = carrier.stalled(workers)
        carrier.require_writes()
    except RedisUnreachable as error:
        return Presence(workers, stalled, error)
    return Presence(workers, stalled, None)
