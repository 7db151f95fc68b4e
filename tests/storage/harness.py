"""The operations of submitters and workers, each in its own transaction, and sample answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Connection, Engine, select, update

from storage import answers, batches
from storage.batches import Batch
from storage.clock import utc
from storage.database import open_database, read, write
from storage.outbox import leases, publishing, recovery, steering
from storage.outbox.leases import Lease
from storage.outbox.publishing import Chunk
from storage.packing import pack, unpack
from storage.queries.answers import select_answers
from storage.queries.progress import read_progress
from storage.tables import chunk
from storage.values import (
    Answer,
    Answers,
    ChunkState,
    Kept,
    Kind,
    Priority,
    Puzzle,
    Puzzles,
    Status,
)

QUEUE = "queue"
#: further columns of the first puzzle of each batch
EXTRA = '{"rating":8.5,"source":"a, \\"b\\""}'
GRID = "." * 16
#: bytes: more than any test needs
ROOM = 64 << 20


def answer_to(
    puzzle: Puzzle,
    *,
    status: Status = Status.SOLVED,
    ms: float | None = 0.5,
    score: int | None = None,
    solutions: int | None = 1,
    complete: bool = True,
    solution: str = "1234341221434321",
    further: Sequence[Kept] = (),
) -> Answer:
    """Return an answer as the solver would."""
    return Answer(
        id=puzzle.id,
        position=puzzle.position,
        label=puzzle.label,
        kind="sudoku",
        size=4,
        clues=0,
        puzzle=puzzle.text,
        status=status,
        solutions=solutions,
        complete=complete,
        solution=solution if status is Status.SOLVED else None,
        score=score,
        bound=score,
        nodes=7,
        ms=None if ms is None else round(ms, 6),
        further=tuple(further),
    )


def take_chunk(connection: Connection, chunk_id: int, worker: str) -> Lease | None:
    """Take a chunk as a worker does that has its puzzles."""
    found = connection.execute(select(chunk.c.digest).where(chunk.c.id == chunk_id)).scalar()
    return leases.take(connection, chunk_id, worker, found or "")


def leases_last(engine: Engine, seconds: float) -> None:
    """Store how long leases last."""
    with write(engine) as connection:
        leases.store_seconds(connection, QUEUE, seconds)


@dataclass(frozen=True)
class Harness:
    """A database and the operations on it."""

    engine: Engine

    @classmethod
    def at(cls, url: str) -> Self:
        return cls(open_database(url, migrate=True))

    def submit(
        self,
        *sizes: int,
        queue: str = QUEUE,
        ready: bool = True,
        name: str | None = None,
        priority: Priority = Priority.NORMAL,
        **options: Any,
    ) -> Batch:
        """Submit a batch of empty grids, with one chunk of each size; the first has EXTRA."""
        with write(self.engine) as connection:
            batch = batches.create(
                connection,
                name=name,
                source="puzzles.txt",
                kind="sudoku",
                options={"limit": 2, "timeout": 30.0, **options},
                puzzles=sum(sizes),
                queue=queue,
                priority=priority,
            )
            puzzles = iter(Puzzle(batch.first_id + i, i + 1, None, GRID) for i in range(sum(sizes)))
            groups = [[next(puzzles) for _ in range(size)] for size in sizes]
            publishing.add_many(
                connection,
                batch.id,
                [pack(Puzzles.of(Kind.SUDOKU, some)) for some in groups],
            )
            answers.add_extras(connection, [(batch.first_id, EXTRA)])
            if ready:
                publishing.make_ready(connection, batch)
            return batches.find(connection, batch.id)

    def claim_new(
        self, queue: str = QUEUE, room: int = ROOM, most: int = publishing.MAX_CLAIMED_CHUNKS
    ) -> list[Chunk]:
        with write(self.engine, pipelined=True) as connection:
            return publishing.claim_new(connection, queue, room, most=most)

    def retire(self, queue: str = QUEUE) -> None:
        with write(self.engine) as connection:
            publishing.retire(connection, queue)

    def claim_lost(self, queue: str = QUEUE, *, idle: bool = False) -> list[int]:
        """Return the ids of the lost chunks."""
        with write(self.engine) as connection:
            lost = recovery.lost(connection, queue, idle=idle, drained=False)
            return [one.id for one in publishing.claim_unchanged(connection, lost)]

    def take(self, chunk_id: int, worker: str = "ada") -> Lease | None:
        with write(self.engine) as connection:
            return take_chunk(connection, chunk_id, worker)

    def must_take(self, chunk_id: int, worker: str = "ada") -> Lease:
        """Take a chunk that can be taken."""
        lease = self.take(chunk_id, worker)
        assert lease is not None
        return lease

    def renew(self, lease: Lease) -> bool:
        with write(self.engine) as connection:
            return leases.renew(connection, lease)

    def split(self, lease: Lease, puzzles: Sequence[Puzzle]) -> bool:
        with write(self.engine) as connection:
            return recovery.split(connection, lease, Puzzles.of(lease.kind, puzzles))

    def release(self, lease: Lease) -> None:
        with write(self.engine) as connection:
            leases.release(connection, lease)

    def store_answers(
        self, lease: Lease, answers: Sequence[Answer], *, worker: str = "ada", done: bool = True
    ) -> bool:
        with write(self.engine, pipelined=True) as connection:
            return leases.store_answers(connection, lease, Answers.of(answers), worker, done=done)

    def cancel(self, batch: Batch) -> bool:
        with write(self.engine) as connection:
            return batches.cancel(connection, batch.id)

    def pause(self, batch: Batch) -> None:
        with write(self.engine) as connection:
            steering.pause(connection, batch.id)

    def resume(self, batch: Batch) -> bool:
        with write(self.engine) as connection:
            return steering.resume(connection, batch.id)

    def retry(
        self, batch: Batch, *, queue: str = QUEUE, timeout: float | None = None, size: int = 256
    ) -> int:
        with write(self.engine) as connection:
            return recovery.retry(
                connection, batch.id, queue=queue, timeout=timeout, chunk_puzzles=size
            )

    def solve(self, batch: Batch, answers: Iterable[Answer] = ()) -> None:
        """Answer every new chunk, with the given answers or with samples."""
        given = {answer.id: answer for answer in answers}
        while claimed := self.claim_new(batch.queue):
            for one in claimed:
                puzzles = unpack(one.puzzles)
                found = [given.get(puzzle.id) or answer_to(puzzle) for puzzle in puzzles]
                assert self.store_answers(self.must_take(one.id), found)

    def backdate(self, seconds: float, *chunk_ids: int) -> None:
        """Change chunks as if they had been sent and taken some seconds ago."""
        with write(self.engine) as connection:
            for column in (chunk.c.sent_at, chunk.c.taken_at):
                connection.execute(
                    update(chunk)
                    .where(chunk.c.id.in_(chunk_ids), column.is_not(None))
                    .values({column: utc(seconds)})
                )

    def state(self, chunk_id: int) -> str | None:
        with read(self.engine) as connection:
            wanted = select(chunk.c.state).where(chunk.c.id == chunk_id)
            state: str | None = connection.execute(wanted).scalar()
            return state

    def states(self, batch: Batch) -> dict[ChunkState, int]:
        """Return the number of chunks by state, without the states of none."""
        with read(self.engine) as connection:
            found = read_progress(connection, batch.id).chunks
        return {state: number for state, number in found.items() if number}

    def answered(self, batch: Batch | None = None) -> list[int]:
        """Return the ids of the answered puzzles."""
        with read(self.engine) as connection:
            number = batch.id if batch else None
            return [line.id for line in select_answers(connection, batch=number)]


def puzzles_of(published: Chunk) -> list[Puzzle]:
    return list(unpack(published.puzzles))


def answers_to(published: Chunk) -> list[Answer]:
    return [answer_to(puzzle) for puzzle in puzzles_of(published)]
