"""Bullseye from Python: solves puzzles in this process, and reads and fills the database.

    >>> from bullseye import solve
    >>> solve("12...4.....3..2.")[0].solution
    '1234341221434321'

`solve` answers at once; `submit` queues a batch for the workers; `results` reads stored answers.
The errors that they raise have one of three bases: WorkerError, StorageError, and CliError.

Read in this order: puzzles, options, answers, solving, stored, batch; then packages,
celery, __main__.
"""

import bullseye.packages  # noqa: F401 # before the packages that it looks for
from bullseye.answers import Answer, Answers, StoredAnswer
from bullseye.batch import Batch, submit
from bullseye.puzzles import Cover
from bullseye.solving import solve
from bullseye.stored import Results, results
from cli.errors import CliError, NoLiveWorker
from storage.errors import StorageError
from storage.values import Kept, Status
from worker.errors import BadUsage, PuzzleError, RedisUnreachable, WorkerError

__all__ = [
    "Answer",
    "Answers",
    "BadUsage",
    "Batch",
    "CliError",
    "Cover",
    "Kept",
    "NoLiveWorker",
    "PuzzleError",
    "RedisUnreachable",
    "Results",
    "Status",
    "StorageError",
    "StoredAnswer",
    "WorkerError",
    "results",
    "solve",
    "submit",
]
