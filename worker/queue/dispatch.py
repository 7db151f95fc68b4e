"""The outbox: publish what is new, and sweep up what was lost.

A chunk's row says what is true; a message is only a reminder.  Publishing claims rows by
compare-and-set first and sends afterwards, so two that publish at once never send twice,
and a crash between the two leaves a claimed chunk that the next sweep sends again.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from sqlalchemy import Engine

from storage.database import write
from storage.outbox import publishing, recovery
from storage.outbox.publishing import Chunk
from worker.errors import RedisUnreachable
from worker.queue.carrier import Carrier
from worker.settings import Settings

#: seconds after which a sweep leaves the rest to the next one.  A worker hears no signal meanwhile;
#: and what this very sweep sent must not become old enough to be found lost by it.
PATIENCE = 2.0


@dataclass(frozen=True, slots=True)
class Outbox:
    """What publishing needs; `send` puts the message of one chunk into the queue."""

    engine: Engine
    carrier: Carrier
    send: Callable[[int], None]
    settings: Settings


def publish(outbox: Outbox, patience: float = inf) -> int:
    """Send new chunks while there is room in Redis; say how many.

    After so many seconds no more are begun with.
    """
    published, end = 0, time.monotonic() + patience
    while time.monotonic() <= end:
        with write(outbox.engine) as connection:
            claimed = publishing.claim_new(connection, outbox.carrier.queue, outbox.settings.room)
        if not claimed:
            break
        published += _send(outbox, claimed)
    return published


def sweep(outbox: Outbox, patience: float = PATIENCE) -> int:
    """Send again what was lost, then what is new; say how many.

    After so many seconds no more are begun with.
    """
    end = time.monotonic() + patience
    idle, drained = outbox.carrier.depth() == 0, outbox.carrier.waiting() == 0
    swept = 0
    while claimed := _lost(outbox, idle=idle, drained=drained):
        swept += _send(outbox, claimed)
        if time.monotonic() > end:
            return swept
    return swept + publish(outbox, end - time.monotonic())


def _lost(outbox: Outbox, *, idle: bool, drained: bool) -> list[Chunk]:
    queue, lease = outbox.carrier.queue, outbox.settings.lease
    with write(outbox.engine) as connection:
        return recovery.claim_lost(connection, queue, lease=lease, idle=idle, drained=drained)


def _send(outbox: Outbox, claimed: Sequence[Chunk]) -> int:
    """Payload before message: a message that arrives finds its puzzles."""
    for sent, chunk in enumerate(claimed):
        try:
            outbox.carrier.put(chunk.id, chunk.puzzles)
            outbox.send(chunk.id)
        except RedisUnreachable:
            with write(outbox.engine) as connection:
                publishing.mark_unsent(connection, [rest.id for rest in claimed[sent:]])
            raise
    return len(claimed)
