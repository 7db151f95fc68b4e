"""The operations on searches and parts, each in a transaction of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update

from storage.batches import Batch
from storage.clock import utc
from storage.database import read, write
from storage.outbox import leases
from storage.outbox.leases import Lease
from storage.outbox.publishing import Chunk
from storage.packing import is_part
from storage.searches import parts, turns
from storage.searches.parts import PartLease
from storage.searches.turns import Following, Prediction
from storage.tables import search
from storage.values import Gain, PartRow, Puzzle, Searched
from tests.storage.harness import Harness, puzzles_of

GRID_SEARCHED = Searched("sudoku", 4, 0)
NOTHING = Gain(0, 0, 0)


def nothing_follows(_setup: str, _best: int | None) -> None:
    """Return None: a search has ended when all its parts have."""


def share_alone(_nodes: int, share: float, _estimate: str | None) -> float:
    """Return the share of the tree that is done."""
    return share


@dataclass(frozen=True)
class SearchHarness(Harness):
    """A database and the operations on it, those on searches included."""

    def submit_with(self, puzzles: int = 1, **options: Any) -> Batch:
        """Submit a batch of empty grids in one chunk; all solutions are wanted unless `limit`."""
        return self.submit(puzzles, **{"limit": None, "timeout": 1000.0, **options})

    def begin(
        self,
        rest: Sequence[PartRow],
        found: Gain = NOTHING,
        *,
        seconds: float = 2.0,
        searched: Searched = GRID_SEARCHED,
        **options: Any,
    ) -> Batch:
        """Submit a batch of one puzzle whose search is cut into parts."""
        batch = self.submit_with(**options)
        (sent,) = self.claim_new()
        lease, (puzzle,) = self.must_take(sent.id), puzzles_of(sent)
        assert self.cut(lease, puzzle, found, rest, seconds=seconds, searched=searched)
        assert self.store_answers(lease, [])
        return batch

    def cut(
        self,
        lease: Lease,
        puzzle: Puzzle,
        found: Gain,
        rest: Sequence[PartRow],
        *,
        worker: str = "ada",
        seconds: float = 2.0,
        searched: Searched = GRID_SEARCHED,
    ) -> bool:
        with write(self.engine) as connection:
            return turns.cut(
                *(connection, lease, puzzle, searched, found, rest),
                worker=worker,
                seconds=seconds,
                prediction=share_alone,
            )

    def cut_all(self, sent: Chunk, rest: Sequence[PartRow]) -> None:
        """Make a search of each puzzle of a chunk."""
        lease = self.must_take(sent.id)
        for puzzle in puzzles_of(sent):
            assert self.cut(lease, puzzle, NOTHING, rest)
        assert self.store_answers(lease, [])

    def claim_parts(self) -> list[Chunk]:
        """Send everything that is new; return the parts."""
        return [one for one in self.claim_new() if is_part(one.puzzles)]

    def take_part(self, sent: Chunk, worker: str = "ada") -> PartLease | None:
        with write(self.engine) as connection:
            return parts.take(connection, sent.id, sent.puzzles, worker)

    def must_take_part(self, sent: Chunk, worker: str = "ada") -> PartLease:
        """Take a part that can be taken."""
        taken = self.take_part(sent, worker)
        assert taken is not None
        return taken

    def renew_part(self, taken: PartLease) -> bool:
        with write(self.engine) as connection:
            return leases.renew(connection, taken.lease)

    def release_part(self, taken: PartLease) -> None:
        with write(self.engine) as connection:
            leases.release(connection, taken.lease)

    def end_turn(
        self,
        taken: PartLease,
        found: Gain = NOTHING,
        rest: Sequence[PartRow] = (),
        *,
        worker: str = "ada",
        seconds: float = 1.0,
        following: Following = nothing_follows,
        prediction: Prediction = share_alone,
    ) -> bool:
        with write(self.engine) as connection:
            return turns.end(
                *(connection, taken, found, rest),
                worker=worker,
                seconds=seconds,
                following=following,
                prediction=prediction,
            )

    def fail(self, taken: PartLease, detail: str = "the solver failed") -> bool:
        with write(self.engine) as connection:
            return turns.fail(connection, taken, detail, worker="ada", seconds=1.0)

    def time_passes(self, seconds: float) -> None:
        """Change searches as if the last turn of each had ended some seconds ago."""
        with write(self.engine) as connection:
            connection.execute(update(search).values(worked_at=utc(seconds)))

    def search(self, batch: Batch) -> dict[str, Any]:
        """Return the row of the search for the first puzzle of a batch."""
        with read(self.engine) as connection:
            wanted = select(search).where(search.c.id == batch.first_id)
            return dict(connection.execute(wanted).mappings().one())
