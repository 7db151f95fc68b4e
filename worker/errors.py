"""What can go wrong on the way of a chunk.  Each docstring is the message's beginning."""


class WorkerError(Exception):
    """The worker room cannot go on."""


class SettingsError(WorkerError):
    """A setting makes no sense."""


class RedisUnreachable(WorkerError):
    """Redis does not answer."""


class PuzzleError(WorkerError):
    """A text is not a puzzle."""


class BadInput(WorkerError):
    """Some of the input is no puzzle, so nothing was stored."""


class SolverFailed(WorkerError):
    """The solver ended without an answer, and says why."""


class LocalWorkerDied(WorkerError):
    """The private worker behind `solve` ended before the batch did."""
