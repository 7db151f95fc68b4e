"""Bullseye from Python: solves puzzles in this process, and reads and fills the database.

    >>> from bullseye import solve
    >>> solve("12...4.....3..2.")[0].solution
    '1234341221434321'

`solve` answers at once; `submit` queues a batch for the workers; `results` reads stored answers.
The errors that they raise have one of two bases: WorkerError and StorageError.

Read in this order: puzzles, options, answers, solving, symmetry, stored, batch; then
packages, celery, __main__.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import bullseye.packages  # noqa: F401 # before the packages that it looks for

if TYPE_CHECKING:
    from bullseye.answers import Answer, Answers, StoredAnswer
    from bullseye.batch import Batch, submit
    from bullseye.puzzles import Cover
    from bullseye.solving import solve
    from bullseye.stored import Results, results
    from bullseye.symmetry import Arrangement, Facts, canonical, equivalent, facts
    from storage.errors import StorageError
    from storage.values import Kept, Status
    from worker.errors import BadUsage, NoLiveWorker, PuzzleError, RedisUnreachable, WorkerError

#: the module of each name, which is imported when the name is first used
_MODULES = {
    "bullseye.answers": ("Answer", "Answers", "StoredAnswer"),
    "bullseye.batch": ("Batch", "submit"),
    "bullseye.puzzles": ("Cover",),
    "bullseye.solving": ("solve",),
    "bullseye.stored": ("Results", "results"),
    "bullseye.symmetry": ("Arrangement", "Facts", "canonical", "equivalent", "facts"),
    "storage.errors": ("StorageError",),
    "storage.values": ("Kept", "Status"),
    "worker.errors": ("BadUsage", "NoLiveWorker", "PuzzleError", "RedisUnreachable", "WorkerError"),
}

__all__ = [
    "Answer",
    "Answers",
    "Arrangement",
    "BadUsage",
    "Batch",
    "Cover",
    "Facts",
    "Kept",
    "NoLiveWorker",
    "PuzzleError",
    "RedisUnreachable",
    "Results",
    "Status",
    "StorageError",
    "StoredAnswer",
    "WorkerError",
    "canonical",
    "equivalent",
    "facts",
    "results",
    "solve",
    "submit",
]


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'bullseye' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
