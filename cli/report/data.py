"""The data of the HTML page, read from the database."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from cli.output.answers import FileSymbols
from storage import batches
from storage.batches import Batch
from storage.queries.answers import select_answers
from storage.queries.stats import Distributions, Stats, distributions, stats
from storage.values import AnswerRow

#: puzzles in the table of the hardest
MAX_HARDEST = 20
#: grids from which the heat maps are made
MAX_BEST = 100


class Report(NamedTuple):
    """Everything about a batch that the page shows."""

    batch: Batch
    stats: Stats
    distributions: Distributions
    hardest: Sequence[AnswerRow]  #: those with a time: most nodes first, then most ms
    best: Sequence[AnswerRow]  #: those with a score, the highest first, in stored symbols


def read_report(connection: Connection, batch_id: int, *, exact: bool = False) -> Report:
    """Read the data of a batch, if `exact` with all answers; raise NoSuchBatch."""
    batch = batches.find(connection, batch_id)
    hardest = select_answers(connection, batch=batch_id, sort=["-nodes", "-ms"], first=MAX_HARDEST)
    in_files = FileSymbols(connection, batch).rows(hardest)
    found = stats(connection, batch_id, exact=exact)
    most = 0 if found.best_score is None else MAX_BEST
    best = select_answers(connection, batch=batch_id, sort=["-score"], first=most)
    return Report(
        batch,
        found,
        distributions(connection, batch_id, exact=exact),
        [answer for answer in in_files if answer.ms is not None],
        [answer for answer in best if answer.score is not None],
    )
