"""The errors of the worker package.  Each docstring says when the error is raised."""

from storage.errors import ActionableError


class WorkerError(Exception):
    """The base class of the errors below."""


class SettingsError(WorkerError, ActionableError):
    """A setting has an invalid value."""


class RedisUnreachable(WorkerError, ActionableError):
    """Redis did not answer, or refused a command."""


class RedisRefused(RedisUnreachable):
    """Redis answered, and refused a command: it is full, for example, or cannot save."""


class ForeignMessage(WorkerError):
    """A message in the queue was not written by Bullseye."""


class PuzzleError(WorkerError):
    """A text is not a puzzle."""


class BadUsage(WorkerError):
    """Options do not suit each other, the puzzles or the stored batch."""


class BadInput(WorkerError):
    """Some of the input is not a puzzle, and nothing was stored."""


class NoLiveWorker(WorkerError):
    """No worker was alive for a minute while a batch was waited for."""


class SolverFailed(WorkerError):
    """The solver ended without an answer."""


class NoSemaphores(WorkerError):
    """The system refuses the semaphores that processes need."""


class LocalWorkerDied(WorkerError):
    """The private worker that `solve` started ended before the batch was complete."""


class BatchLost(WorkerError):
    """Another command has cancelled or deleted a batch that is stored, or solved by a `solve`.

    It may also have queued the batch of a `solve` for the workers; `str()` says what has happened.
    """


def reason_of(error: BaseException) -> str:
    """Return why a command failed, in the words of the system or of Redis, without a full stop."""
    cause = error.__cause__ or error.__context__
    system = cause.strerror if isinstance(cause, OSError) else None
    words = system or str(error).rpartition("of pipeline caused error: ")[2]  # as redis-py says it
    return words.rstrip(".").lower()
