"""Queues puzzles for the workers, and waits for their answers."""

import logging
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Unpack

from bullseye.options import SearchOptions, checked, search_options
from bullseye.puzzles import Puzzles, open_puzzles
from bullseye.stored import Results, results
from storage.database import opened
from storage.errors import StorageError
from storage.values import Priority
from worker.errors import BadUsage, RedisUnreachable
from worker.intake.spool import Spool
from worker.intake.submit import store
from worker.queue.carrier import Carrier, require_redis
from worker.queue.dispatch import Outbox, open_outbox, postponed, publish, queue_of
from worker.settings import Settings
from worker.wait import PATIENCE_SECONDS, Wait

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Batch:
    """A batch of puzzles in a database."""

    id: int
    name: str | None
    puzzles: int  #: number of puzzles
    settings: Settings = field(repr=False)  #: with the passwords of the database and of Redis

    def wait(self, patience: float | None = PATIENCE_SECONDS) -> Results:
        """Return the answers when every puzzle has one, or the batch was cancelled.

        Raises NoLiveWorker after `patience` seconds without a live worker and without a new answer;
        the batch stays queued.  None waits for ever.
        """
        settings = self.settings
        with (
            opened(settings.database_url) as engine,
            closing(Carrier.connect(settings.redis_url, queue_of(settings, engine))) as carrier,
        ):
            Wait(engine, settings, carrier, patience).until_over(self.id)
        return self.results()

    def results(self) -> Results:
        """Return the answers so far; `bullseye.results` has filters."""
        return results(self.id, database=self.settings.database_url)


def submit(
    puzzles: Puzzles,
    *,
    name: str | None = None,
    reuse: bool = False,
    classes: bool = False,
    facts: bool = False,
    priority: str = "normal",
    database: str | None = None,
    redis: str | None = None,
    **search: Unpack[SearchOptions],
) -> Batch:
    """Store puzzles as a batch and queue them for the workers, as `bullseye submit` does.

    Puzzles and `search` are those of `solve`.  With `reuse`, answers that the database already has
    for the same puzzle and options are copied.  With `classes` and `facts`, what no symmetry
    changes of sudokus is stored with their answers.  `priority` is low, normal or high.  `database`
    is a path or URL, `redis` a URL; by default those of the environment.  Raises RedisUnreachable,
    and stores nothing, if Redis does not answer.
    """
    options = replace(search_options(**search), classes=classes, facts=facts)
    if priority not in [*Priority]:
        raise BadUsage(f"priority is {priority!r}; give 'low', 'normal' or 'high'")
    settings = Settings.from_env(database=database, redis=redis)
    require_redis(settings.redis_url)
    with open_puzzles(puzzles) as source, Spool() as spool:
        spool.add(source, checked(source.name, source.blocks(), options))
        with opened(settings.database_url, migrate=True) as engine:
            outbox = open_outbox(settings, engine)
            batch = store(
                engine,
                spool,
                options,
                name=name,
                queue=outbox.carrier.queue,
                reuse=reuse,
                priority=Priority(priority),
            )
            _publish(outbox)
    return Batch(batch.id, batch.name, batch.puzzles, settings)


def _publish(outbox: Outbox) -> None:
    """Publish as many chunks as fit; the sweep of a worker publishes the rest later."""
    try:
        publish(outbox)
    except (RedisUnreachable, StorageError) as error:
        logger.warning("%s", postponed(error))
