"""Workers that deliver the chunks of a database to themselves, and the toy that solves them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random

from sqlalchemy import Engine

from storage import batches
from storage.batches import Batch
from storage.database import read, write
from storage.outbox import publishing
from storage.packing import pack
from storage.queries.answers import find_answer, further_solutions
from storage.searches.turns import Following
from storage.values import Kept, Kind, Puzzle, Puzzles
from storage.view import AnswerRow
from tests.storage.searching.harness import nothing_follows
from tests.worker.attempt.toy import Toy
from tests.worker.conftest import QUEUE
from worker.attempt.chunk import attempt
from worker.attempt.context import Context, News
from worker.options import Options
from worker.outcome import Outcome
from worker.settings import Settings


def queens(n: int) -> str:
    """The problem of placing `n` queens, with a cost for each square."""
    squares = [(row, column) for row in range(n) for column in range(n)]
    options = [
        [row + 1, n + column + 1, 2 * n + row + column + 1, 5 * n + row - column]
        for row, column in squares
    ]
    costs = [(3 * row + 5 * column) % 7 for row, column in squares]
    return cover(2 * n, options, 4 * n, costs)


def cover(
    primary: int, options: Sequence[Sequence[int]], secondary: int, costs: Sequence[int]
) -> str:
    return json.dumps(
        {
            "items": primary,
            "secondary": secondary,
            "options": options,
            "costs": costs,
        }
    )


@dataclass
class Crew:
    """Workers that solve the chunks of a database, one at a time and in random order."""

    engine: Engine
    settings: Settings
    toy: Toy
    chance: Random
    news: News | None = None
    following: Following = nothing_follows

    def submit(self, texts: Sequence[str], options: Options, chunk: int = 1) -> Batch:
        with write(self.engine) as connection:
            batch = batches.create(
                connection,
                name=None,
                source="puzzles.txt",
                kind="cover",
                options=asdict(options),
                puzzles=len(texts),
                queue=QUEUE,
            )
            rows = [
                Puzzle(batch.first_id + place, place + 1, None, text)
                for place, text in enumerate(texts)
            ]
            some = [rows[start : start + chunk] for start in range(0, len(rows), chunk)]
            packed = [pack(Puzzles.of(Kind.COVER, few)) for few in some]
            publishing.add_many(connection, batch.id, packed)
            publishing.make_ready(connection, batch)
        return batch

    def nodes(self, batch: Batch) -> int:
        """Return the nodes of the search for the first puzzle of a batch."""
        return int(self._total("nodes", batch))

    def elapsed(self, batch: Batch) -> float:
        """Return the seconds of that search, as the time limit counts them."""
        return self._total("elapsed", batch)

    def _total(self, column: str, batch: Batch) -> float:
        with read(self.engine) as connection:
            query = f"SELECT {column} FROM search WHERE id = {batch.first_id}"
            return float(connection.exec_driver_sql(query).scalar_one())

    @property
    def context(self) -> Context:
        return Context(
            self.engine,
            f"w{self.chance.randrange(3)}",
            self.settings,
            processes=lambda: 2,
            news=self.news,
            search=self.toy.search,
            search_part=self.toy.search_part,
            following=self.following,
        )

    def open_chunks(self) -> list[tuple[int, str]]:
        with read(self.engine) as connection:
            query = (
                "SELECT id, puzzles FROM chunk JOIN payload ON chunk_id = id"
                " WHERE state <> 'done' ORDER BY id"
            )
            return [(id_, text) for id_, text in connection.exec_driver_sql(query)]

    def attempt(self) -> bool:
        """Attempt a chunk that is not done; return whether it could be leased."""
        return attempt(self.context, *self.chance.choice(self.open_chunks()))

    def finish(self, batch: Batch) -> tuple[AnswerRow, list[Kept]]:
        """Solve a batch of one puzzle; return its answer and its further solutions."""
        while self.open_chunks():
            self.attempt()
        with read(self.engine) as connection:
            answer = find_answer(connection, batch.first_id)
            return answer, further_solutions(connection, batch.first_id)

    def parts(self) -> tuple[int, int]:
        """Return how many parts were made, and how many of them have not ended."""
        with read(self.engine) as connection:
            query = "SELECT count(*), count(*) - count(ended_at) FROM part"
            made, left = connection.exec_driver_sql(query).one()
            return made, left


def whole(text: str, options: Options) -> Outcome:
    """The outcome of an undivided search."""
    (outcomes,) = Toy(nodes=10**6).search(Kind.COVER, [text], options)
    (outcome,) = outcomes.rows()
    return outcome
