"""Stores a spool of puzzles as a batch, in transactions of well under a second."""

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, Engine

from storage import answers, batches
from storage.batches import Batch
from storage.clock import now
from storage.database import write
from storage.errors import StorageError
from storage.outbox import publishing, removal
from storage.reuse.classes import Symmetry
from storage.reuse.copying import copy
from storage.reuse.finding import KnownAnswers, known_answers
from storage.signals import check, deferred, interruptible
from storage.values import Answer, Answers, Facts, Kind, Priority, Status
from storage.view import OF_CLASSES, OF_FACTS
from worker.errors import BatchLost
from worker.formats.entry import Block
from worker.intake.chunks import by_kind, packed
from worker.intake.spool import Input, Spool
from worker.options import Options

logger = logging.getLogger(__name__)


def store(
    engine: Engine,
    spool: Spool,
    options: Options,
    *,
    name: str | None,
    queue: str,
    reuse: bool = False,
    priority: Priority = Priority.NORMAL,
    private: bool = False,
) -> Batch:
    """Store everything in the spool as a batch: puzzles as chunks, faults as `invalid` answers.

    With `reuse`, a puzzle that was solved before with the same options gets a copy of its answer,
    and the batch's options hold the number of such puzzles as `reused`.  Workers see the batch
    only after the last transaction, which makes it ready.  On any exception before, those of
    signals included, what was stored of it is deleted.  A `private` batch ends with this process.

    Also ends the batches of processes that have died.
    """
    with ExitStack() as stack:
        with interruptible():
            removal.end_orphans(engine)
            known = stack.enter_context(_known(engine, spool, options, reuse=reuse))
        stack.enter_context(deferred())
        batch = _create(engine, spool, options, name, queue, known, priority)
        try:
            for blocks in spool.portions():
                check()
                reused: Collection[int] = ()
                if known is not None:
                    first, last = blocks[0].places[0], blocks[-1].places[-1]
                    further, facts = options.keep > 1, _of_facts(options)
                    reused = copy(known, batch, first, last, further=further, facts=facts)
                _store_extras(engine, batch, blocks)
                _store_origins(engine, batch, blocks, spool.inputs)
                if len(reused) < sum(block.count for block in blocks):
                    _store_portion(engine, batch, options, blocks, reused)
            check()
            _make_ready(engine, batch, private=private)
        except BaseException:
            _withdraw(engine, batch)
            raise
    return batch


def _make_ready(engine: Engine, batch: Batch, *, private: bool) -> None:
    with write(engine) as connection:
        _check_cancelled(connection, batch)
        publishing.make_ready(connection, batch)
        if not private:
            removal.disown(connection, batch.id)


def _check_cancelled(connection: Connection, batch: Batch) -> None:
    """Lock the batch until the transaction ends; raise BatchLost if it was cancelled."""
    if batches.lock(connection, batch.id).cancelled_at is not None:
        raise BatchLost(f"batch {batch.id} was cancelled while it was stored; nothing is kept")


def _withdraw(engine: Engine, batch: Batch) -> None:
    """Delete what was stored of a batch."""
    try:
        removal.withdraw(engine, batch)
        with write(engine) as connection:
            removal.disown(connection, batch.id)
    except StorageError as error:  # the database may be the reason for the first one
        logger.warning(
            "batch %d is removed by the next solve, submit or worker: %s", batch.id, error
        )


def _known(
    engine: Engine, spool: Spool, options: Options, *, reuse: bool
) -> AbstractContextManager[KnownAnswers | None]:
    """Find the answers of earlier batches with the same options, apart from their limits.

    Where classes or facts are wanted, those batches have them, too; elsewhere they may have them.
    The context is None if answers are not to be reused.
    """
    if not reuse:
        return nullcontext()

    def compared(some: Options) -> Options:
        return replace(some, timeout=0.0, memory=None, classes=False, facts=False)

    def same(stored: dict[str, Any]) -> bool:
        theirs = Options.from_json(stored)
        has_all = theirs.classes >= options.classes and theirs.facts >= options.facts
        return has_all and compared(theirs) == compared(options)

    wanted = (puzzles for blocks in spool.portions() for puzzles, _ in by_kind(blocks))
    return known_answers(engine, wanted, same, source=spool.source, symmetry=_symmetry(options))


def _of_facts(options: Options) -> tuple[str, ...]:
    """Return the columns of facts that the options ask for."""
    return OF_CLASSES * options.classes + OF_FACTS * options.facts


def _symmetry(options: Options) -> Symmetry | None:
    """Return how answers of equivalent puzzles become those of others; None if they do not."""
    others = options.target or options.per_option or options.keep > 1 or options.facts
    if others or not options.classes:
        return None
    from worker.symmetry import classes  # noqa: PLC0415 # loads NumPy

    def forms(texts: Sequence[str]) -> Sequence[Facts | None]:
        return classes.forms_of_sudokus(texts, [None] * len(texts))

    return Symmetry(forms, classes.moved_solutions)


def _create(
    engine: Engine,
    spool: Spool,
    options: Options,
    name: str | None,
    queue: str,
    known: KnownAnswers | None,
    priority: Priority,
) -> Batch:
    values = {**asdict(options), "inputs": list(map(asdict, spool.inputs))}
    if known is not None:
        values["reused"] = known.count
    with write(engine) as connection:
        batch = batches.create(
            connection,
            name=name,
            source=spool.source,
            kind="target" if options.target and spool.kind == Kind.SUDOKU else spool.kind,
            options=values,
            puzzles=spool.puzzles,
            queue=queue,
            priority=priority,
        )
        removal.own(connection, batch.id)
        return batch


def _store_portion(
    engine: Engine, batch: Batch, options: Options, blocks: Sequence[Block], reused: Collection[int]
) -> None:
    """Store all puzzles of these blocks but those that are answered, and their faults."""
    new_chunks = list(packed(blocks, options, batch.first_id, batch.puzzles, reused))
    invalid = Answers.of(list(_invalid(blocks, batch)))
    with write(engine) as connection:
        _check_cancelled(connection, batch)
        publishing.add_many(connection, batch.id, new_chunks)
        time = now(connection)
        answers.add(connection, batch.id, invalid, None, attempts=0, now=time)


def _store_extras(engine: Engine, batch: Batch, blocks: Sequence[Block]) -> None:
    """Store the further columns or keys of these puzzles."""
    rows = [
        (batch.first_id + place - 1, extra)
        for block in blocks
        for place, extra in zip(block.places, block.extras or (), strict=False)
        if extra
    ]
    if rows:
        with write(engine) as connection:
            _check_cancelled(connection, batch)
            answers.add_extras(connection, rows)


def _store_origins(
    engine: Engine, batch: Batch, blocks: Sequence[Block], inputs: Sequence[Input]
) -> None:
    """Store where these puzzles are in the inputs, unless earlier rows tell."""
    names = [one.name for one in inputs] if len(inputs) > 1 else [None]
    rows = [
        (batch.first_id + position - 1, names[of], line, step)
        for block in blocks
        for position, of, line, step in block.origins
    ]
    if rows:
        with write(engine) as connection:
            _check_cancelled(connection, batch)
            answers.add_origins(connection, rows)


def _invalid(blocks: Sequence[Block], batch: Batch) -> Iterator[Answer]:
    """Yield an answer for each fault; its kind is the batch's, because a fault has none."""
    faults = (entry for block in blocks if block.kind is None for entry in block.entries())
    for fault in faults:
        yield Answer(
            id=batch.first_id + fault.line - 1,
            position=fault.line,
            label=fault.label,
            kind=batch.kind,
            size=None,
            clues=None,
            puzzle=fault.text,
            status=Status.INVALID,
            detail=fault.error,
        )
