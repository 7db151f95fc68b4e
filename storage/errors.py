"""The errors that this package raises.  Their text is one sentence for the user."""


class ActionableError(Exception):
    """An error that the user can put right: `problem` says what is wrong, `remedy` what to do."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem, remedy)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem}: {self.remedy}" if self.remedy else self.problem


class StorageError(ActionableError):
    """An operation on the database failed."""


class DatabaseUnreachable(StorageError):
    """The database cannot be opened, read or written."""


class InvalidDatabaseUrl(StorageError):
    """The URL of the database cannot be that of one."""


class DatabaseMissing(StorageError):
    """The database does not exist yet, or has no tables yet."""


class DatabaseOutdated(StorageError):
    """The database's schema is older than this program's."""


class DatabaseTooNew(StorageError):
    """The database's schema is newer than this program's."""


class DatabaseBusy(StorageError):
    """Another program has held a lock on the database for too long."""


class NoSuchBatch(StorageError):
    """There is no batch with this number or name."""


class AmbiguousName(StorageError):
    """Several batches have this name."""


class BatchUnfinished(StorageError):
    """The batch cannot be deleted, because workers may still solve its puzzles."""


class BatchNotQueued(StorageError):
    """The batch cannot be paused, resumed or given a priority, as no worker goes on with it."""


class BatchIncomplete(StorageError):
    """The batch cannot be exported, because some of its puzzles have no answer yet."""


class BatchArchived(StorageError):
    """The answers of the batch are in files, and do not change any more."""


class ExportFailed(StorageError):
    """The files of an export cannot be written."""


class ExportDiffers(StorageError):
    """Files do not contain what the database has of a batch."""


class ArchiveUnreadable(StorageError):
    """Archived answers cannot be read: a file or a package is missing."""


class NoSuchPuzzle(StorageError):
    """There is no answered puzzle with this number."""


class BadQuery(StorageError):
    """A filter or sort option of a query is not valid."""
